package io.kindred.learning.data;

/**
 * The error of a regression output against its target.
 *
 * @param name the unit, in one word
 */
public record ErrorMetric(String name, Measure measure) {
  /** The distance over all target values together, in the unit of the targets. */
  public static final ErrorMetric DISTANCE =
      new ErrorMetric("distance", (output, target) -> distance(output, target, target.length));

  /** The error between output and target of one sample. */
  @FunctionalInterface
  public interface Measure {
    double between(float[] output, float[] target);
  }

  /** The Euclidean distance over the first {@code numbers} values. */
  public static double distance(float[] output, float[] target, int numbers) {
    double squares = 0;
    for (int i = 0; i < numbers; i++) {
      double apart = (double) output[i] - target[i];
      squares += apart * apart;
    }
    return Math.sqrt(squares);
  }
}
