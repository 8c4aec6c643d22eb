package io.kindred.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.DataFiles;
import io.kindred.runtime.SmallExperiment;
import io.kindred.runtime.Workers;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.simulator.Simulation;
import io.kindred.simulator.SimulationBuilder;
import io.kindred.simulator.StepListener;
import io.kindred.simulator.oracle.ExactSearch;
import io.kindred.storage.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Whole runs of methods in rounds, whose peers find their partners by a discovery. */
class PartnerRunsTest {
  private static final int ROUNDS = 8;

  @TempDir private Path home;

  /** Twenty peers in four clusters; a random partner is in the own cluster in 4 of 19 cases. */
  private static Experiment clustered(String method) {
    return SmallExperiment.parse(
        """
        dataset: {name: glyphs, samples: 1600, testSamples: 60}
        model: softmax
        partition: rotation-clusters
        topology: {name: k-regular, degree: 4}
        peers: 20
        rounds: %d
        training: {batch: 16}
        method: %s
        """
            .formatted(ROUNDS, method));
  }

  private static String dpfl(String discovery) {
    return "{name: dpfl, selectOn: train, budget: 3, k: 3, discovery: " + discovery + "}";
  }

  /** The share of the partners in the last four rounds that are in the cluster of the peer. */
  private static double inOwnCluster(Experiment experiment) {
    SimulationBuilder builder = ExperimentAssembler.of(experiment, DataFiles.NONE);
    List<Ints> clusters = builder.peerDatasets().transformation().orElseThrow().testQuarterTurns();
    List<Boolean> own = new ArrayList<>();
    Simulation simulation =
        new Simulation(
            builder.build(),
            new Workers(Runnable::run, builder.trainers(experiment.engine()), () -> 0),
            observed -> {
              if (observed.observation() instanceof Observation.SearchCompleted found
                  && found.round() > ROUNDS - 4) {
                for (PeerId each : found.peers()) {
                  own.add(
                      clusters
                          .get((int) each.number())
                          .equals(clusters.get((int) observed.peer().number())));
                }
              }
            },
            new ExactSearch(new RandomStreams(experiment.seed())),
            StepListener.NONE);
    while (simulation.step()) {
      // Until no event is left.
    }
    assertThat(own).hasSizeGreaterThan(100);
    return own.stream().mapToInt(each -> each ? 1 : 0).average().orElseThrow();
  }

  @Test
  void similarPeersAreFoundInTheOwnCluster() {
    double exact = inOwnCluster(clustered(dpfl("{name: exact, comparedBy: weights}")));
    double views = inOwnCluster(clustered(dpfl("views")));
    double random = inOwnCluster(clustered(dpfl("random")));
    assertThat(exact).isGreaterThanOrEqualTo(views).isGreaterThan(0.9);
    assertThat(views).isGreaterThan(2 * random);
    assertThat(random).isBetween(0.1, 0.35);
  }

  private static Experiment withChurnAndLoss(String method) {
    return SmallExperiment.parse(
        """
        dataset: {name: glyphs, samples: 600, testSamples: 60}
        model: softmax
        partition: {name: dirichlet, alpha: 0.5, minimum: 20}
        topology: {name: k-regular, degree: 4}
        peers: 10
        rounds: 6
        training: {batch: 16}
        workers: 2
        churn: {name: steady, rate: 0.1}
        faults: {loss: 0.1, crashes: 0.1, forgetful: 0.3}
        network: {roundSeconds: 2, devices: {name: alike, operationsPerSecond: 1e6}}
        method: %s
        """
            .formatted(method));
  }

  private static String partnered(String name, String discovery) {
    return "{name: %s, k: 3, timeout: {seconds: 20, factor: 3, minSeconds: 2}, staleness: 1, discovery: %s}"
        .formatted(name, discovery);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          dpfl   | views
          dpfl   | {name: overlay, maintenance: {leaseSeconds: 2}}
          pfedwn | views
          pfedwn | exact
          pfedwn | random
          """)
  void withChurnAndLossTheSameSeedGivesTheSameResults(String name, String discovery) {
    Experiment experiment = withChurnAndLoss(partnered(name, discovery));
    SmallRuns.Results first = SmallRuns.runUninterrupted(experiment, home.resolve("first"));
    assertThat(SmallRuns.runUninterrupted(experiment.withWorkers(1), home.resolve("again")))
        .isEqualTo(first);
    assertThat(first.summary()).as("losses happen").contains("\"send-failed\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dpfl", "pfedwn"})
  void stoppedAnywhereAndResumedEqualsUninterrupted(String name) {
    Experiment experiment = withChurnAndLoss(partnered(name, "views"));
    SmallRuns.Results whole = SmallRuns.runUninterrupted(experiment, home.resolve("whole"));
    for (int deployments : new int[] {1, 7, 18, 41}) {
      Path folder = home.resolve("stopped-" + deployments);
      assertThat(SmallRuns.runUntilStopped(deployments, experiment, folder))
          .isEqualTo(Run.Outcome.STOPPED);
      assertThat(SmallRuns.runToEnd(experiment, folder))
          .as("stopped after %d deployments", deployments)
          .isEqualTo(whole);
    }
  }

  @Test
  void theSearchesOfARunAreReported() {
    Path folder = home.resolve("run");
    SmallRuns.runUninterrupted(clustered(dpfl("views")), folder);
    JsonNode metrics =
        Json.tree(RunFolder.readText(new RunFolder(folder).summary())).get("overlay");
    assertThat(metrics.get("recallAtKFull").asDouble()).isGreaterThan(0.5);
    assertThat(metrics.get("messagesPerQuery").asDouble()).isBetween(1.0, 20.0);
  }
}
