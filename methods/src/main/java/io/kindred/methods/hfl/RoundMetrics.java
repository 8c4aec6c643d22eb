package io.kindred.methods.hfl;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Ticks;
import io.kindred.methods.hfl.FormClusters.ClusterPlan;
import io.kindred.methods.hfl.FormClusters.FormedClusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The metrics that the coordinator reports of a round. */
final class RoundMetrics {
  private final int round;
  private final List<Effect> effects = new ArrayList<>();

  private RoundMetrics(int round) {
    this.round = round;
  }

  private void measure(String name, double value) {
    effects.add(new Effect.Observe(new Observation.Measured(round, name, value)));
  }

  /** The clusters of a round, as means over all of them. */
  static List<Effect> ofClusters(
      int round,
      FormedClusters formed,
      long featureTicks,
      Optional<GradientMismatch> lastMismatch) {
    RoundMetrics metrics = new RoundMetrics(round);
    List<ClusterPlan> plans = formed.plans();
    int count = plans.size();
    metrics.measure("featureBytes", (double) formed.totals().featureBytes());
    metrics.measure("spentJoules", formed.totals().spentJoules());
    metrics.measure("spentJoulesMost", formed.totals().spentJoulesMost());
    metrics.measure("featureSeconds", Ticks.toSeconds(featureTicks));
    metrics.measure("clusters", count);
    metrics.measure("theta", plans.stream().mapToDouble(ClusterPlan::angle).sum() / count);
    metrics.measure("thetaBefore", formed.angleBefore());
    metrics.measure("roundTime", plans.stream().mapToDouble(ClusterPlan::seconds).sum() / count);
    metrics.measure("roundTimeBefore", formed.secondsBefore());
    metrics.measure(
        "clusterRounds", plans.stream().mapToInt(ClusterPlan::rounds).sum() / (double) count);
    formed
        .mismatch()
        .ifPresent(
            now -> {
              metrics.measure("clusterMismatch", now.clusterGlobal());
              metrics.measure("clusterMismatchMost", now.clusterGlobalMax());
              metrics.measure("clientMismatch", now.clientCluster());
              metrics.measure("clientMismatchMost", now.clientClusterMax());
              lastMismatch.ifPresent(
                  before ->
                      metrics.measure(
                          "descent", 2 / before.weight() * (before.loss() - now.loss())));
            });
    return metrics.effects;
  }
}
