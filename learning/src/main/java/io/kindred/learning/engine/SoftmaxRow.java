package io.kindred.learning.engine;

/** Class scores; the output is the class probabilities and the loss the cross-entropy. */
final class SoftmaxRow implements ScoreRow {
  private final double[] exponentials;
  private double sum;
  private double largest;
  private float[] scores = {};
  private int offset;
  private int step;
  private int label;

  SoftmaxRow(int classes) {
    exponentials = new double[classes];
  }

  @Override
  public ScoreRow read(float[] from, int at, int every) {
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

  @Override
  public double loss(SampleRows rows, int row) {
    label = rows.label(row);
    return Math.log(sum) + largest - scores[offset + label * step];
  }

  private double probability(int c) {
    return exponentials[c] / sum;
  }

  @Override
  public double gradient(int output) {
    return probability(output) - (output == label ? 1 : 0);
  }

  @Override
  public void writeOutput(float[] into, int at) {
    for (int c = 0; c < exponentials.length; c++) {
      into[at + c] = (float) probability(c);
    }
  }
}
