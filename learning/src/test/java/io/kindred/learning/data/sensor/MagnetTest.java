package io.kindred.learning.data.sensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Features;
import io.kindred.learning.data.InMemoryDataFiles;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.Task;
import org.junit.jupiter.api.Test;

class MagnetTest {
  private static final RandomStreams STREAMS = new RandomStreams(3);

  private static Magnet magnet(int samples, double noise) {
    return new Magnet(samples, 10, 50, 100, 40, 140, noise);
  }

  private static double[] field(double x, double y, double z, double... magnet) {
    double[] field = new double[3];
    Magnet.field(x, y, z, magnet, field);
    return field;
  }

  @Test
  void theFieldIsThatOfADipole() {
    // The field on the axis is twice as strong as beside the magnet, and opposite to its direction
    // there.
    assertThat(field(0, 0, 0, 0, 0, 1, 0, 0, 1))
        .containsExactly(new double[] {0, 0, 2}, offset(1e-12));
    assertThat(field(0, 0, 0, 0, 0, 1, 1, 0, 0))
        .containsExactly(new double[] {-1, 0, 0}, offset(1e-12));
    assertThat(field(0, 0, 0, 0, 0, 2, 0, 0, 1)[2]).isEqualTo(0.25);
    // Central differences of the potential (d.r)/|r|^3, by numpy.
    assertThat(field(-0.75, 0.25, 0, 0.31, -0.42, 0.77, 0.6, 0, -0.8))
        .containsExactly(
            new double[] {-0.17907981115354055, -0.00582613739197324, 0.25775875311753216},
            offset(1e-8));
  }

  @Test
  void readingsAreTheFieldAtTheSensorsAndTargetsTheMagnet() {
    Dataset dataset = magnet(200, 0).load(STREAMS, DataFiles.NONE);
    assertThat(dataset.task()).isEqualTo(Task.REGRESSION);
    assertThat(dataset.outputs()).isEqualTo(6);
    assertThat(dataset.classes()).isEqualTo(8);
    float[] target = new float[6];
    Features targets = dataset.train().targets().orElseThrow();
    for (int i = 0; i < 200; i++) {
      targets.copy(i, target, 0);
      float[] readings = InMemoryDataFiles.sample(dataset.train(), i);
      double[] magnet = {target[0], target[1], target[2], target[3], target[4], target[5]};
      // Sensor 6 is the third of the second row: 25 mm to the right, 25 mm down.
      double[] expected = field(0.25, -0.25, 0, magnet);
      for (int axis = 0; axis < 3; axis++) {
        assertThat(readings[18 + axis])
            .isCloseTo(
                (float) expected[axis], offset(1e-4f * (1 + Math.abs((float) expected[axis]))));
      }
      assertThat(Math.abs(target[0])).isLessThanOrEqualTo(1);
      assertThat(target[2]).isBetween(0.4f, 1.4f);
      double length =
          target[3] * target[3] + target[4] * target[4] + (double) target[5] * target[5];
      assertThat(length).isCloseTo(1, offset(1e-6));
      assertThat(dataset.train().labels().get(i)).isEqualTo(Magnet.label(magnet));
    }
  }

  @Test
  void theEightLabelsAreQuadrantsAndHalvesAndComeAboutEquallyOften() {
    assertThat(Magnet.label(new double[] {1, 1, 1, 0, 0, 1})).isZero();
    assertThat(Magnet.label(new double[] {-1, -1, 1, 0, 0, -1})).isEqualTo(7);
    Samples samples = magnet(8000, 0).load(STREAMS, DataFiles.NONE).train();
    int[] counts = new int[8];
    for (int i = 0; i < samples.count(); i++) {
      counts[samples.labels().get(i)]++;
    }
    for (int count : counts) {
      // Four deviations of a binomial draw of 8000 with one in eight.
      assertThat(count).isBetween(1000 - 119, 1000 + 119);
    }
  }

  @Test
  void noiseHasTheDeviationAskedFor() {
    Samples quiet = magnet(300, 0).load(STREAMS, DataFiles.NONE).train();
    Samples noisy = magnet(300, 0.1).load(STREAMS, DataFiles.NONE).train();
    double squares = 0;
    for (int i = 0; i < 300; i++) {
      float[] one = InMemoryDataFiles.sample(quiet, i);
      float[] other = InMemoryDataFiles.sample(noisy, i);
      for (int j = 0; j < 48; j++) {
        squares += Math.pow(other[j] - one[j], 2);
      }
    }
    assertThat(Math.sqrt(squares / (300 * 48))).isCloseTo(0.1, offset(0.003));
  }

  @Test
  void errorsAreInMillimetresAndDegrees() {
    float[] target = {0, 0, 1, 0, 0, 1};
    assertThat(Magnet.millimetres(new float[] {0.03f, 0.04f, 1, 0, 0, 0}, target))
        .isCloseTo(5, offset(1e-5));
    assertThat(Magnet.degrees(new float[] {0, 0, 0, 0, 7, 7}, target)).isCloseTo(45, offset(1e-9));
    assertThat(Magnet.degrees(new float[] {0, 0, 0, 0, 0, -1}, target)).isEqualTo(180);
    assertThat(Magnet.degrees(new float[6], target)).isEqualTo(90);
  }

  @Test
  void aSpaceUpsideDownIsRefused() {
    assertThatThrownBy(() -> new Magnet(10, 10, 50, 100, 90, 40, 0))
        .isInstanceOf(SettingException.class);
  }
}
