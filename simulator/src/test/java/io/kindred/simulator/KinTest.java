package io.kindred.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.compute.Predictor;
import io.kindred.core.peer.Observation;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Weights;
import io.kindred.methods.averaging.FedAvg;
import io.kindred.methods.baseline.Local;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.discovery.ExactDiscovery;
import io.kindred.methods.discovery.NeighbourDiscovery;
import io.kindred.methods.discovery.PeerDiscovery;
import io.kindred.methods.kin.Choice;
import io.kindred.methods.kin.ChoiceSettings;
import io.kindred.methods.kin.Kin;
import io.kindred.methods.kin.KinSettingsBuilder;
import io.kindred.methods.kin.MixSettings;
import io.kindred.methods.rounds.RoundSettings;
import io.kindred.runtime.ObservationListener.Observed;
import io.kindred.simulator.oracle.ExactSearch;
import io.kindred.simulator.oracle.SimilarityMethods;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs of kin whose result is known from other methods. */
class KinTest {
  private static final int PEERS = 4;
  private static final int ROUNDS = 4;
  private static final TimeoutPolicy TIMEOUT = TimeoutPolicy.of(60);

  private static KinSettingsBuilder deploying(Choice choice) {
    return KinSettingsBuilder.from(
            SimilarityMethods.kin(PEERS - 1, TIMEOUT, new NeighbourDiscovery()).settings())
        .average(0)
        .choice(
            new ChoiceSettings(ChoiceSettings.Decision.FIXED, choice, 0.05, 0.375, 3, 0.5, 0, 0));
  }

  private static Kin always(Choice choice) {
    return new Kin(deploying(choice).build());
  }

  /** Without guard, cap and age: the sample-weighted mean. */
  private static Kin mean() {
    return new Kin(deploying(Choice.SHARED).mix(new MixSettings(true, 0, 1, 0, 0, false)).build());
  }

  private static List<Weights> deployedBy(SmallSimulation.FinishedRun run) {
    return run.lastDeployed(ROUNDS).stream()
        .map(each -> ((Predictor.Single) each.predictor()).weights())
        .toList();
  }

  @Test
  void theLoneModelIsThatOfLocalTraining() {
    SmallSimulation simulation = SmallSimulation.of(PEERS, ROUNDS);
    assertThat(deployedBy(simulation.run(always(Choice.ALONE))))
        .containsExactlyInAnyOrderElementsOf(deployedBy(simulation.run(new Local())));
  }

  /** All peers pull from all, without guard, cap and age: the sample-weighted mean of all. */
  @Test
  void theSharedModelOfACompleteGraphIsThatOfFederatedAveraging() {
    SmallSimulation simulation = SmallSimulation.of(PEERS, ROUNDS);
    Weights average =
        deployedBy(simulation.run(new FedAvg(0, RoundSettings.of(TimeoutPolicy.of(600)))))
            .getFirst();
    List<Weights> shared = deployedBy(simulation.run(mean()));
    assertThat(shared).hasSize(PEERS);
    for (Weights each : shared) {
      for (int i = 0; i < each.size(); i++) {
        assertThat(each.get(i)).isEqualTo(average.get(i), within(1e-5f));
      }
    }
  }

  @Test
  void theGuardChangesTheMean() {
    SmallSimulation simulation = SmallSimulation.of(PEERS, ROUNDS);
    assertThat(deployedBy(simulation.run(always(Choice.SHARED))))
        .isNotEqualTo(deployedBy(simulation.run(mean())));
  }

  /** The shared models that peers trained, in the order of peers and rounds. */
  private static List<Weights> trainedBy(SmallSimulation.FinishedRun run) {
    return run.observed().stream()
        .filter(
            each ->
                each.observation() instanceof Observation.Deployed deployed
                    && deployed.stage() == Observation.Stage.TRAINED)
        .sorted(
            Comparator.comparing(Observed::peer)
                .thenComparingInt(each -> ((Observation.Deployed) each.observation()).round()))
        .map(each -> (Observation.Deployed) each.observation())
        .map(each -> ((Predictor.Single) each.predictor()).weights())
        .toList();
  }

  @Test
  void whatAPeerDeploysDoesNotChangeWhatItTrains() {
    SmallSimulation simulation = SmallSimulation.of(6, ROUNDS).withSeed(77);
    List<Weights> ensemble = trainedBy(simulation.run(always(Choice.ENSEMBLE)));
    assertThat(ensemble).hasSize(6 * ROUNDS);
    assertThat(trainedBy(simulation.run(always(Choice.SHARED)))).isEqualTo(ensemble);
    assertThat(trainedBy(simulation.run(always(Choice.PERSONAL)))).isEqualTo(ensemble);
  }

  static List<PeerDiscovery> discoveries() {
    return List.of(
        SimilarityMethods.views(),
        SimilarityMethods.overlay(),
        SimilarityMethods.exact(ExactDiscovery.Similarity.WEIGHTS),
        SimilarityMethods.random(),
        new NeighbourDiscovery());
  }

  @ParameterizedTest
  @MethodSource("discoveries")
  void everyDiscoveryLetsAllPeersFinishAndChoose(PeerDiscovery discovery) {
    SmallSimulation.FinishedRun run =
        SmallSimulation.of(8, 6)
            .run(
                SimilarityMethods.kin(3, TIMEOUT, discovery),
                new ExactSearch(new RandomStreams(1)));
    assertThat(run.lastDeployed(6)).hasSize(8);
    assertThat(
            run.observed().stream()
                .filter(
                    each ->
                        each.observation() instanceof Observation.Measured measured
                            && measured.name().equals("choice")
                            && measured.round() == 6))
        .hasSize(8);
  }
}
