package io.kindred.learning.engine;

/**
 * Regression scores; the output is the scores themselves and the loss the mean of their squared
 * errors.
 */
final class SquaredErrorRow implements ScoreRow {
  private final float[] targets;
  private float[] scores = {};
  private int offset;
  private int step;

  SquaredErrorRow(int outputs) {
    targets = new float[outputs];
  }

  @Override
  public ScoreRow read(float[] from, int at, int every) {
    scores = from;
    offset = at;
    step = every;
    return this;
  }

  private double error(int output) {
    return (double) scores[offset + output * step] - targets[output];
  }

  @Override
  public double loss(SampleRows rows, int row) {
    rows.copyTargets(row, targets, 0);
    double sum = 0;
    for (int output = 0; output < targets.length; output++) {
      sum += error(output) * error(output);
    }
    return sum / targets.length;
  }

  @Override
  public double gradient(int output) {
    return 2 * error(output) / targets.length;
  }

  @Override
  public void writeOutput(float[] into, int at) {
    for (int output = 0; output < targets.length; output++) {
      into[at + output] = scores[offset + output * step];
    }
  }
}
