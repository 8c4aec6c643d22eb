package io.kindred.studies.discovery;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.SearchFinished;
import io.kindred.protocol.discovery.Sketch;
import io.kindred.protocol.discovery.ViewEntry;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.studies.discovery.DiscoveryResult.CurvePoint;
import io.kindred.studies.discovery.DiscoveryResult.InDegree;
import io.kindred.studies.discovery.DiscoveryResult.LiarRound;
import io.kindred.studies.discovery.DiscoveryResult.RoundResult;
import io.kindred.studies.discovery.DiscoveryResult.StrangerResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Runs one network of gossiped views round by round, and measures it. */
final class ViewsRun {
  private static final Purpose SEARCHES = new Purpose("discovery-searches");
  private static final List<Integer> REPORTED = List.of(1, 5, 10, 20, 40);

  /** Rounds after a drift, or after the end of a split, that are reported as well. */
  private static final List<Integer> REPORTED_AFTER = List.of(0, 1, 2, 5, 10, 15);

  /** Peers that are asked for an in-degree if they do not pull anyway. */
  private static final int MOST_ASKERS = 100_000;

  private static final double BYTES_PER_KILOBYTE = 1e3;
  private static final int[] NOBODY = {};

  private final DiscoveryStudy study;
  private final PeerVectors vectors;
  private final ViewNetwork.Tampering tampering;
  private final ViewNetwork network;
  private final NetworkScript script;
  private final NetworkMeasures measures;
  private final NearestPeers truth;
  private final RandomStreams streams;
  private final List<RoundResult> rounds = new ArrayList<>();
  private final List<CurvePoint> curve = new ArrayList<>();
  private double totalKilobytes;
  private double messagesSinceReport;
  private double kilobytesSinceReport;
  private int roundsSinceReport;

  ViewsRun(DiscoveryStudy study, PeerVectors vectors) {
    this.study = study;
    this.vectors = vectors;
    streams = new RandomStreams(study.seed());
    tampering =
        study.liars().share() > 0
            ? new LyingPeers(study.liars(), study.peers(), study.seed())
            : ViewNetwork.Tampering.NONE;
    List<Sketch> sketches =
        IntStream.range(0, study.peers())
            .parallel()
            .mapToObj(i -> vectors.sketch(i, 0, study.views().sketch()))
            .toList();
    network =
        new ViewNetwork(
            study.views(),
            sketches,
            new Introductions(study.peers(), study.introductions(), study.seed()),
            new ViewNetwork.Conditions(study.seed(), study.loss(), study.waves()),
            tampering);
    script = new NetworkScript(NetworkScript.Events.of(study), vectors, network);
    measures = new NetworkMeasures(network);
    int sampled = Math.min(study.sampled(), study.peers());
    truth =
        new NearestPeers(
            vectors,
            IntStream.range(0, sampled)
                .map(i -> (int) ((long) i * study.peers() / sampled))
                .toArray());
    count(network.messages(), network.bytes(), study.peers());
  }

  ViewNetwork network() {
    return network;
  }

  NetworkMeasures measures() {
    return measures;
  }

  List<RoundResult> rounds() {
    return rounds;
  }

  List<CurvePoint> curve() {
    return curve;
  }

  /** Runs the given round; rounds are numbered from 1. */
  void round(int round) {
    if (script.before(round)) {
      truth.changed(script.draws());
    }
    long messages = network.messages();
    long bytes = network.bytes();
    network.round();
    int[] live = measures.live();
    count(network.messages() - messages, network.bytes() - bytes, live.length);
    roundsSinceReport++;
    boolean reported = isReported(round);
    int[][] named = answers(live, reported);
    CurvePoint point = judge(round, named);
    curve.add(point);
    if (reported) {
      report(point, named, live);
    }
  }

  private void count(long messages, long bytes, int peers) {
    messagesSinceReport += (double) messages / Math.max(1, peers);
    kilobytesSinceReport += bytes / BYTES_PER_KILOBYTE / Math.max(1, peers);
    totalKilobytes += bytes / BYTES_PER_KILOBYTE / Math.max(1, peers);
  }

  private boolean isReported(int round) {
    return round == study.rounds()
        || REPORTED.contains(round)
        || (study.drift().at() > 0
            && (round == study.drift().at() - 1
                || REPORTED_AFTER.contains(round - study.drift().at())))
        || (study.split().from() > 0
            && (round == study.split().from() - 1
                || REPORTED_AFTER.contains(round - study.split().to())));
  }

  /** The answer of each view that is needed; peers that pull do so, and learn from it. */
  private int[][] answers(int[] live, boolean reported) {
    int[][] named = new int[network.size()][];
    Arrays.fill(named, NOBODY);
    boolean[] kept = new boolean[network.size()];
    for (int i = 0; i < truth.size(); i++) {
      kept[truth.target(i)] = true;
    }
    if (reported) {
      int askers = study.pulls() ? live.length : Math.min(MOST_ASKERS, live.length);
      for (int i = 0; i < askers; i++) {
        kept[live[(int) ((long) i * live.length / askers)]] = true;
      }
    }
    Arrays.stream(live)
        .parallel()
        .filter(peer -> study.pulls() || kept[peer])
        .forEach(
            peer -> {
              int[] answer =
                  network.similar(peer, study.wanted()).stream()
                      .mapToInt(each -> (int) each.peer().number())
                      .toArray();
              if (kept[peer]) {
                named[peer] = answer;
              }
              if (study.pulls()) {
                Arrays.stream(answer)
                    .filter(owner -> network.isReachable(peer, owner))
                    .forEach(owner -> network.pulled(peer, owner));
              }
            });
    return named;
  }

  private boolean isHonest(int peer) {
    return network.isUp(peer) && !tampering.lies(peer);
  }

  /** Compares the answers of the sampled honest peers with the nearest honest peers. */
  private CurvePoint judge(int round, int[][] named) {
    List<int[]> nearest = truth.nearest(this::isHonest, this::isHonest, study.wanted());
    double recall = 0;
    double coverage = 0;
    int judged = 0;
    for (int i = 0; i < truth.size(); i++) {
      int peer = truth.target(i);
      if (nearest.get(i).length > 0) {
        judged++;
        recall += share(nearest.get(i), named[peer]);
        coverage +=
            share(
                nearest.get(i),
                network.state(peer).entries().stream()
                    .limit(study.views().size())
                    .map(ViewEntry::peer)
                    .mapToInt(each -> (int) each.number())
                    .toArray());
      }
    }
    return new CurvePoint(
        round, recall / Math.max(1, judged), coverage / Math.max(1, judged), totalKilobytes);
  }

  private static double share(int[] wanted, int[] found) {
    int[] sorted = found.clone();
    Arrays.sort(sorted);
    return Arrays.stream(wanted).filter(each -> Arrays.binarySearch(sorted, each) >= 0).count()
        / (double) wanted.length;
  }

  private void report(CurvePoint point, int[][] named, int[] live) {
    int[] counts = new int[network.size()];
    int askers = 0;
    long all = 0;
    long down = 0;
    for (int[] answer : named) {
      askers += answer.length > 0 ? 1 : 0;
      for (int peer : answer) {
        all++;
        down += network.isUp(peer) ? 0 : 1;
        counts[peer]++;
      }
    }
    InDegree pulled = measures.inDegree(counts, askers);
    rounds.add(
        new RoundResult(
            point.round(),
            live.length,
            point.recall(),
            point.coverage(),
            down / (double) Math.max(1, all),
            messagesSinceReport / roundsSinceReport,
            kilobytesSinceReport / roundsSinceReport,
            totalKilobytes,
            pulled,
            measures.contactInDegree(),
            measures.isolated(),
            measures.connected(),
            study.liars().share() > 0 ? Optional.of(liars(named)) : Optional.empty()));
    messagesSinceReport = 0;
    kilobytesSinceReport = 0;
    roundsSinceReport = 0;
  }

  private LiarRound liars(int[][] named) {
    int[] ofHonest = new int[network.size()];
    int honest = 0;
    long all = 0;
    long toLiars = 0;
    for (int peer = 0; peer < named.length; peer++) {
      if (!isHonest(peer)) {
        continue;
      }
      honest++;
      for (int owner : named[peer]) {
        if (network.isReachable(peer, owner)) {
          all++;
          toLiars += tampering.lies(owner) ? 1 : 0;
          ofHonest[owner]++;
        }
      }
    }
    int most =
        IntStream.range(0, network.size())
            .filter(tampering::lies)
            .map(liar -> ofHonest[liar])
            .max()
            .orElse(0);
    return new LiarRound(toLiars / (double) Math.max(1, all), most / (double) Math.max(1, honest));
  }

  /** Searches from random honest peers for vectors that are no peer's model. */
  Optional<StrangerResult> searchStrangers() {
    int[] askers = Arrays.stream(measures.live()).filter(peer -> !tampering.lies(peer)).toArray();
    if (study.searches() == 0 || askers.length == 0) {
      return Optional.empty();
    }
    int[] targets = IntStream.range(0, study.searches()).map(i -> vectors.size() + i).toArray();
    NearestPeers strangers = new NearestPeers(vectors, targets);
    strangers.changed(script.draws());
    IntPredicate everyone = peer -> true;
    List<int[]> nearest = strangers.nearest(everyone, this::isHonest, study.wanted());
    RandomStream random = streams.stream(SEARCHES, -1, 0);
    long messages = network.messages();
    long bytes = network.bytes();
    double recall = 0;
    double asked = 0;
    for (int i = 0; i < targets.length; i++) {
      SearchFinished end =
          network.search(
              askers[random.nextInt(askers.length)],
              i,
              vectors.sketch(targets[i], 0, study.views().sketch()),
              study.wanted());
      recall +=
          share(
              nearest.get(i),
              end.candidates().stream()
                  .map(Candidate::peer)
                  .mapToInt(each -> (int) each.number())
                  .toArray());
      asked += end.asked();
    }
    double count = targets.length;
    return Optional.of(
        new StrangerResult(
            targets.length,
            recall / count,
            asked / count,
            (network.messages() - messages) / count,
            (network.bytes() - bytes) / BYTES_PER_KILOBYTE / count));
  }
}
