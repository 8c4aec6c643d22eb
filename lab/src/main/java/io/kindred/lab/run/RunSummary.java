package io.kindred.lab.run;

import io.kindred.core.random.RandomStreams;
import io.kindred.core.settings.Catalogue;
import io.kindred.lab.experiment.Experiment;
import io.kindred.simulator.Simulation;
import io.kindred.simulator.Traffic;
import io.kindred.world.RadioLinks;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** summary.json, field by field; what does not apply is absent, never zero. */
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
    double wallSeconds,
    Accuracy accuracy,
    SortedMap<String, Integer> roundsToTarget,
    Optional<ClusterFigures> clusters,
    Optional<OverlayFigures> overlay,
    TrafficFigures traffic,
    Optional<VirtualTime> virtualSeconds,
    Optional<ThreadTime> time,
    Optional<Radio> radio,
    Optional<SortedMap<String, Double>> hierarchy,
    SortedMap<String, Double> metrics,
    Optional<SortedMap<String, Double>> extra) {
  /** What a hierarchy of clusters reports of every round: means over rounds go into the summary. */
  private static final List<String> HIERARCHY =
      List.of(
          "clusters",
          "theta",
          "thetaBefore",
          "roundTime",
          "roundTimeBefore",
          "clusterRounds",
          "featureSeconds",
          "clusterMismatch",
          "clusterMismatchMost",
          "clientMismatch",
          "clientMismatchMost",
          "descent");

  /** Fractions of samples classified correctly. */
  public record Accuracy(Local local, Optional<Global> global) {}

  /** Each peer on its own test samples; statistics over peers at the last round. */
  public record Local(
      @Nullable Double mean,
      @Nullable Double std,
      @Nullable Double p10,
      @Nullable Double best,
      @Nullable Double afterTraining) {}

  /** Every peer's model on the common test set. */
  public record Global(double mean) {}

  /** Totals sent by everybody. */
  public record TrafficFigures(
      long modelBytes, long controlBytes, double modelsPulledPerPeerRound) {}

  /**
   * Mean length of a peer's round and what it spends it on; communication is what is left, waiting
   * for messages and for those who send them.
   */
  public record VirtualTime(
      double round,
      double training,
      double communication,
      Optional<Double> search,
      Optional<Double> searchShare) {
    private static VirtualTime of(Experiment experiment, Simulation simulation) {
      io.kindred.simulator.VirtualTime spent = simulation.spent();
      double n = Math.max(1, simulation.roundsGone());
      double round = spent.seconds() / n;
      if (experiment.method().pooledData()) {
        // One trains for all, and nobody sends anything.
        return new VirtualTime(round, round, 0, Optional.empty(), Optional.empty());
      }
      double training = spent.trainingSeconds() / n;
      double search = spent.searchSeconds() / n;
      double computing = spent.computingSeconds() / n;
      return new VirtualTime(
          round,
          training,
          Math.max(0, round - training - computing - search),
          search > 0 ? Optional.of(search) : Optional.empty(),
          search > 0 ? Optional.of(search / round) : Optional.empty());
    }
  }

  /** Wall seconds of all threads together. */
  public record ThreadTime(double training, double evaluation, double mixing, double other) {}

  /**
   * What radio links cost.
   *
   * @param retries transmissions that were repeated
   * @param lost messages that were given up
   * @param selected neighbours that a target selects, on the mean; only where any are left out
   */
  public record Radio(long retries, long lost, Optional<Double> selected) {
    static Optional<Radio> of(Experiment experiment, Simulation simulation) {
      if (!(experiment.network().links() instanceof RadioLinks links)) {
        return Optional.empty();
      }
      SortedMap<String, Long> counts = simulation.counts();
      return Optional.of(
          new Radio(
              counts.getOrDefault("link-retries", 0L),
              counts.getOrDefault("link-lost", 0L),
              links.epsilon() < 1
                  ? Optional.of(
                      links.selected(simulation.heard(), new RandomStreams(experiment.seed())))
                  : Optional.empty()));
    }
  }

  static RunSummary of(
      Experiment experiment,
      Simulation simulation,
      RoundTable table,
      Optional<ClusterFigures> clusters,
      SpentTime spent) {
    Optional<RoundTable.Row> last = table.last("final").or(() -> table.last("mixed"));
    Traffic traffic = simulation.traffic();
    Traffic.Totals totals = traffic.totals(simulation.tick());
    double pulled = 0;
    for (int peer = 0; peer < experiment.peers(); peer++) {
      pulled += traffic.account(peer).pulled();
    }
    double peerRounds = (double) experiment.peers() * experiment.rounds();
    SortedMap<String, Double> metrics = new TreeMap<>();
    simulation.counts().forEach((name, count) -> metrics.put(name, (double) count));
    return new RunSummary(
        1,
        Catalogue.nameOf(experiment.method().getClass()),
        Catalogue.nameOf(experiment.dataset().getClass()),
        Catalogue.nameOf(experiment.model().getClass()),
        Catalogue.nameOf(experiment.partition().getClass()),
        experiment.peers(),
        experiment.rounds(),
        experiment.seed(),
        Optional.of(simulation.traceHash().hex()),
        spent.wall(),
        new Accuracy(local(table, last), global(last)),
        table.roundsToTargets(experiment.evaluation().targets()),
        clusters,
        OverlayFigures.of(table.lastFigures(), simulation),
        new TrafficFigures(totals.modelBytes(), totals.controlBytes(), pulled / peerRounds),
        Optional.of(VirtualTime.of(experiment, simulation)),
        Optional.of(
            new ThreadTime(spent.training(), spent.evaluation(), spent.mixing(), spent.other())),
        Radio.of(experiment, simulation),
        Optional.of(table.meansOverRounds(HIERARCHY)).filter(means -> !means.isEmpty()),
        metrics,
        Optional.of(table.lastFigures()).filter(figures -> !figures.isEmpty()));
  }

  /** Of real nodes: what only a simulator knows is absent. */
  static RunSummary of(
      Experiment experiment, RoundTable table, TrafficFigures traffic, double wallSeconds) {
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
        Optional.empty(),
        wallSeconds,
        new Accuracy(local(table, last), global(last)),
        table.roundsToTargets(experiment.evaluation().targets()),
        Optional.empty(),
        Optional.empty(),
        traffic,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        new TreeMap<>(),
        Optional.of(table.lastFigures()).filter(figures -> !figures.isEmpty()));
  }

  private static Local local(RoundTable table, Optional<RoundTable.Row> last) {
    return new Local(
        finite(last.map(RoundTable.Row::mean)),
        finite(last.map(RoundTable.Row::std)),
        finite(last.map(RoundTable.Row::p10)),
        finite(box(table.bestMean())),
        finite(table.last("trained").map(RoundTable.Row::mean)));
  }

  private static Optional<Global> global(Optional<RoundTable.Row> last) {
    return last.map(RoundTable.Row::global).filter(Double::isFinite).map(Global::new);
  }

  private static Optional<Double> box(OptionalDouble value) {
    return value.isPresent() ? Optional.of(value.getAsDouble()) : Optional.empty();
  }

  private static @Nullable Double finite(Optional<Double> value) {
    return value.filter(Double::isFinite).orElse(null);
  }
}
