package io.kindred.studies.discovery;

import io.kindred.core.record.Buildable;
import java.util.List;
import java.util.Optional;

/**
 * The measurements of a discovery study. A kB is 1,000 bytes on the wire.
 *
 * @param recall recall after the last round
 * @param rounds full reports of a few rounds
 * @param curve recall after every round
 * @param withoutChecks the same rounds of a second network in which nothing is checked, if peers
 *     lie
 */
@Buildable
public record DiscoveryResult(
    double recall,
    DiscoveryStudy settings,
    List<RoundResult> rounds,
    List<CurvePoint> curve,
    Optional<StrangerResult> strangers,
    StateResult state,
    Optional<Accusations> accusations,
    List<RoundResult> withoutChecks,
    Optional<ComparisonResult> comparison,
    Resources resources) {
  /**
   * How many peers list a peer.
   *
   * @param askers peers whose lists were counted
   * @param deviation standard deviation over the listed peers
   * @param p99 in-degree that one in a hundred peers exceeds
   */
  public record InDegree(int askers, double mean, double deviation, int p99, int most) {}

  /**
   * The network after a round.
   *
   * @param live peers that are up
   * @param recall share of the nearest peers that the answer of a view names
   * @param coverage share of the nearest peers among the most similar entries of a view
   * @param down share of the named peers that are down
   * @param messages messages that a peer sends in a round, mean since the last report
   * @param kilobytes kB that a peer sends in a round, mean since the last report
   * @param totalKilobytes kB that a peer has sent since the start
   * @param pulled how many peers name a peer in the answers of their views
   * @param contacts how many peers have a peer among their contacts
   * @param isolated peers that are up and know no other peer that is up
   * @param connected share of the peers that are up in the largest part that contacts connect
   * @param liars what lying peers achieved, if there are any
   */
  public record RoundResult(
      int round,
      int live,
      double recall,
      double coverage,
      double down,
      double messages,
      double kilobytes,
      double totalKilobytes,
      InDegree pulled,
      InDegree contacts,
      int isolated,
      double connected,
      Optional<LiarRound> liars) {}

  /**
   * What lying peers achieved in a round.
   *
   * @param pulls share of the honest peers' pulls that go to lying peers
   * @param mostPulled largest share of the honest peers that pull one lying peer
   */
  public record LiarRound(double pulls, double mostPulled) {}

  /** Recall after one round, and what a peer has sent until then. */
  public record CurvePoint(int round, double recall, double coverage, double totalKilobytes) {}

  /**
   * Searches for targets that are no peer's model; means over all searches.
   *
   * @param asked peers that a search asked
   */
  public record StrangerResult(
      int searches, double recall, double asked, double messages, double kilobytes) {}

  /**
   * What a peer keeps, in bytes of the wire form; means over a sample of peers.
   *
   * @param bytes the state without its sketches
   * @param sketchBytes the sketches in the state
   */
  public record StateResult(double bytes, double sketchBytes, double entries, double contacts) {}

  /** How often a peer accused another peer of a false claim. */
  public record Accusations(long ofHonestPeers, long ofLyingPeers) {}

  /** The other ways to find similar peers, judged by the same exact answer. */
  public record ComparisonResult(
      double buildMessages,
      double buildKilobytes,
      List<OverlaySearch> overlay,
      long queryBytes,
      List<UnguidedSearch> unguided) {}

  /**
   * A query of the overlay; messages and kB are means over all queries.
   *
   * @param recallSignatures share of the peers with the nearest signatures that was found
   */
  public record OverlaySearch(
      String reading,
      int beam,
      double recall,
      double recallSignatures,
      double messages,
      double kilobytes) {}

  /** Searches without structure that send as many kB. */
  public record UnguidedSearch(
      double kilobytes, double messages, double flooding, double probing) {}

  /**
   * What the study itself took.
   *
   * @param seconds wall seconds of all rounds
   * @param heapBytesPerPeer growth of the heap per peer, sketches included
   */
  public record Resources(double seconds, double heapBytesPerPeer, int threads) {}

  public DiscoveryResult {
    rounds = List.copyOf(rounds);
    curve = List.copyOf(curve);
    withoutChecks = List.copyOf(withoutChecks);
  }
}
