package io.kindred.learning.data.synthetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.InMemoryDataFiles;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.Task;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinearClustersTest {
  private static final RandomStreams STREAMS = new RandomStreams(5);

  private static float target(Samples samples, int sample) {
    float[] target = new float[1];
    samples.targets().orElseThrow().copy(sample, target, 0);
    return target[0];
  }

  @Test
  void parametersAreEqualOrZeroInEveryCoordinateAndHaveTheNorm() {
    List<double[]> planted = new LinearClusters(8, 8, 4, 200, 3, 0).parameters(STREAMS);
    assertThat(planted).hasSize(4);
    for (double[] theta : planted) {
      double norm = Math.sqrt(Arrays.stream(theta).map(each -> each * each).sum());
      assertThat(norm).isCloseTo(3, within(1e-12));
      double[] distinct = Arrays.stream(theta).distinct().sorted().toArray();
      assertThat(distinct).hasSize(2);
      assertThat(distinct[0]).isZero();
      // 200 fair draws: four deviations are 28 draws.
      assertThat(Arrays.stream(theta).filter(each -> each > 0).count()).isBetween(72L, 128L);
    }
  }

  /**
   * Three inputs have seven vectors that are not zero; asking for seven gives each of them once.
   */
  @Test
  void noTwoClustersShareTheirParameters() {
    List<double[]> planted = new LinearClusters(8, 8, 7, 3, 1, 0).parameters(STREAMS);
    assertThat(planted.stream().map(Arrays::toString).distinct()).hasSize(7);
    assertThatThrownBy(() -> new LinearClusters(8, 8, 8, 3, 1, 0))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("3 inputs have fewer than 8 different");
  }

  @Test
  void targetsAreTheInnerProductOfInputsAndParametersOfTheCluster() {
    LinearClusters source = new LinearClusters(60, 30, 3, 20, 2, 0);
    List<double[]> planted = source.parameters(STREAMS);
    Dataset dataset = source.load(STREAMS, DataFiles.NONE);
    assertThat(dataset.task()).isEqualTo(Task.REGRESSION);
    assertThat(dataset.outputs()).isEqualTo(1);
    for (Samples samples : List.of(dataset.train(), dataset.test())) {
      for (int i = 0; i < samples.count(); i++) {
        int cluster = samples.users().orElseThrow().of(i);
        assertThat(cluster).isEqualTo(samples.labels().get(i)).isEqualTo(i % 3);
        float[] inputs = InMemoryDataFiles.sample(samples, i);
        double product = 0;
        for (int j = 0; j < inputs.length; j++) {
          product += inputs[j] * planted.get(cluster)[j];
        }
        assertThat((double) target(samples, i)).isCloseTo(product, within(1e-5));
      }
    }
  }

  @Test
  void noiseHasTheDeviationAndInputsAreStandardNormal() {
    Dataset exact = new LinearClusters(4000, 10, 2, 10, 1, 0).load(STREAMS, DataFiles.NONE);
    Dataset noisy = new LinearClusters(4000, 10, 2, 10, 1, 0.5).load(STREAMS, DataFiles.NONE);
    double squares = 0;
    double inputs = 0;
    for (int i = 0; i < 4000; i++) {
      double apart = target(noisy.train(), i) - target(exact.train(), i);
      squares += apart * apart;
      for (float input : InMemoryDataFiles.sample(noisy.train(), i)) {
        inputs += input * input;
      }
    }
    // The deviation of a variance over n draws is the variance times the root of 2 / n.
    assertThat(squares / 4000).isCloseTo(0.25, within(0.25 * 4 * Math.sqrt(2.0 / 4000)));
    assertThat(inputs / 40_000).isCloseTo(1, within(4 * Math.sqrt(2.0 / 40_000)));
  }

  @Test
  void theSeedDecidesTheData() {
    LinearClusters source = new LinearClusters(20, 10, 2, 30, 1, 0.1);
    float[] first = InMemoryDataFiles.sample(source.load(STREAMS, DataFiles.NONE).train(), 7);
    assertThat(InMemoryDataFiles.sample(source.load(STREAMS, DataFiles.NONE).train(), 7))
        .isEqualTo(first);
    assertThat(
            InMemoryDataFiles.sample(source.load(new RandomStreams(6), DataFiles.NONE).train(), 7))
        .isNotEqualTo(first);
  }

  @Test
  void moreInputsThanAnArrayHoldsAreRefused() {
    assertThatThrownBy(() -> new LinearClusters(5_000_000, 10, 2, 1000, 1, 0))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("5000000000 inputs do not fit");
  }
}
