package io.kindred.studies.overlay;

import io.kindred.runtime.config.ReferencePage;

/**
 * The overlay's reference page: its messages and its settings. The settings are generated from the
 * records that read them. A test compares the page with {@code docs/reference/overlay.md}.
 */
public final class OverlayPage {
  private static final String INTRODUCTION =
      """
      # The semantic overlay

      `kindred overlay` builds the overlay without training and searches it. How the overlay works and why:
      [explanation](../explanation/semantic-overlay.md). Code: module `protocol`, package `overlay`; the state machine is `Overlay`.

          ./kindred overlay --peers 200 --k 20
          ./kindred overlay --peers 1000 --k 20 --beams 1,4,16,64 --both-readings
          ./kindred overlay --models runs/my-run --k 10,20 --set overlay.zoneSize=10

      The command prints the built structure and the cost of each kind of query, writes the same as `overlay.json`, and draws the
      hierarchy as `overlay.svg`. With `--models` it also prints which share of a model's entries is needed to keep a given cosine to
      the whole model, and draws it as `retention.svg`. A run can be used for `--models` if each of its peers has a model of its own
      and the run saved them (`--set evaluation.saveModels=true`). The exit code is 1 if the overlay's structure violates an invariant.

      No peer fails in this study, so it builds the overlay without maintenance; `--study` measures maintenance with the settings below.

      | column | meaning |
      |---|---|
      | recall | share of the K most similar peers (exact, on the same signatures) that a query found |
      | msgs, bytes | messages of a query over all peers, from request to answer, and their size on the wire |
      | visited | super-peers that compared the query with their children |
      | compared | share of the other peers that compared their own signature with the query |
      | attempts | descents: one, and one more for each time that the threshold was relaxed |
      | mean s, p95 s | virtual seconds from request to answer |
      | flooding, probing | recall without an overlay for the same number of messages: by flooding over neighbours; by asking random peers of a list known in advance |

      ## Messages

      Sizes are those of the wire codec; the size of a signature depends on its number of entries. On level 1 the members of a zone
      are peers; on higher levels they are the initiators of the zones below. The initiator of a zone is its first leader.

      | message | from | to | content |
      |---|---|---|---|
      | `score` | any peer | links, while hops are left | the sender's or another peer's election score of this epoch with its proof; not forwarded where a lower score has travelled as far |
      | `probe` | initiator, then members | links, while hops are left | invitation to join the zone, with the initiator's proof |
      | `zone-announcement` | member | links that get no probe; on higher levels also initiators of adjacent zones that are not links | the sender's zone |
      | `register` | member | initiator | the member's capacity, proof and distance |
      | `neighbour-report` | member | initiator | zones of the member's links and other neighbours, once all of them have a zone; later reports contain only new zones |
      | `zone-join-request`, `zone-join-reply` | peer without a zone; initiator | initiator nearby; the peer | request to join the zone; acceptance, or refusal if the zone is full |
      | `zone-split` | initiator of an oversized zone | peer with the lowest score among the excess members | the members that the receiver leads from now on |
      | `split-accepted` | new initiator | initiator of the split zone | confirmation; the split zone continues only after it |
      | `zone-changed` | new initiator | its members | the zone that the member belongs to from now on |
      | `zone-merged` | initiator that joined another zone | senders of messages for the next level | the zone that the sender's zone has merged into |
      | `signature-probe` | initiator | members | request for the member's signature or, on higher levels, its clusters |
      | `signature` | member, level 1 | initiator | the member's signature and its minimum P |
      | `cluster-report` | member, higher levels | initiator | descriptors of the member's clusters and a sketch of the minimum P below |
      | `replica-assigned` | initiator | replicas | a cluster's descriptor and its members or child clusters |
      | `home-cluster-assigned` | initiator | members | the member's cluster and its replicas |
      | `parent-assigned` | initiator | replicas of child clusters | the parent cluster and its replicas |
      | `root-clusters` | leader of the root zone | replicas of root clusters | descriptors of all root clusters (tree) |
      | `root-exchange`, `root-descriptor` | leader of the root zone; first replica of each root cluster | replicas of root clusters | the replicas of all root clusters; the descriptor of one root cluster (mesh) |
      | `built` | root super-peers, then super-peers below | every super-peer and peer | the overlay is built; the agreed P |
      | `query-ascent` | asker, then super-peers | a replica of the parent cluster | a query on its way to the root |
      | `query-descent` | super-peer | a replica of a chosen child cluster | a query on its way down |
      | `child-scores` | super-peer | root super-peer that leads the search | child clusters and their similarities, where the root selects every cluster that is visited |
      | `compare-request`, `compare-reply` | level-1 super-peer; its cluster's members | its cluster's members; the super-peer | the query's signature; the member's similarity to it |
      | `subtree-result` | super-peer | super-peer that sent the query | the best K candidates of the subtree, and the cost of the search |
      | `search-reply` | root super-peer | asker | the best K candidates, and the key that the query carried |
      | `refusal` | super-peer | sender of the query | the super-peer is overloaded or no longer a replica of the cluster; the sender retries at another replica |
      | `heartbeat` | member of a zone | its leader | the member is alive |
      | `lease-renewal` | leader | member | renewal of the lease, with the deputies, the member's cluster and the newest heartbeat of the root |
      | `replicate-zone` | leader | deputies | the zone's state, which a deputy needs for a takeover |
      | `transfer-leadership` | leader that leaves | first deputy | the zone's state, with the request to take over at once |
      | `leave` | member that leaves | leader | the member leaves the zone |
      | `not-leader` | peer with newer information about the zone | outdated leader or member | the zone's current leader, or that the receiver is not in the zone |
      | `replica-removed` | leader | former replica | the receiver is no longer a replica of this cluster |
      | `root-gossip` | any peer | two neighbours per lease, in rotation | the root of the sender's overlay |
      | `find-overlay`, `overlay-contact` | peer without an overlay; its neighbour | a neighbour; the peer | request for a contact; the neighbour's root and the replicas of its cluster, where the peer can join |
      | `join-request` | joining peer, then super-peers | up to the root, then down to the most similar cluster | the joining peer's signature, capacity and proof, the zones that were full, and whether all are |
      | `join-forward`, `zone-full` | level-1 super-peer; leader or super-peer | leader; joining peer or leader of a child zone | request to admit the joining peer to a cluster; the zone is full |
      | `divide-zone`, `member-moved` | leader of a full zone | leader of its new part; other members that move | the state of the new zone; the member's new zone and cluster |
      | `signature-changed` | member | leader of its level-1 zone | the member's model has drifted from the signature that the zone was clustered with |

      A message whose sender is not in the role that it needs changes nothing and is counted as `overlay-refused-TYPE`: a
      placement comes from a leader or deputy of the zone, a result from a replica that was asked, a reply with the key of the query.
      An invalid proof, a signature of another model, a message that arrives too late for its zone, and a repeated query are counted;
      none of them is an error. The counts are in `overlay.json`.

      ## Settings

      For `--set KEY=VALUE`.

      """;

  private OverlayPage() {}

  /** The whole page. */
  public static String render() {
    return INTRODUCTION
        + ReferencePage.settings(OverlayStudy.class)
        + "\nThis page is generated; `./x -pl studies -am test -Dtest=OverlayPageTest"
        + " -Dsurefire.failIfNoSpecifiedTests=false -Dkindred.rewrite=true` rewrites it.\n";
  }
}
