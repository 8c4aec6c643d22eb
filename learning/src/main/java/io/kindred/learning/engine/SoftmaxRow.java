package io.kindred.learning.engine;

/**
 * Softmax of one row of scores, in doubles and with scalar functions only: their bits are stable.
 */
public final class SoftmaxRow {
  private final double[] exponentials;
  private double sum;
  private double largest;
  private float[] scores = {};
  private int offset;
  private int step;

  public SoftmaxRow(int classes) {
    exponentials = new double[classes];
  }

  /** Reads a row where it stands; valid until the scores change. */
  public SoftmaxRow of(float[] from, int at) {
    return of(from, at, 1);
  }

  /** The scores lie {@code every} places apart from {@code at} on. */
  SoftmaxRow of(float[] from, int at, int every) {
    scores = from;
    offset = at;
    step = every;
    largest = Double.NEGATIVE_INFINITY;
    for (int c = 0; c < exponentials.length; c++) {
      largest = Math.max(largest, scores[offset + c * step]);
    }
    sum = 0;
    for (int c = 0; c < exponentials.length; c++) {
      exponentials[c] = Math.exp(scores[offset + c * step] - largest);
      sum += exponentials[c];
    }
    return this;
  }

  public double loss(int label) {
    return Math.log(sum) + largest - scores[offset + label * step];
  }

  public double probability(int label) {
    return exponentials[label] / sum;
  }

  public void probabilities(float[] into, int at) {
    for (int c = 0; c < exponentials.length; c++) {
      into[at + c] = (float) probability(c);
    }
  }
}
