package io.kindred.runtime.metrics;

import io.kindred.core.config.Catalogue;
import io.kindred.runtime.config.Experiment;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * summary.json, field by field; what does not apply is absent, never zero.
 *
 * @param extra means over peers of further measures and figures at the last round
 * @param overall measures over the test samples of all peers together
 */
public record RunSummary(
    int schemaVersion,
    String method,
    String dataset,
    String model,
    String partition,
    int peers,
    int rounds,
    long seed,
    Optional<String> traceHash,
    Optional<String> resultHash,
    double wallSeconds,
    Accuracy accuracy,
    SortedMap<String, Integer> roundsToTarget,
    Optional<ClusterMetrics> clusters,
    Optional<OverlayMetrics> overlay,
    TrafficMetrics traffic,
    Optional<RoundTime> virtualSeconds,
    Optional<ComputeCost> compute,
    Optional<ThreadTime> time,
    Optional<RadioMetrics> radio,
    Optional<SortedMap<String, Double>> hierarchy,
    Optional<HostileMetrics> adversaries,
    SortedMap<String, Double> metrics,
    Optional<SortedMap<String, Double>> extra,
    Optional<SortedMap<String, Double>> overall) {
  /**
   * Figures that a hierarchy of clusters reports in every round; the summary has their means over
   * rounds.
   */
  private static final List<String> HIERARCHY =
      List.of(
          "clusters",
          "theta",
          "thetaBefore",
          "roundTime",
          "roundTimeBefore",
          "clusterRounds",
          "featureSeconds",
          "featureBytes",
          "spentJoules",
          "spentJoulesMost",
          "clusterMismatch",
          "clusterMismatchMost",
          "clientMismatch",
          "clientMismatchMost",
          "descent");

  /** Which peers are hostile; all other figures are of honest peers. */
  public record HostileMetrics(String behaviour, List<Integer> peers) {
    static Optional<HostileMetrics> of(Experiment experiment) {
      List<Integer> hostile = List.copyOf(experiment.hostilePeers());
      return hostile.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new HostileMetrics(
                  Catalogue.nameOf(experiment.adversaries().behaviour().getClass()), hostile));
    }
  }

  /** Fractions of samples classified correctly. */
  public record Accuracy(LocalAccuracy local, Optional<GlobalAccuracy> global) {}

  /** Each peer on its own test samples; statistics over peers at the last round. */
  public record LocalAccuracy(
      @Nullable Double mean,
      @Nullable Double std,
      @Nullable Double p10,
      @Nullable Double best,
      @Nullable Double afterTraining) {}

  /** Every peer's model on the common test set. */
  public record GlobalAccuracy(double mean) {}

  /**
   * Totals sent by all peers and servers together.
   *
   * @param serverBytes bytes that the server has sent and received; absent without a server
   */
  public record TrafficMetrics(
      long modelBytes,
      long controlBytes,
      double modelsPulledPerPeerRound,
      Optional<Long> serverBytes) {}

  /**
   * Mean duration of a peer's round and of its parts; communication is the rest, which is waiting
   * for messages and their senders.
   */
  public record RoundTime(
      double round,
      double training,
      double communication,
      Optional<Double> search,
      Optional<Double> searchShare) {}

  /**
   * What a peer's round costs beside time and bytes.
   *
   * @param epochs how many times a peer's trainings go over all its samples, mean over rounds
   * @param modelsHeld the most weight vectors that one peer held at the end of a round: models,
   *     velocities, averages and received models
   */
  public record ComputeCost(double epochs, int modelsHeld) {}

  /** Wall seconds of all threads together. */
  public record ThreadTime(double training, double evaluation, double mixing, double other) {}

  /**
   * Costs of radio links.
   *
   * @param blocks transmissions of a block of a message, repetitions included
   * @param retries transmissions that were repeated
   * @param lost messages that were given up
   * @param airSeconds duration of all transmissions together
   * @param joules energy of all transmissions and of receiving them
   * @param joulesPerPeerRound the same per peer and round
   * @param selected mean number of neighbours that a target selects; only where any are left out
   */
  public record RadioMetrics(
      long blocks,
      long retries,
      long lost,
      double airSeconds,
      double joules,
      double joulesPerPeerRound,
      Optional<Double> selected) {}

  /**
   * Values that only a simulator has.
   *
   * @param traceHash the hash of all events
   * @param resultHash the hash of the metrics and of all deployed models
   * @param counts totals of all peers' counters, by name
   */
  public record Simulated(
      String traceHash,
      String resultHash,
      Optional<ClusterMetrics> clusters,
      Optional<OverlayMetrics> overlay,
      RoundTime virtualSeconds,
      Optional<ComputeCost> compute,
      ThreadTime time,
      Optional<RadioMetrics> radio,
      SortedMap<String, Double> counts) {}

  /** The summary of a run; a run of real nodes has no simulated values. */
  public static RunSummary of(
      Experiment experiment,
      RoundTable table,
      TrafficMetrics traffic,
      double wallSeconds,
      Optional<Simulated> simulated) {
    Optional<RoundTable.Row> last = table.last("final").or(() -> table.last("mixed"));
    return new RunSummary(
        1,
        Catalogue.nameOf(experiment.method().getClass()),
        Catalogue.nameOf(experiment.dataset().getClass()),
        Catalogue.nameOf(experiment.model().getClass()),
        Catalogue.nameOf(experiment.partition().getClass()),
        experiment.peers(),
        experiment.rounds(),
        experiment.seed(),
        simulated.map(Simulated::traceHash),
        simulated.map(Simulated::resultHash),
        wallSeconds,
        new Accuracy(local(table, last), global(last)),
        table.roundsToTargets(experiment.evaluation().targets()),
        simulated.flatMap(Simulated::clusters),
        simulated.flatMap(Simulated::overlay),
        traffic,
        simulated.map(Simulated::virtualSeconds),
        simulated.flatMap(Simulated::compute),
        simulated.map(Simulated::time),
        simulated.flatMap(Simulated::radio),
        simulated.map(_ -> table.meansOverRounds(HIERARCHY)).filter(means -> !means.isEmpty()),
        HostileMetrics.of(experiment),
        simulated.map(Simulated::counts).orElseGet(TreeMap::new),
        Optional.of(table.lastFigures()).filter(figures -> !figures.isEmpty()),
        Optional.of(table.overall().values()).filter(values -> !values.isEmpty()));
  }

  private static LocalAccuracy local(RoundTable table, Optional<RoundTable.Row> last) {
    return new LocalAccuracy(
        finite(last.map(RoundTable.Row::mean)),
        finite(last.map(RoundTable.Row::std)),
        finite(last.map(RoundTable.Row::p10)),
        finite(box(table.bestMean())),
        finite(table.last("trained").map(RoundTable.Row::mean)));
  }

  private static Optional<GlobalAccuracy> global(Optional<RoundTable.Row> last) {
    return last.map(RoundTable.Row::global).filter(Double::isFinite).map(GlobalAccuracy::new);
  }

  private static Optional<Double> box(OptionalDouble value) {
    return value.isPresent() ? Optional.of(value.getAsDouble()) : Optional.empty();
  }

  private static @Nullable Double finite(Optional<Double> value) {
    return value.filter(Double::isFinite).orElse(null);
  }
}
