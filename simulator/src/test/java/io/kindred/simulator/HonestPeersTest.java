package io.kindred.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.Observation;
import io.kindred.environment.churn.SteadyChurn;
import io.kindred.environment.fault.Faults;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.discovery.ViewDiscovery;
import io.kindred.methods.pull.SemanticDfl;
import io.kindred.protocol.discovery.ViewSettings;
import io.kindred.protocol.discovery.ViewSettingsBuilder;
import io.kindred.simulator.oracle.SimilarityMethods;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that lose their state train rounds again, with other weights than before. */
class HonestPeersTest {
  private static final Faults FORGETFUL =
      Faults.builder().loss(0.05).delay(0.2).crashes(0.3).forgetful(0.9).build();

  /** A sketch of the advertised model itself has the cosine 1. */
  private static final ViewSettings STRICT =
      ViewSettingsBuilder.from(SimilarityMethods.views().views()).agreement(0.9999).build();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void noPeerIsAccusedOfAFalseSketch(long seed) {
    SemanticDfl method =
        new SemanticDfl(
            SimilarityMethods.pulling(2, new TimeoutPolicy(5, 3, 1), 1), new ViewDiscovery(STRICT));
    SmallSimulation.FinishedRun run =
        SmallSimulation.of(10, 12)
            .withSeed(seed)
            .with(FORGETFUL)
            .with(new SteadyChurn(0.2, 0.5, 0.3))
            .run(method);
    assertThat(run.observed())
        .extracting(each -> each.observation())
        .noneMatch(Observation.Contradicted.class::isInstance)
        .doesNotContain(new Observation.Counted("false-sketch-relay"));
  }
}
