package io.kindred.experiment;

import io.kindred.core.peer.Ticks;
import io.kindred.core.weights.Digest;
import io.kindred.environment.link.RadioBlocks;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.metrics.ClusterMetrics;
import io.kindred.runtime.metrics.OverlayMetrics;
import io.kindred.runtime.metrics.Recorder;
import io.kindred.runtime.metrics.RoundTable;
import io.kindred.runtime.metrics.RunSummary;
import io.kindred.runtime.metrics.TrafficTotals;
import io.kindred.simulator.Simulation;
import io.kindred.simulator.state.TimeBreakdown;
import io.kindred.simulator.state.Traffic;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Summarizes a finished simulation: the metrics of every run, and those that only a simulator has.
 */
final class SimulationSummary {
  private final Experiment experiment;
  private final Simulation simulation;

  SimulationSummary(Experiment experiment, Simulation simulation) {
    this.experiment = experiment;
    this.simulation = simulation;
  }

  RunSummary of(
      RoundTable table, Optional<ClusterMetrics> clusters, Digest resultHash, SpentTime spent) {
    SortedMap<String, Double> counts = new TreeMap<>();
    simulation.counts().forEach((name, count) -> counts.put(name, (double) count));
    return RunSummary.of(
        experiment,
        table,
        traffic(),
        spent.wall(),
        Optional.of(
            new RunSummary.Simulated(
                simulation.traceHash().hex(),
                resultHash.hex(),
                clusters,
                overlay(table.lastFigures()),
                virtualTime(),
                compute(),
                new RunSummary.ThreadTime(
                    spent.training(), spent.evaluation(), spent.mixing(), spent.other()),
                radio(),
                counts)));
  }

  private RunSummary.TrafficMetrics traffic() {
    Traffic traffic = simulation.traffic();
    TrafficTotals totals = traffic.totals(simulation.tick());
    double pulled = 0;
    for (int peer = 0; peer < experiment.peers(); peer++) {
      pulled += traffic.account(peer).modelsReceived();
    }
    double peerRounds = (double) experiment.peers() * experiment.rounds();
    return new RunSummary.TrafficMetrics(
        totals.modelBytes(), totals.controlBytes(), pulled / peerRounds, serverBytes(traffic));
  }

  private Optional<Long> serverBytes(Traffic traffic) {
    if (!experiment.method().hasServer()) {
      return Optional.empty();
    }
    Traffic.Account server = traffic.account(experiment.peers());
    return Optional.of(
        server.sentModel()
            + server.sentControl()
            + server.receivedModel()
            + server.receivedControl());
  }

  private RunSummary.RoundTime virtualTime() {
    TimeBreakdown spent = simulation.timeBreakdown();
    double n = Math.max(1, simulation.totalFinishedRounds());
    double round = spent.seconds() / n;
    if (experiment.method().pooledData()) {
      // One peer trains on the pooled data, and no peer sends anything.
      return new RunSummary.RoundTime(round, round, 0, Optional.empty(), Optional.empty());
    }
    double training = spent.trainingSeconds() / n;
    double search = spent.searchSeconds() / n;
    double computing = spent.computingSeconds() / n;
    return new RunSummary.RoundTime(
        round,
        training,
        Math.max(0, round - training - computing - search),
        search > 0 ? Optional.of(search) : Optional.empty(),
        search > 0 ? Optional.of(search / round) : Optional.empty());
  }

  /** Empty if no peer trains data of its own. */
  private Optional<RunSummary.ComputeCost> compute() {
    if (experiment.method().pooledData()) {
      return Optional.empty();
    }
    TimeBreakdown spent = simulation.timeBreakdown();
    return Optional.of(
        new RunSummary.ComputeCost(
            spent.epochs() / Math.max(1, simulation.totalFinishedRounds()), spent.models()));
  }

  private Optional<RunSummary.RadioMetrics> radio() {
    return simulation.radio().map(this::radio);
  }

  private RunSummary.RadioMetrics radio(RadioBlocks radioBlocks) {
    SortedMap<String, Long> counts = simulation.counts();
    Traffic traffic = simulation.traffic();
    long sending = 0;
    long receiving = 0;
    for (int peer = 0; peer < experiment.peers(); peer++) {
      sending += traffic.account(peer).sendingTicks();
      receiving += traffic.account(peer).receivingTicks();
    }
    double joules = radioBlocks.joules(sending, receiving);
    OptionalDouble selected = radioBlocks.meanSelectedNeighbours(simulation.initialGraph());
    return new RunSummary.RadioMetrics(
        counts.getOrDefault("link-blocks", 0L),
        counts.getOrDefault("link-retries", 0L),
        counts.getOrDefault("link-lost", 0L),
        Ticks.toSeconds(sending),
        joules,
        joules / ((double) experiment.peers() * experiment.rounds()),
        selected.isPresent() ? Optional.of(selected.getAsDouble()) : Optional.empty());
  }

  /** Metrics of the overlay's searches; empty if no peer searched. */
  private Optional<OverlayMetrics> overlay(SortedMap<String, Double> last) {
    Traffic.Searches searches = simulation.traffic().searches();
    if (searches.queries() == 0) {
      return Optional.empty();
    }
    Set<ClusterId> clusters =
        OverlayHierarchy.newestReplicas(OverlayHierarchy.overlayStates(simulation.globalView()))
            .keySet();
    SortedSet<ZoneId> zones = new TreeSet<>();
    clusters.stream().filter(each -> each.level() == 1).forEach(each -> zones.add(each.zone()));
    boolean built = !clusters.isEmpty();
    // Views have no clusters, but cost messages.
    boolean sent = built || searches.messages() > 0;
    return Optional.of(
        new OverlayMetrics(
            Optional.ofNullable(last.get(Recorder.RECALL)),
            Optional.ofNullable(last.get(Recorder.FULL_RECALL)),
            only(built, clusters.stream().mapToInt(ClusterId::level).max().orElse(0)),
            only(built, zones.size()),
            only(built, clusters.size()),
            only(sent, (double) searches.messages() / searches.queries()),
            only(sent, (double) searches.bytes() / searches.queries())));
  }

  private static <T> Optional<T> only(boolean known, T value) {
    return known ? Optional.of(value) : Optional.empty();
  }
}
