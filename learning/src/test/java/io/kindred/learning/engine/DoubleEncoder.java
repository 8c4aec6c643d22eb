package io.kindred.learning.engine;

import io.kindred.learning.model.LayerShape;

/** An ALBERT encoder in double precision, token by token: the reference for the native one. */
final class DoubleEncoder {
  private final LayerShape.Encoder shape;
  private final double[] weights;
  private int at;
  private final int words;
  private final int positions;
  private final int types;
  private final int embeddingNorm;
  private final int widened;
  private final int outputNorm;
  private final int query;
  private final int key;
  private final int value;
  private final int attended;
  private final int attentionNorm;
  private final int expanded;
  private final int contracted;
  private final int pooler;

  DoubleEncoder(LayerShape.Encoder shape, double[] weights, int from) {
    this.shape = shape;
    this.weights = weights;
    int small = shape.embedding();
    int large = shape.hidden();
    at = from;
    words = take(shape.vocabulary() * small);
    positions = take(shape.positions() * small);
    types = take(2 * small);
    embeddingNorm = take(2 * small);
    widened = take(large * (small + 1));
    outputNorm = take(2 * large);
    query = take(large * (large + 1));
    key = take(large * (large + 1));
    value = take(large * (large + 1));
    attended = take(large * (large + 1));
    attentionNorm = take(2 * large);
    expanded = take(shape.intermediate() * (large + 1));
    contracted = take(large * (shape.intermediate() + 1));
    pooler = take(large * (large + 1));
  }

  private int take(int count) {
    int start = at;
    at += count;
    return start;
  }

  /** The offset of the next layer's weights. */
  int end() {
    return at;
  }

  double[][] pooled(double[][] samples) {
    double[][] result = new double[samples.length][];
    for (int s = 0; s < samples.length; s++) {
      double[][] state = new double[shape.tokens()][];
      for (int t = 0; t < state.length; t++) {
        state[t] =
            dense(norm(embedded((int) samples[s][t], t), embeddingNorm), widened, shape.hidden());
      }
      for (int layer = 0; layer < shape.depth(); layer++) {
        state = layer(state, samples[s]);
      }
      result[s] = dense(state[0], pooler, shape.hidden());
      for (int i = 0; i < result[s].length; i++) {
        result[s][i] = Math.tanh(result[s][i]);
      }
    }
    return result;
  }

  private double[] embedded(int token, int position) {
    int size = shape.embedding();
    double[] sum = new double[size];
    for (int i = 0; i < size; i++) {
      sum[i] =
          weights[words + token * size + i]
              + weights[positions + position * size + i]
              + weights[types + i];
    }
    return sum;
  }

  private double[][] layer(double[][] state, double[] numbers) {
    double[][] next = new double[state.length][];
    for (int t = 0; t < state.length; t++) {
      double[] mixed = dense(attention(state, numbers, t), attended, shape.hidden());
      double[] withAttention = norm(sum(state[t], mixed), attentionNorm);
      double[] activated = dense(withAttention, expanded, shape.intermediate());
      for (int i = 0; i < activated.length; i++) {
        activated[i] = gelu(activated[i]);
      }
      next[t] = norm(sum(dense(activated, contracted, shape.hidden()), withAttention), outputNorm);
    }
    return next;
  }

  /** The attention output of one token, head by head. */
  private double[] attention(double[][] state, double[] numbers, int token) {
    int width = shape.hidden() / shape.heads();
    double[] asked = dense(state[token], query, shape.hidden());
    double[] taken = new double[shape.hidden()];
    for (int head = 0; head < shape.heads(); head++) {
      double[] shares = new double[state.length];
      double total = 0;
      for (int t = 0; t < state.length; t++) {
        double[] offered = dense(state[t], key, shape.hidden());
        double score = 0;
        for (int i = head * width; i < (head + 1) * width; i++) {
          score += asked[i] * offered[i];
        }
        shares[t] = numbers[t] == 0 ? 0 : Math.exp(score / Math.sqrt(width));
        total += shares[t];
      }
      for (int t = 0; t < state.length; t++) {
        double[] projected = dense(state[t], value, shape.hidden());
        for (int i = head * width; i < (head + 1) * width; i++) {
          taken[i] += shares[t] / total * projected[i];
        }
      }
    }
    return taken;
  }

  private static double[] sum(double[] a, double[] b) {
    double[] sum = a.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] += b[i];
    }
    return sum;
  }

  private double[] dense(double[] input, int from, int outputs) {
    double[] result = new double[outputs];
    for (int o = 0; o < outputs; o++) {
      double sum = weights[from + outputs * input.length + o];
      for (int i = 0; i < input.length; i++) {
        sum += weights[from + o * input.length + i] * input[i];
      }
      result[o] = sum;
    }
    return result;
  }

  private double[] norm(double[] input, int from) {
    int size = input.length;
    double mean = 0;
    double square = 0;
    for (double x : input) {
      mean += x / size;
    }
    for (double x : input) {
      square += (x - mean) * (x - mean) / size;
    }
    double[] result = new double[size];
    for (int i = 0; i < size; i++) {
      double normal = (input[i] - mean) / Math.sqrt(square + LayerShape.Encoder.EPSILON);
      result[i] = normal * weights[from + i] + weights[from + size + i];
    }
    return result;
  }

  private static double gelu(double x) {
    return x / 2 * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x)));
  }
}
