package io.kindred.learning.engine;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.Samples;
import java.util.List;

/**
 * An engine whose loss is half the weighted squared distance between weights and features, so that
 * training can be computed by hand. Its third weight is a running mean of the third feature, and
 * the gradient there is a nonsense value that no code may read.
 */
final class QuadraticEngine implements Engine {
  static final Layout LAYOUT =
      Layout.builder()
          .add("body.weight", 2)
          .add("body.running_mean", false, 1)
          .add("head.weight", 1)
          .add("head.bias", 1)
          .build();

  static final Weights START = Weights.copyOf(LAYOUT, new float[] {0.2f, -0.4f, 1, 0.3f, -0.6f});

  static final Samples SAMPLES =
      LearningFixtures.samples(
          new float[][] {{1, 0, 5, -1, 0.5f}, {0.5f, -1, 1, 2, -0.5f}, {-0.25f, 0.25f, 0, 1, 1}},
          0,
          0,
          0);

  private static final int STATISTIC = 2;
  private static final double[] CURVATURES = {1, 2, 0, 0.5, 3};

  @Override
  public double lossAndGradient(
      float[] weights, Batch batch, float[] gradient, RandomStream noise) {
    double[] sums = new double[CURVATURES.length];
    double loss = 0;
    float[] features = new float[CURVATURES.length];
    for (int sample = 0; sample < batch.size(); sample++) {
      batch.copyFeatures(sample, features, 0);
      for (int i = 0; i < features.length; i++) {
        double distance = weights[i] - features[i];
        loss += CURVATURES[i] * distance * distance / 2;
        sums[i] += features[i];
      }
    }
    for (int i = 0; i < sums.length; i++) {
      gradient[i] = (float) (CURVATURES[i] * (weights[i] - sums[i] / batch.size()));
    }
    gradient[STATISTIC] = 1e9f;
    weights[STATISTIC] = (float) (0.9 * weights[STATISTIC] + 0.1 * sums[STATISTIC] / batch.size());
    return loss;
  }

  @Override
  public List<float[]> losses(List<Weights> models, SampleRows rows) {
    throw new UnsupportedOperationException("a quadratic engine only trains");
  }

  @Override
  public float[] outputs(Weights weights, SampleRows rows) {
    throw new UnsupportedOperationException("a quadratic engine only trains");
  }
}
