package io.kindred.learning.engine;

import io.kindred.core.random.RandomStream;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.model.LayerShape;
import io.kindred.learning.model.Volume;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;

/**
 * Every kind of layer in training, in double precision and as plain as possible: the reference for
 * engines and optima. A signal is one row of values for each sample.
 */
public final class DoubleNetwork {
  private final Architecture architecture;
  private final Supplier<RandomStream> noise;

  /** For networks without dropout. */
  public DoubleNetwork(Architecture architecture) {
    this(architecture, () -> LearningFixtures.random(0));
  }

  /** Each evaluation draws the same noise again, so that finite differences see one function. */
  public DoubleNetwork(Architecture architecture, Supplier<RandomStream> noise) {
    this.architecture = architecture;
    this.noise = noise;
  }

  /** The sum of a batch's weighted losses divided by its number of samples. */
  public double loss(double[] weights, Batch batch) {
    double[][] signal = new double[batch.size()][];
    for (int s = 0; s < batch.size(); s++) {
      float[] row = new float[architecture.inputs()];
      batch.copyFeatures(s, row, 0);
      signal[s] = widen(row);
    }
    double[][] scores = new Walk(weights, noise.get()).through(architecture.layers(), signal);
    double sum = 0;
    for (int s = 0; s < batch.size(); s++) {
      sum +=
          batch.weight(s)
              * switch (architecture.task()) {
                case CLASSIFICATION -> crossEntropy(scores[s], batch.rows().label(batch.row(s)));
                case REGRESSION -> squaredError(scores[s], batch.rows(), batch.row(s));
              };
    }
    return sum / batch.size();
  }

  private static double crossEntropy(double[] scores, int label) {
    double exponentials = 0;
    for (double score : scores) {
      exponentials += Math.exp(score - scores[label]);
    }
    return Math.log(exponentials);
  }

  private static double squaredError(double[] scores, SampleRows rows, int row) {
    float[] targets = new float[scores.length];
    rows.copyTargets(row, targets, 0);
    double sum = 0;
    for (int i = 0; i < scores.length; i++) {
      sum += Math.pow(scores[i] - targets[i], 2);
    }
    return sum / scores.length;
  }

  /** Central differences of the loss, weight by weight. */
  public double[] slope(double[] weights, Batch batch) {
    double step = 1e-6;
    double[] gradient = new double[weights.length];
    for (int i = 0; i < weights.length; i++) {
      double[] moved = weights.clone();
      moved[i] = weights[i] + step;
      double above = loss(moved, batch);
      moved[i] = weights[i] - step;
      gradient[i] = (above - loss(moved, batch)) / (2 * step);
    }
    return gradient;
  }

  public static double[] widen(float[] values) {
    double[] wide = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      wide[i] = values[i];
    }
    return wide;
  }

  /** The norm of the error, relative to the norm of the expected values. */
  public static double relativeError(float[] actual, double[] expected) {
    double error = 0;
    double square = 0;
    for (int i = 0; i < expected.length; i++) {
      error += (actual[i] - expected[i]) * (actual[i] - expected[i]);
      square += expected[i] * expected[i];
    }
    return Math.sqrt(error / square);
  }

  /** The relative error between two engines. */
  public static double relativeError(float[] actual, float[] expected) {
    return relativeError(actual, widen(expected));
  }

  /** One forward pass through the layers, which take their weights in order. */
  private static final class Walk {
    private final double[] weights;
    private final RandomStream noise;
    private int at;

    Walk(double[] weights, RandomStream noise) {
      this.weights = weights;
      this.noise = noise;
    }

    double[][] through(List<LayerShape> layers, double[][] signal) {
      double[][] current = signal;
      for (LayerShape layer : layers) {
        current =
            switch (layer) {
              case LayerShape.Dense dense -> dense(dense, current);
              case LayerShape.Convolution filter -> convolution(filter, current);
              case LayerShape.MaxPool pool -> maxPool(pool, current);
              case LayerShape.AveragePool(Volume input) -> averagePool(input, current);
              case LayerShape.BatchNorm norm -> batchNorm(norm, current);
              case LayerShape.Dropout(double share) ->
                  each(current, x -> noise.nextDouble() < share ? 0 : x / (1 - share));
              case LayerShape.Residual residual -> residual(residual, current);
              case LayerShape.GroupedConvolution filter -> convolution(filter, current);
              case LayerShape.Concatenation fork -> concatenation(fork, current);
              case LayerShape.Encoder encoder -> {
                DoubleEncoder plain = new DoubleEncoder(encoder, weights, at);
                at = plain.end();
                yield plain.pooled(current);
              }
              case LayerShape.Relu6() -> each(current, x -> Math.clamp(x, 0, 6));
              case LayerShape.Relu() -> each(current, x -> Math.max(0, x));
              case LayerShape.CubeRoot() -> each(current, Math::cbrt);
            };
      }
      return current;
    }

    private static double[][] each(double[][] signal, DoubleUnaryOperator function) {
      double[][] result = new double[signal.length][signal[0].length];
      for (int s = 0; s < signal.length; s++) {
        for (int i = 0; i < signal[s].length; i++) {
          result[s][i] = function.applyAsDouble(signal[s][i]);
        }
      }
      return result;
    }

    private double[][] dense(LayerShape.Dense dense, double[][] signal) {
      double[][] result = new double[signal.length][dense.outputs()];
      int bias = at + dense.outputs() * dense.inputs();
      for (int s = 0; s < signal.length; s++) {
        for (int o = 0; o < dense.outputs(); o++) {
          double sum = weights[bias + o];
          for (int i = 0; i < dense.inputs(); i++) {
            sum += weights[at + o * dense.inputs() + i] * signal[s][i];
          }
          result[s][o] = sum;
        }
      }
      at = bias + dense.outputs();
      return result;
    }

    private double[][] convolution(LayerShape.Convolution filter, double[][] signal) {
      Volume to = filter.output();
      double[][] result = new double[signal.length][to.size()];
      int bias = at + filter.filters() * filter.fanIn();
      for (int s = 0; s < signal.length; s++) {
        for (int o = 0; o < to.size(); o++) {
          int f = o / to.area();
          int top = o % to.area() / to.width() * filter.stride() - filter.padding();
          int left = o % to.width() * filter.stride() - filter.padding();
          result[s][o] =
              (filter.bias() ? weights[bias + f] : 0)
                  + window(filter, signal[s], at + f * filter.fanIn(), top, left);
        }
      }
      at = bias + (filter.bias() ? filter.filters() : 0);
      return result;
    }

    private double window(
        LayerShape.Convolution filter, double[] sample, int from, int top, int left) {
      Volume input = filter.input();
      double sum = 0;
      int weight = from;
      for (int c = 0; c < input.channels(); c++) {
        for (int y = top; y < top + filter.kernel(); y++) {
          for (int x = left; x < left + filter.kernel(); x++) {
            if (y >= 0 && y < input.height() && x >= 0 && x < input.width()) {
              sum += weights[weight] * sample[c * input.area() + y * input.width() + x];
            }
            weight++;
          }
        }
      }
      return sum;
    }

    /** Value by value and tap by tap, without unfolding windows. */
    private double[][] convolution(LayerShape.GroupedConvolution filter, double[][] signal) {
      Volume from = filter.input();
      Volume to = filter.output();
      int perGroup = filter.filters() / filter.groups();
      int taps = filter.kernel().height() * filter.kernel().width();
      int bias = at + filter.filters() * filter.fanIn();
      double[][] result = new double[signal.length][to.size()];
      for (int s = 0; s < signal.length; s++) {
        for (int o = 0; o < to.size(); o++) {
          int f = o / to.area();
          double sum = filter.bias() ? weights[bias + f] : 0;
          for (int i = 0; i < filter.fanIn(); i++) {
            int channel = f / perGroup * filter.depth() + i / taps;
            int y =
                o % to.area() / to.width() * filter.stride().height()
                    - filter.padding().height()
                    + i % taps / filter.kernel().width();
            int x =
                o % to.width() * filter.stride().width()
                    - filter.padding().width()
                    + i % filter.kernel().width();
            if (y >= 0 && y < from.height() && x >= 0 && x < from.width()) {
              sum +=
                  weights[at + f * filter.fanIn() + i]
                      * signal[s][channel * from.area() + y * from.width() + x];
            }
          }
          result[s][o] = sum;
        }
      }
      at = bias + (filter.bias() ? filter.filters() : 0);
      return result;
    }

    private double[][] concatenation(LayerShape.Concatenation fork, double[][] signal) {
      double[][] result = new double[signal.length][0];
      for (List<LayerShape> branch : fork.branches()) {
        double[][] end = through(branch, signal);
        for (int s = 0; s < signal.length; s++) {
          result[s] =
              DoubleStream.concat(Arrays.stream(result[s]), Arrays.stream(end[s])).toArray();
        }
      }
      return result;
    }

    private static double[][] maxPool(LayerShape.MaxPool pool, double[][] signal) {
      Volume from = pool.input();
      Volume to = pool.output();
      double[][] result = new double[signal.length][to.size()];
      for (int s = 0; s < signal.length; s++) {
        for (int o = 0; o < to.size(); o++) {
          int channel = o / to.area() * from.area();
          int top = o % to.area() / to.width() * pool.stride() - pool.padding();
          int left = o % to.width() * pool.stride() - pool.padding();
          double largest = Double.NEGATIVE_INFINITY;
          for (int y = Math.max(0, top); y < Math.min(from.height(), top + pool.window()); y++) {
            for (int x = Math.max(0, left); x < Math.min(from.width(), left + pool.window()); x++) {
              largest = Math.max(largest, signal[s][channel + y * from.width() + x]);
            }
          }
          result[s][o] = largest;
        }
      }
      return result;
    }

    private static double[][] averagePool(Volume input, double[][] signal) {
      double[][] result = new double[signal.length][input.channels()];
      for (int s = 0; s < signal.length; s++) {
        for (int i = 0; i < input.size(); i++) {
          result[s][i / input.area()] += signal[s][i] / input.area();
        }
      }
      return result;
    }

    private double[][] batchNorm(LayerShape.BatchNorm norm, double[][] signal) {
      double[][] result = new double[signal.length][signal[0].length];
      for (int c = 0; c < norm.channels(); c++) {
        double count = signal.length * norm.area();
        double mean = 0;
        double square = 0;
        for (double[] sample : signal) {
          for (int i = c * norm.area(); i < (c + 1) * norm.area(); i++) {
            mean += sample[i] / count;
          }
        }
        for (double[] sample : signal) {
          for (int i = c * norm.area(); i < (c + 1) * norm.area(); i++) {
            square += (sample[i] - mean) * (sample[i] - mean) / count;
          }
        }
        double scale = weights[at + c] / Math.sqrt(square + LayerShape.BatchNorm.EPSILON);
        for (int s = 0; s < signal.length; s++) {
          for (int i = c * norm.area(); i < (c + 1) * norm.area(); i++) {
            result[s][i] = (signal[s][i] - mean) * scale + weights[at + norm.channels() + c];
          }
        }
      }
      at += 4 * norm.channels();
      return result;
    }

    private double[][] residual(LayerShape.Residual residual, double[][] signal) {
      double[][] path = through(residual.path(), signal);
      double[][] shortcut = through(residual.shortcut(), signal);
      double[][] sum = new double[path.length][path[0].length];
      for (int s = 0; s < path.length; s++) {
        for (int i = 0; i < path[s].length; i++) {
          sum[s][i] = path[s][i] + shortcut[s][i];
        }
      }
      return sum;
    }
  }
}
