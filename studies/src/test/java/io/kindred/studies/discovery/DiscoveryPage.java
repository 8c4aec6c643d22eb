package io.kindred.studies.discovery;

import io.kindred.runtime.config.ReferencePage;

/**
 * The reference page of gossiped views: messages, measurements and settings. The settings are
 * generated from the records that read them. A test compares the page with {@code
 * docs/reference/discovery.md}.
 */
final class DiscoveryPage {
  private static final String INTRODUCTION =
      """
      # Gossiped views

      `kindred discovery` measures gossiped views of similar peers without training. How views work and why:
      [explanation](../explanation/gossiped-views.md). Measurements: [reproduction](../reproduction/discovery.md). Code: module
      `protocol`, package `discovery`; the state machine is `Discovery`.

          ./kindred discovery --peers 1000
          ./kindred discovery --peers 1000 --compare
          ./kindred discovery --set churn=0.25 --set loss=0.1
          ./kindred discovery --peers 1000 --set liars.share=0.1 --set liars.kind=collude --set moving=true
          ./kindred discovery --models runs/my-run --k 10

      Vectors are drawn in planted clusters. With `--models` they are the changes of the models of a run since their common start; the
      run must have saved them (`--set evaluation.saveModels=true`). The peers run the same state machine as in a simulation or on a
      node, in rounds without virtual time: each round every peer that is up has trained, exchanges run to their end, and then every
      peer asks its view and pulls the models that the view names.

      The command prints tables, writes the same as `discovery.json` (its field `recall` is the recall after the last round), and draws
      recall over rounds (`discovery.svg`) and over kB (`discovery-cost.svg`). `discovery-rounds.jsonl` gets a line as soon as a round is
      measured, so a long study that is stopped keeps what it found. The exit code is 1 if an honest peer was accused of a
      false claim.

      ## Measurements

      Rounds 1, 5, 10, 20, 40 and the last are reported, and rounds around a drift or a split. `discovery.json` has the recall of
      every round. A kB is 1,000 bytes on the wire.

      | column | meaning |
      |---|---|
      | up | peers that are up |
      | recall | share of the K nearest peers (exact cosine of the whole vectors, among honest peers that are up) that the view names; mean over the sampled honest peers |
      | coverage | share of the K nearest peers among the most similar models of the view (`views.size`) |
      | down | share of the named peers that are down |
      | messages, kB | sent by a peer in a round, mean over the rounds since the last report |
      | kB in all | sent by a peer since the start |
      | pulled | number of peers whose view names a peer: mean, 99 % quantile, maximum |
      | contact | number of peers that have a peer among their random contacts: mean, standard deviation, 99 % quantile, maximum |
      | isolated | peers that are up and know no other peer that is up, neither as a contact nor in the view |
      | connected | share of the peers that are up in the largest weakly connected part of the contact graph |
      | to liars | share of the honest peers' pulls that go to lying peers; a lying peer with a similar model is pulled for good reason |
      | one liar | largest share of the honest peers that pull one lying peer in a round |
      | unchecked | the same in a second network that checks nothing (`views.checks=false`) |
      | strangers | searches from random peers for targets that are no peer's model: recall, and the peers that a search asked |
      | state | bytes of the encoded state of a peer without sketches, and of its sketches; a sample of 100 peers |
      | heap | growth of the heap per peer after a collection; a sketch that many views hold exists once |

      `--compare` builds a [semantic overlay](overlay.md) on the same vectors, lets the sampled peers query it with each beam, and floods
      and probes at random for the same kB. All are judged by the same exact answer.

      | column | meaning |
      |---|---|
      | recall | share of the K peers with the nearest vectors that a query found |
      | own | share of the K peers with the nearest signatures that a query found |
      | messages, kB a query | of all peers for one query |
      | with building | kB that a peer sends to build the overlay, and for one query |
      | flooding, probing | recall of a search without structure that sends as many kB: over neighbours of a random 8-regular graph; to random peers of a list known in advance |

      ## Messages

      | message | from | to | content |
      |---|---|---|---|
      | `exchange-request` | any peer | its oldest contact, and a similar peer | the sender's model, the models that it knows without their sketches, and contacts in an exchange with a contact |
      | `exchange-reply` | receiver of a request | sender of the request | the receiver's model, the models that are best for the sender and new to it, those models of the request that the receiver knows too, contacts |
      | `exchange-push` | sender of a request | receiver of the request | the models that are best for the receiver and new to it |
      | `query` | searching peer | owners of the best models found so far | the sketch of the target, and the number of models wanted |
      | `query-answer` | receiver of a query | searching peer | the most similar models that the receiver knows, its own among them |

      Messages that were not requested, that hold more models than allowed, or that name sketches of another form are counted and
      refused; none of them is an error.

      ## Settings

      For `--set KEY=VALUE`.

      """;

  private DiscoveryPage() {}

  /** The whole page. */
  static String render() {
    return INTRODUCTION
        + ReferencePage.settings(DiscoveryStudy.class)
        + "\nThis page is generated; `./x -pl studies -am test -Dtest=DiscoveryPageTest"
        + " -Dsurefire.failIfNoSpecifiedTests=false -Dkindred.rewrite=true` rewrites it.\n";
  }
}
