package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;

import io.kindred.core.random.RandomStream;
import io.kindred.learning.model.LayerShape.BatchNorm;
import java.util.Arrays;

/**
 * Normalizes channels. Statistics are summed in doubles, a lane for each sample of a block, lanes
 * added in order; lanes without a sample do not count. The running variance is updated with the
 * unbiased variance of the batch, as PyTorch does.
 */
final class BatchNormLayer implements JvmLayer {
  private final int offset;
  private final int channels;
  private final int area;
  private final double[] means;
  private final double[] deviations;
  private final double[] lanes = new double[BLOCK_SIZE];
  private float[] inputs = {};
  private float[] out = {};
  private float[] back = {};

  /** Scale, shift, running mean and running variance follow each other from the offset on. */
  BatchNormLayer(int offset, BatchNorm shape) {
    this.offset = offset;
    this.channels = shape.channels();
    this.area = shape.area();
    this.means = new double[channels];
    this.deviations = new double[channels];
  }

  @Override
  public float[] forwardInference(float[] weights, float[] x, int samples) {
    for (int c = 0; c < channels; c++) {
      means[c] = weights[offset + 2 * channels + c];
      deviations[c] = Math.sqrt(weights[offset + 3 * channels + c] + BatchNorm.EPSILON);
    }
    return normalize(weights, x, samples);
  }

  @Override
  public float[] forwardTraining(float[] weights, float[] x, int samples, RandomStream noise) {
    inputs = x;
    double count = (double) samples * area;
    for (int c = 0; c < channels; c++) {
      double mean = sum(x, c, samples) / count;
      double squares = squares(x, c, samples, (float) mean);
      means[c] = (float) mean;
      deviations[c] = Math.sqrt(squares / count + BatchNorm.EPSILON);
      // A single value has no variance, and would pull the running variance towards zero.
      if (count > 1) {
        int runningMean = offset + 2 * channels + c;
        int runningVariance = offset + 3 * channels + c;
        weights[runningMean] = movingAverage(weights[runningMean], mean);
        weights[runningVariance] = movingAverage(weights[runningVariance], squares / (count - 1));
      }
    }
    return normalize(weights, x, samples);
  }

  private static float movingAverage(float running, double newest) {
    return (float) ((1 - BatchNorm.MOMENTUM) * running + BatchNorm.MOMENTUM * newest);
  }

  private float[] normalize(float[] weights, float[] x, int samples) {
    int blocks = Lanes.blocks(samples);
    out = Lanes.ensureCapacity(out, blocks * channels * area * BLOCK_SIZE);
    for (int plane = 0; plane < blocks * channels; plane++) {
      int c = plane % channels;
      float mean = (float) means[c];
      float scale = (float) (weights[offset + c] / deviations[c]);
      float shift = weights[offset + channels + c];
      for (int i = plane * area * BLOCK_SIZE; i < (plane + 1) * area * BLOCK_SIZE; i++) {
        out[i] = Math.fma(x[i] - mean, scale, shift);
      }
    }
    return out;
  }

  private double sum(float[] values, int channel, int samples) {
    Arrays.fill(lanes, 0);
    for (int block = 0; block < Lanes.blocks(samples); block++) {
      int filled = Lanes.samplesInBlock(block, samples);
      int at = (block * channels + channel) * area * BLOCK_SIZE;
      for (int p = 0; p < area; p++) {
        for (int lane = 0; lane < filled; lane++) {
          lanes[lane] += values[at + p * BLOCK_SIZE + lane];
        }
      }
    }
    return sumLanes();
  }

  private double squares(float[] values, int channel, int samples, float mean) {
    Arrays.fill(lanes, 0);
    for (int block = 0; block < Lanes.blocks(samples); block++) {
      int filled = Lanes.samplesInBlock(block, samples);
      int at = (block * channels + channel) * area * BLOCK_SIZE;
      for (int p = 0; p < area; p++) {
        for (int lane = 0; lane < filled; lane++) {
          double apart = values[at + p * BLOCK_SIZE + lane] - mean;
          lanes[lane] += apart * apart;
        }
      }
    }
    return sumLanes();
  }

  /** The sum of output gradient times normalized input. */
  private double sumOfProducts(float[] outputGradient, int channel, int samples, float mean) {
    Arrays.fill(lanes, 0);
    for (int block = 0; block < Lanes.blocks(samples); block++) {
      int filled = Lanes.samplesInBlock(block, samples);
      int at = (block * channels + channel) * area * BLOCK_SIZE;
      for (int p = 0; p < area; p++) {
        for (int lane = 0; lane < filled; lane++) {
          int i = at + p * BLOCK_SIZE + lane;
          lanes[lane] += (double) outputGradient[i] * (inputs[i] - mean);
        }
      }
    }
    return sumLanes() / deviations[channel];
  }

  private double sumLanes() {
    double sum = 0;
    for (double lane : lanes) {
      sum += lane;
    }
    return sum;
  }

  @Override
  public float[] backward(float[] weights, float[] outputGradient, int samples, float[] gradient) {
    back = Lanes.ensureCapacity(back, Lanes.blocks(samples) * channels * area * BLOCK_SIZE);
    for (int c = 0; c < channels; c++) {
      float mean = (float) means[c];
      double gradientSum = sum(outputGradient, c, samples);
      double products = sumOfProducts(outputGradient, c, samples, mean);
      gradient[offset + c] = (float) products;
      gradient[offset + channels + c] = (float) gradientSum;
      inputGradient(outputGradient, c, samples, weights[offset + c], gradientSum, products);
    }
    return back;
  }

  /** Through the value itself, the mean and the deviation; zero in lanes without a sample. */
  private void inputGradient(
      float[] outputGradient,
      int channel,
      int samples,
      float weight,
      double gradientSum,
      double products) {
    double count = (double) samples * area;
    float mean = (float) means[channel];
    float scale = (float) (weight / deviations[channel]);
    float level = (float) (gradientSum / count);
    float tilt = (float) (products / count / deviations[channel]);
    for (int block = 0; block < Lanes.blocks(samples); block++) {
      int filled = Lanes.samplesInBlock(block, samples);
      int at = (block * channels + channel) * area * BLOCK_SIZE;
      for (int p = 0; p < area; p++) {
        for (int lane = 0; lane < BLOCK_SIZE; lane++) {
          int i = at + p * BLOCK_SIZE + lane;
          back[i] =
              lane < filled ? scale * (outputGradient[i] - level - (inputs[i] - mean) * tilt) : 0;
        }
      }
    }
  }
}
