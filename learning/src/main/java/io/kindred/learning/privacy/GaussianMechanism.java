package io.kindred.learning.privacy;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;

/**
 * Weights clipped to a norm plus Gaussian noise, as FedSPD sends them (appendix B.2.6) after Wei et
 * al., Federated Learning with Differential Privacy, 2020: the deviation is c L (2C / m) / epsilon
 * with c = sqrt(2 ln(1.25 / delta)).
 *
 * <p>FedSPD gives C, delta, c and epsilon only; the rest is Wei et al.'s. Of their article (arXiv
 * 1911.00222) only the abstract was available, so the formula was checked against secondary
 * sources: the sensitivities 2C / m of a client and 2C / (m N) of the server (discussion of a
 * public reimplementation), c, m as the smallest local data set, and the server's noise (FedML), L
 * as the rounds in which weights are sent (FederatedScope, whose first version has the factor 2 and
 * a later one has not). The server's noise fits no other deviation of the clients, as a test shows.
 * FedML takes L for the number of clients in a round; then noise would not grow with exposures, so
 * this class does not.
 *
 * <p>The guarantee rests on two assumptions of the source. Replacing one of m samples moves the
 * clipped weights by at most 2C / m. And an exposure spends epsilon / L, for which the classic
 * bound of the Gaussian mechanism is proven only below one; beyond, take the figure as a scale of
 * noise rather than as a guarantee.
 *
 * @param epsilon the budget of all exposures together
 * @param delta the probability with which one exposure may miss its guarantee
 * @param clip largest norm C of the weights sent
 * @param samples smallest number m of samples that a peer trains on
 * @param exposures the number L of times that a peer's weights are sent
 */
public record GaussianMechanism(
    double epsilon, double delta, double clip, int samples, int exposures) {
  public GaussianMechanism {
    boolean sound = positive(epsilon) && delta > 0 && delta < 1 && positive(clip) && samples > 0;
    if (!sound || exposures < 1) {
      throw new IllegalArgumentException(
          "epsilon, clip, samples and exposures must be positive and delta between 0 and 1, got"
              + (" epsilon " + epsilon + ", delta " + delta + ", clip " + clip + ", ")
              + (samples + " samples, " + exposures + " exposures"));
    }
  }

  private static boolean positive(double value) {
    return value > 0 && value < Double.POSITIVE_INFINITY;
  }

  /** The largest change of the clipped weights by one sample. */
  public double sensitivity() {
    return 2 * clip / samples;
  }

  /** Standard deviation of the noise on every single weight. */
  public double deviation() {
    double c = Math.sqrt(2 * StrictMath.log(1.25 / delta));
    return c * exposures * sensitivity() / epsilon;
  }

  /** The privacy loss of one exposure. */
  public PrivacyLoss perExposure() {
    return new PrivacyLoss(epsilon / exposures, delta);
  }

  /** The weights scaled down to the norm, or unchanged if their norm is not larger. */
  public Weights clip(Weights weights) {
    double norm = norm(weights);
    if (norm <= clip) {
      return weights;
    }
    float share = (float) (clip / norm);
    float[] scaled = weights.copy();
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] *= share;
    }
    return Weights.wrap(weights.layout(), scaled);
  }

  /** In doubles: the guarantee holds for the true norm, not for that of a long float sum. */
  private static double norm(Weights weights) {
    double sum = 0;
    for (float value : weights.shared()) {
      sum += (double) value * value;
    }
    return Math.sqrt(sum);
  }

  /**
   * The weights with noise on every value, including running statistics, because these are computed
   * from samples too. A negative running variance is set to zero, which costs no privacy: it
   * depends on nothing but the noisy value.
   */
  public Weights addNoise(Weights weights, RandomStream random) {
    double deviation = deviation();
    float[] noisy = weights.copy();
    for (int i = 0; i < noisy.length; i++) {
      noisy[i] += (float) (deviation * random.nextGaussian());
    }
    for (Layout.Block block : weights.layout().blocks()) {
      if (!block.trained() && block.name().endsWith(".running_var")) {
        for (int i = block.offset(); i < block.end(); i++) {
          noisy[i] = Math.max(0, noisy[i]);
        }
      }
    }
    return Weights.wrap(weights.layout(), noisy);
  }

  /** The weights that a peer may send: clipped, then with noise. */
  public Weights release(Weights weights, RandomStream random) {
    return addNoise(clip(weights), random);
  }
}
