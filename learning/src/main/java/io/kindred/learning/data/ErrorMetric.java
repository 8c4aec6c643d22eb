package io.kindred.learning.data;

/**
 * How far an answer of numbers is from what was asked for, under a name that says in what.
 *
 * @param name the unit, in one word
 */
public record ErrorMetric(String name, Measure measure) {
  /** Over all numbers together, in whatever they are counted. */
  public static final ErrorMetric DISTANCE =
      new ErrorMetric("distance", (answer, target) -> distance(answer, target, target.length));

  /** What is measured between the numbers of one sample. */
  @FunctionalInterface
  public interface Measure {
    double between(float[] answer, float[] target);
  }

  /** The straight line between the first so many numbers. */
  public static double distance(float[] answer, float[] target, int numbers) {
    double squares = 0;
    for (int i = 0; i < numbers; i++) {
      double apart = (double) answer[i] - target[i];
      squares += apart * apart;
    }
    return Math.sqrt(squares);
  }
}
