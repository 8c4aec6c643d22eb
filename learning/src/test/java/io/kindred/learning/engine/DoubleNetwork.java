package io.kindred.learning.engine;

import io.kindred.learning.model.Architecture;
import io.kindred.learning.model.LayerShape;
import io.kindred.learning.model.Volume;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * The same networks once more, in double precision and as plainly as can be: what gradients and
 * optima are measured against. Batches are normalized as in training; nothing is dropped.
 */
final class DoubleNetwork {
  private final Architecture architecture;

  DoubleNetwork(Architecture architecture) {
    this.architecture = architecture;
  }

  double[][] scores(double[] weights, double[][] inputs) {
    double[][] signals = inputs.clone();
    int at = 0;
    for (LayerShape layer : architecture.layers()) {
      if (layer instanceof LayerShape.BatchNorm norm) {
        normalize(norm, weights, at, signals);
      } else {
        for (int s = 0; s < signals.length; s++) {
          signals[s] = pass(layer, weights, at, signals[s]);
        }
      }
      at += new Architecture(List.of(layer), 0, 0).layout().size();
    }
    return signals;
  }

  private static double[] pass(LayerShape layer, double[] weights, int at, double[] signal) {
    return switch (layer) {
      case LayerShape.Dense dense -> dense(dense, weights, at, signal);
      case LayerShape.Convolution filter -> convolve(filter, weights, at, signal);
      case LayerShape.MaxPool pool -> pool(pool, signal);
      case LayerShape.AveragePool(Volume input) -> average(input, signal);
      case LayerShape.Relu() -> map(signal, value -> value > 0 ? value : 0);
      case LayerShape.CubeRoot() -> map(signal, Math::cbrt);
      default -> throw new IllegalArgumentException("no such layer here: " + layer);
    };
  }

  private static double[] map(double[] signal, DoubleUnaryOperator each) {
    double[] next = signal.clone();
    Arrays.setAll(next, i -> each.applyAsDouble(signal[i]));
    return next;
  }

  private static double[] dense(LayerShape.Dense dense, double[] weights, int at, double[] signal) {
    double[] next = new double[dense.outputs()];
    for (int o = 0; o < dense.outputs(); o++) {
      next[o] = weights[at + dense.outputs() * dense.inputs() + o];
      for (int i = 0; i < dense.inputs(); i++) {
        next[o] += weights[at + o * dense.inputs() + i] * signal[i];
      }
    }
    return next;
  }

  private static double[] convolve(
      LayerShape.Convolution filter, double[] weights, int at, double[] signal) {
    Volume in = filter.input();
    Volume to = filter.output();
    double[] next = new double[to.size()];
    for (int o = 0; o < next.length; o++) {
      int f = o / to.area();
      next[o] = filter.bias() ? weights[at + filter.filters() * filter.fanIn() + f] : 0;
      for (int k = 0; k < filter.fanIn(); k++) {
        int size = filter.kernel();
        int y = o % to.area() / to.width() * filter.stride() + k / size % size - filter.padding();
        int x = o % to.width() * filter.stride() + k % size - filter.padding();
        if (y >= 0 && y < in.height() && x >= 0 && x < in.width()) {
          int channel = k / (size * size);
          next[o] +=
              weights[at + f * filter.fanIn() + k]
                  * signal[channel * in.area() + y * in.width() + x];
        }
      }
    }
    return next;
  }

  private static double[] pool(LayerShape.MaxPool pool, double[] signal) {
    Volume in = pool.input();
    Volume to = pool.output();
    double[] next = new double[to.size()];
    for (int o = 0; o < next.length; o++) {
      next[o] = Double.NEGATIVE_INFINITY;
      for (int k = 0; k < pool.window() * pool.window(); k++) {
        int y = o % to.area() / to.width() * pool.stride() + k / pool.window() - pool.padding();
        int x = o % to.width() * pool.stride() + k % pool.window() - pool.padding();
        if (y >= 0 && y < in.height() && x >= 0 && x < in.width()) {
          int channel = o / to.area();
          next[o] = Math.max(next[o], signal[channel * in.area() + y * in.width() + x]);
        }
      }
    }
    return next;
  }

  private static double[] average(Volume in, double[] signal) {
    double[] next = new double[in.channels()];
    for (int i = 0; i < signal.length; i++) {
      next[i / in.area()] += signal[i] / in.area();
    }
    return next;
  }

  private static void normalize(
      LayerShape.BatchNorm norm, double[] weights, int at, double[][] signals) {
    for (int s = 0; s < signals.length; s++) {
      signals[s] = signals[s].clone();
    }
    double count = (double) signals.length * norm.area();
    for (int c = 0; c < norm.channels(); c++) {
      double mean = 0;
      double square = 0;
      for (double[] signal : signals) {
        for (int p = c * norm.area(); p < (c + 1) * norm.area(); p++) {
          mean += signal[p] / count;
          square += signal[p] * signal[p] / count;
        }
      }
      double deviation = Math.sqrt(square - mean * mean + LayerShape.BatchNorm.EPSILON);
      double scale = weights[at + c] / deviation;
      double shift = weights[at + norm.channels() + c];
      for (double[] signal : signals) {
        for (int p = c * norm.area(); p < (c + 1) * norm.area(); p++) {
          signal[p] = (signal[p] - mean) * scale + shift;
        }
      }
    }
  }

  double sampleLoss(double[] weights, double[] input, int label) {
    return scoreLoss(scores(weights, new double[][] {input})[0], label);
  }

  private static double scoreLoss(double[] scores, int label) {
    double sum = 0;
    for (double score : scores) {
      sum += Math.exp(score - scores[label]);
    }
    return Math.log(sum);
  }

  /** The weighted mean loss over all rows. */
  double loss(double[] weights, Rows rows) {
    double[][] inputs = new double[rows.count()][];
    float[] floats = new float[architecture.inputs()];
    for (int row = 0; row < rows.count(); row++) {
      rows.copyFeatures(row, floats, 0);
      inputs[row] = widen(floats);
    }
    double[][] scores = scores(weights, inputs);
    double sum = 0;
    double weightSum = 0;
    for (int row = 0; row < rows.count(); row++) {
      sum += rows.weight(row) * scoreLoss(scores[row], rows.label(row));
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
