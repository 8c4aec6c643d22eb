package io.kindred.methods.clustered;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.random.StreamKey;
import io.kindred.core.weights.VectorKernels;
import io.kindred.core.weights.Weights;

/**
 * Differential privacy of sent models (FedSPD, appendix B.2.6, after Wei et al., 2020): a model is
 * clipped to a norm C, and every weight gets Gaussian noise of deviation c L (2 C / m) / epsilon
 * with c = sqrt(2 ln(1.25 / delta)), m the number of samples and L how often the peer exposes its
 * data. So one exposure costs epsilon / L, and costs add up over rounds.
 */
public record PrivacySettings(
    @Setting(
            doc =
                "privacy budget (epsilon) of all exposures together; 0 sends models without noise",
            fallback = "0",
            min = 0)
        double epsilon,
    @Setting(
            doc = "probability that the privacy bound fails",
            fallback = "0.01",
            above = 0,
            max = 0.5)
        double delta,
    @Setting(doc = "largest norm; larger vectors are clipped to it", fallback = "1", above = 0)
        double clip,
    @Setting(doc = "number of rounds that the budget covers", fallback = "1", min = 1)
        int exposures,
    @Setting(
            doc = "what is clipped: the weights, or their change since the last round",
            fallback = "weights")
        ClipTarget clipTarget) {
  /** Whether the weights or their change are clipped. */
  public enum ClipTarget {
    WEIGHTS,
    CHANGE
  }

  boolean isEnabled() {
    return epsilon > 0;
  }

  /** The deviation of the noise for a peer with so many samples. */
  double noiseDeviation(int samples) {
    double c = Math.sqrt(2 * Math.log(1.25 / delta));
    return c * exposures * (2 * clip / Math.max(1, samples)) / epsilon;
  }

  /** The privacy budget spent after so many rounds; costs of rounds add up. */
  double spentEpsilon(int rounds) {
    return rounds * epsilon / exposures;
  }

  /** Clips the difference of the weights from the origin, and adds noise. */
  @Named("clusters/gaussian-release")
  record GaussianRelease(
      Weights weights, Weights origin, double clip, double deviation, long seed, StreamKey key)
      implements PureFunction {
    @Override
    public ReleasedWeights apply() {
      float[] values = weights.copy();
      VectorKernels.axpy(-1, origin.shared(), 0, values, 0, values.length);
      double squares = 0;
      for (float value : values) {
        squares += (double) value * value;
      }
      double scale = 1 / Math.max(1, Math.sqrt(squares) / clip);
      RandomStream random = new RandomStreams(seed).stream(key);
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) (origin.get(i) + scale * values[i] + deviation * random.nextGaussian());
      }
      return new ReleasedWeights(Weights.wrap(weights.layout(), values));
    }

    @Override
    public long operations() {
      return 40L * weights.size();
    }
  }

  /** Weights that may be sent. */
  @Named("clusters/released-weights")
  record ReleasedWeights(Weights weights) implements PureFunction.Answer {}
}
