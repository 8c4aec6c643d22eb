package io.kindred.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.Features;
import io.kindred.methods.contract.PeerFactory;
import io.kindred.runtime.config.Experiment;
import org.junit.jupiter.api.Test;

class DataSeedTest {
  @Test
  void runsWithOneDataSeedDivideTheSameSamplesAndStartFromOtherWeights() {
    PeerFactory first = factory("seed=7");
    PeerFactory second = factory("seed=8", "dataSeed=7");
    assertThat(pixels(second)).isEqualTo(pixels(first)).isNotEqualTo(pixels(factory("seed=8")));
    assertThat(second.datasets().splits()).isEqualTo(first.datasets().splits());
    assertThat(second.seed()).isEqualTo(8);
  }

  @Test
  void withoutADataSeedTheSeedDividesTheSamples() {
    assertThat(factory("seed=8").datasets().splits())
        .isNotEqualTo(factory("seed=7").datasets().splits())
        .isEqualTo(factory("seed=7", "dataSeed=8").datasets().splits());
  }

  private static PeerFactory factory(String... assignments) {
    Experiment experiment = SmallExperiment.with(assignments);
    return PeerAssembler.peerFactory(experiment, DataFiles.NONE);
  }

  private static float[] pixels(PeerFactory factory) {
    Features features = factory.datasets().dataset().train().features();
    float[] first = new float[features.width()];
    features.copy(0, first, 0);
    return first;
  }
}
