package io.kindred.learning.engine;

import io.kindred.learning.model.Architecture;
import io.kindred.learning.model.LayerShape;

/**
 * The same networks once more, in double precision and as plainly as can be: what gradients and
 * optima are measured against.
 */
final class DoubleNetwork {
  private final Architecture architecture;

  DoubleNetwork(Architecture architecture) {
    this.architecture = architecture;
  }

  double[] scores(double[] weights, double[] input) {
    double[] signal = input;
    int at = 0;
    for (LayerShape layer : architecture.layers()) {
      switch (layer) {
        case LayerShape.Dense dense -> {
          double[] next = new double[dense.outputs()];
          for (int o = 0; o < dense.outputs(); o++) {
            next[o] = weights[at + dense.outputs() * dense.inputs() + o];
            for (int i = 0; i < dense.inputs(); i++) {
              next[o] += weights[at + o * dense.inputs() + i] * signal[i];
            }
          }
          at += dense.outputs() * (dense.inputs() + 1);
          signal = next;
        }
        case LayerShape.Relu() -> {
          signal = signal.clone();
          for (int i = 0; i < signal.length; i++) {
            signal[i] = signal[i] > 0 ? signal[i] : 0;
          }
        }
        default -> throw new IllegalArgumentException("not a dense network: " + layer);
      }
    }
    return signal;
  }

  double sampleLoss(double[] weights, double[] input, int label) {
    double[] scores = scores(weights, input);
    double sum = 0;
    for (double score : scores) {
      sum += Math.exp(score - scores[label]);
    }
    return Math.log(sum);
  }

  /** The weighted mean loss over all rows. */
  double loss(double[] weights, Rows rows) {
    double sum = 0;
    double weightSum = 0;
    float[] floats = new float[architecture.inputs()];
    for (int row = 0; row < rows.count(); row++) {
      rows.copyFeatures(row, floats, 0);
      sum += rows.weight(row) * sampleLoss(weights, widen(floats), rows.label(row));
      weightSum += rows.weight(row);
    }
    return sum / weightSum;
  }

  /** Central differences of the loss, weight by weight. */
  double[] slope(double[] weights, Rows rows) {
    double step = 1e-6;
    double[] slope = new double[weights.length];
    for (int i = 0; i < weights.length; i++) {
      double[] moved = weights.clone();
      moved[i] = weights[i] + step;
      double above = loss(moved, rows);
      moved[i] = weights[i] - step;
      slope[i] = (above - loss(moved, rows)) / (2 * step);
    }
    return slope;
  }

  static double[] widen(float[] values) {
    double[] wide = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      wide[i] = values[i];
    }
    return wide;
  }
}
