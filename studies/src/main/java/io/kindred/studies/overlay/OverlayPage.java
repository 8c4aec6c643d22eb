package io.kindred.studies.overlay;

import io.kindred.runtime.config.ReferencePage;

/**
 * The reference page of the overlay: its messages and its settings, the latter written from the
 * records that read them. A test compares it with {@code docs/reference/overlay.md}.
 */
public final class OverlayPage {
  private static final String INTRODUCTION =
      """
      # The semantic overlay

      `kindred overlay` builds the overlay by itself, without training, and searches it. What it does and why:
      [explanation](../explanation/semantic-overlay.md). Code: `protocol`, package `overlay`; the machine is `Overlay`.

          ./kindred overlay --peers 200 --k 20
          ./kindred overlay --peers 1000 --k 20 --beams 1,4,16,64 --both-readings
          ./kindred overlay --models runs/my-run --k 10,20 --set overlay.zoneSize=10

      It prints what was built and what each question cost, writes the same as `overlay.json`, and draws the hierarchy as
      `overlay.svg`. With `--models` it also says how many of their entries models need for which cosine to the whole, and draws that as
      `retention.svg`. A run can be taken for `--models` if its peers have models of their own and kept them
      (`--set evaluation.saveModels=true`). The exit code is 1 if anything about the overlay's structure is wrong.

      | column | meaning |
      |---|---|
      | recall | share of the K truly most similar peers (exact, on the same signatures) that a query found |
      | msgs, bytes | messages of a query and their size on the wire, from the question to the answer, all peers together |
      | visited | super-peers that looked at their children |
      | compared | share of the other peers that compared themselves |
      | attempts | descents, one and one more for each time that the threshold was relaxed |
      | mean s, p95 s | virtual seconds from question to answer |
      | flooding, probing | recall without an overlay for as many messages: flooding over neighbours; asking random peers, known beforehand |

      ## Messages

      Sizes are those of the wire codec; a signature takes what its entries take. On level 1 peers are the members of zones,
      above it the initiators of the zones below.

      | message | from | to | says |
      |---|---|---|---|
      | `score` | anyone | links, while hops are left | a peer's score of this epoch with its proof; not passed on where a lower one went as far |
      | `probe` | initiator, then members | links, while hops are left | join this zone; carries the initiator's proof |
      | `border` | member | links that get no probe; above the lowest level, also initiators of bordering zones that are no links | which zone I am in |
      | `register` | member | initiator | capacity, proof, distance |
      | `neighbor` | member | initiator | zones of my links and of whom I border on, once all are settled; later only new ones |
      | `join`, `admission` | peer without zone | initiator nearby | have you room? yes or no |
      | `hand-over` | initiator of a full zone | the rest's lowest score | members that are now yours |
      | `accepted` | new initiator | who handed over | I lead them; the zone that was split goes on only then |
      | `adopted` | new initiator | its members | you are in my zone |
      | `moved` | initiator that joined another zone | who speaks to it on the next level | where my zone went |
      | `signature-probe` | initiator | members | send your signature, or clusters |
      | `signature` | member, level 1 | initiator | signature and least P |
      | `contribution` | member, higher levels | initiator | its clusters' descriptors, a sketch of least P |
      | `appointment` | initiator | replicas | a cluster's descriptor and its members or children |
      | `placement` | initiator | members | your cluster and who holds it |
      | `parent` | initiator | replicas of child clusters | the cluster above and who holds it |
      | `roots` | last initiator | replicas at the top | all top descriptors (tree) |
      | `root-call`, `root-descriptor` | last initiator; first replicas | replicas at the top | who is at the top; each other's descriptors (mesh) |
      | `agreed` | top, down the hierarchy | everybody | all is built; P |
      | `rising-query` | asker, then super-peers | a replica of the cluster above | a query on its way up |
      | `query` | super-peer | a replica of a chosen child | a query on its way down |
      | `branches` | super-peer | who leads the query | children and their similarities (beam per level) |
      | `compare`, `compared` | lowest super-peer; its peers | its peers; back | how alike are you? |
      | `answer` | super-peer | who asked it | the best K below, and what it cost |
      | `found` | top super-peer | asker | the best K |
      | `refusal` | super-peer | who asked it | too much to do, or no longer in charge: ask another |
      | `beat` | tenant of a zone | its leader | I am there |
      | `renewal` | leader | tenant | the lease is renewed; deputies, the tenant's cluster, a sign of life from the top |
      | `copy` | leader | deputies | all that it takes to lead the zone |
      | `resignation` | leader that leaves | first deputy | the same, and: lead it now |
      | `farewell` | tenant that leaves | leader | I go |
      | `deposed` | who knows better | leader or tenant | another leads this zone, or you are not in it |
      | `dismissal` | leader | former replica | you no longer hold this cluster |
      | `hail` | anyone | two neighbours a lease, in turn | which overlay I am in |
      | `lost`, `shelter` | peer without a place; its neighbour | a neighbour; back | who is in an overlay? I am, ask those who hold my cluster |
      | `attach` | newcomer, then super-peers | up to the top, down to the most similar cluster | where do I belong? |
      | `admit`, `full` | lowest super-peer; leader | leader; newcomer | take it in; there is no room |
      | `drifted` | tenant | leader of its zone | its model is no longer what the zone was clustered with |

      A refused proof, a signature of another model, a message that came too late for its zone, a query that was seen before: all are
      counted, none is an error. Counts are in `overlay.json`.

      ## Settings

      For `--set KEY=VALUE`.

      """;

  private OverlayPage() {}

  /** The whole page. */
  public static String render() {
    return INTRODUCTION
        + ReferencePage.settings(OverlayStudy.class)
        + "\nThis page is generated; `./x -pl lab -am test -Dtest=OverlayPageTest"
        + " -Dsurefire.failIfNoSpecifiedTests=false -Dkindred.rewrite=true` rewrites it.\n";
  }
}
