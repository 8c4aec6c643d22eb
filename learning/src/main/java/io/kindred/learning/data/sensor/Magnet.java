package io.kindred.learning.data.sensor;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataSource;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.ErrorMetric;
import io.kindred.learning.data.FloatFeatures;
import io.kindred.learning.data.Samples;
import java.util.List;

/**
 * The magnet task of the hierarchical learning paper (section 5.1, figure 4, table 14), computed
 * from physics: 16 three-axis sensors in a square grid on the plane measure the field of a small
 * magnet above it, and the model predicts its position and direction. A small magnet is a dipole.
 * Its field at the offset r is (3 (d·r) r / |r|² - d) / |r|³ for the direction d, times a constant
 * that is one here: lengths are in units of 100 mm and fields in units of the field 100 mm beside
 * the magnet. Targets are x, y, z in units of 100 mm and the three components of the direction.
 *
 * <p>The paper divides the space into four regions and directions into two halves to have eight
 * labels for the partition; here the regions are the quadrants of the plane. The paper does not
 * give the sizes of grid and space, so they are settings.
 */
@Named(
    value = "magnet",
    summary =
        "position and direction of a magnet over 16 sensors: regression, 8 labels, no"
            + " download")
public record Magnet(
    @Setting(
            doc = "training samples, divided among the peers",
            fallback = "20000",
            min = 1,
            max = 5_000_000)
        int samples,
    @Setting(doc = "samples of the common test set", fallback = "2000", min = 1, max = 5_000_000)
        int testSamples,
    @Setting(doc = "millimetres between two sensors", fallback = "50", above = 0) double spacing,
    @Setting(
            doc = "largest distance of the magnet from the centre along x and y, in millimetres",
            fallback = "100",
            above = 0)
        double reach,
    @Setting(doc = "lowest height of the magnet in millimetres", fallback = "40", above = 0)
        double lowest,
    @Setting(doc = "greatest height of the magnet in millimetres", fallback = "140", above = 0)
        double highest,
    @Setting(
            doc =
                "standard deviation of the noise of a reading; 1 is the field 100 mm beside the"
                    + " magnet",
            fallback = "0",
            min = 0)
        double noise)
    implements DataSource {
  /** The targets' unit of length. */
  private static final double UNIT_MILLIMETRES = 100;

  private static final int GRID = 4;
  private static final int READINGS = 3 * GRID * GRID;
  private static final int NUMBERS = 6;
  private static final int LABELS = 8;

  public Magnet {
    if (highest < lowest) {
      throw new SettingException(
          "highest", highest + " mm is below the lowest height", "choose at least " + lowest);
    }
  }

  @Override
  public Dataset load(RandomStreams streams, DataFiles files) {
    return new Dataset(
        "magnet",
        List.of(READINGS),
        LABELS,
        draw(streams, samples, 0),
        draw(streams, testSamples, 1),
        List.of(
            new ErrorMetric("millimetres", Magnet::millimetres),
            new ErrorMetric("degrees", Magnet::degrees)));
  }

  private Samples draw(RandomStreams streams, int count, int part) {
    float[] readings = new float[count * READINGS];
    float[] numbers = new float[count * NUMBERS];
    int[] labels = new int[count];
    double[] field = new double[3];
    for (int i = 0; i < count; i++) {
      RandomStream random = streams.stream(Purpose.DATA, i, part);
      double[] magnet = magnet(random);
      for (int j = 0; j < NUMBERS; j++) {
        numbers[i * NUMBERS + j] = (float) magnet[j];
      }
      labels[i] = label(magnet);
      for (int sensor = 0; sensor < GRID * GRID; sensor++) {
        int row = sensor / GRID;
        field(sensorCoordinate(sensor % GRID), sensorCoordinate(row), 0, magnet, field);
        for (int axis = 0; axis < 3; axis++) {
          double disturbed = field[axis] + (noise > 0 ? noise * random.nextGaussian() : 0);
          readings[i * READINGS + 3 * sensor + axis] = (float) disturbed;
        }
      }
    }
    return new Samples(new FloatFeatures(readings, READINGS), Ints.wrap(labels))
        .withTargets(new FloatFeatures(numbers, NUMBERS));
  }

  /** The coordinate of a sensor of the grid along one side, with zero in the middle. */
  private double sensorCoordinate(int number) {
    return (number - 0.5 * (GRID - 1)) * spacing / UNIT_MILLIMETRES;
  }

  /** Draws position and direction of the magnet uniformly, the direction over the sphere. */
  private double[] magnet(RandomStream random) {
    double x = random.uniform(-reach, reach) / UNIT_MILLIMETRES;
    double y = random.uniform(-reach, reach) / UNIT_MILLIMETRES;
    double z = random.uniform(lowest, highest) / UNIT_MILLIMETRES;
    double up = random.uniform(-1, 1);
    double around = random.uniform(0, 2 * Math.PI);
    double aside = Math.sqrt(1 - up * up);
    return new double[] {
      x, y, z, aside * StrictMath.cos(around), aside * StrictMath.sin(around), up
    };
  }

  static int label(double[] magnet) {
    int quadrant = (magnet[0] < 0 ? 1 : 0) + (magnet[1] < 0 ? 2 : 0);
    return quadrant + (magnet[5] < 0 ? 4 : 0);
  }

  /** The field of the magnet at a point. */
  static void field(double x, double y, double z, double[] magnet, double[] into) {
    double rx = x - magnet[0];
    double ry = y - magnet[1];
    double rz = z - magnet[2];
    double square = rx * rx + ry * ry + rz * rz;
    double cube = square * Math.sqrt(square);
    double along = 3 * (magnet[3] * rx + magnet[4] * ry + magnet[5] * rz) / square;
    into[0] = (along * rx - magnet[3]) / cube;
    into[1] = (along * ry - magnet[4]) / cube;
    into[2] = (along * rz - magnet[5]) / cube;
  }

  /** The distance between the predicted and the true position. */
  static double millimetres(float[] output, float[] target) {
    return UNIT_MILLIMETRES * ErrorMetric.distance(output, target, 3);
  }

  /** The angle between the predicted direction, of any length, and the true one. */
  static double degrees(float[] output, float[] target) {
    double product = 0;
    double own = 0;
    double other = 0;
    for (int i = 3; i < NUMBERS; i++) {
      product += (double) output[i] * target[i];
      own += (double) output[i] * output[i];
      other += (double) target[i] * target[i];
    }
    double cosine = product / Math.sqrt(Math.max(own * other, Double.MIN_NORMAL));
    return Math.toDegrees(StrictMath.acos(Math.clamp(cosine, -1.0, 1.0)));
  }
}
