package io.kindred.protocol.signature;

import io.kindred.core.config.Setting;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.VectorKernels;
import io.kindred.core.weights.Weights;
import java.util.List;
import java.util.Optional;

/** How a peer makes its signature (SemanticDFL, section 3.2 and appendix B.1). */
@Buildable
public record SignatureRule(
    @Setting(
            doc =
                "what a signature describes: the weights, or their change since the common start"
                    + " (`delta`)",
            fallback = "delta")
        Subject of,
    @Setting(
            doc = "smoothing of the importance of weights: share that is kept from the last round",
            fallback = "0",
            min = 0,
            max = 0.999)
        double smoothing,
    @Setting(doc = "rounds after which the entries are selected again", fallback = "5", min = 1)
        int refresh,
    @Setting(
            doc = "cosine to the whole vector that a signature should keep",
            fallback = "0.8",
            above = 0,
            max = 1)
        double retention,
    @Setting(
            doc =
                "cosine that the least number of entries keeps beyond `retention`, as a reserve"
                    + " against drift",
            fallback = "0",
            min = 0,
            max = 1)
        double margin,
    @Setting(
            doc =
                "drop of the kept cosine below `retention` after which the entries are selected"
                    + " again",
            fallback = "0.05",
            min = 0,
            max = 1)
        double guard,
    @Setting(
            doc = "multiple to which the least number of entries is rounded up",
            fallback = "32",
            min = 1,
            max = 65536)
        int granularity,
    @Setting(
            doc = "share of the peers for which the network's number of entries is sufficient",
            fallback = "0.9",
            above = 0,
            max = 1)
        double quantile,
    @Setting(
            doc = "largest share of the weights that a signature may hold",
            fallback = "0.2",
            above = 0,
            max = 1)
        double largestShare,
    @Setting(doc = "number format in which values are sent", fallback = "bfloat16")
        Precision precision) {

  /** What a signature is taken of. */
  public enum Subject {
    /** The weights themselves, as printed; with one common start they are nearly parallel. */
    WEIGHTS,
    /** The change since the common start, which separates peers far better. */
    DELTA
  }

  /** This rule for another cosine, without margin and with a granularity of one entry. */
  public SignatureRule withRetention(double cosine) {
    return SignatureRuleBuilder.from(this).retention(cosine).margin(0).granularity(1).build();
  }

  /** The vector that the signature is taken of. */
  public Weights subject(Weights weights, Weights start) {
    return switch (of) {
      case WEIGHTS -> weights;
      case DELTA ->
          VectorKernels.mix(
              new Mixture(List.of(new MixturePart(weights, 1.0), new MixturePart(start, -1.0))));
    };
  }

  /**
   * Smoothed magnitudes: s = beta s + (1 - beta) |w|. There is nothing to smooth with in the first
   * round, which counts fully.
   */
  public Weights importance(Optional<Weights> before, Weights subject) {
    float kept = before.isPresent() ? (float) smoothing : 0;
    float[] last = before.orElse(subject).shared();
    float[] importance = new float[subject.size()];
    for (int i = 0; i < importance.length; i++) {
      importance[i] = kept * last[i] + (1 - kept) * Math.abs(subject.get(i));
    }
    return Weights.wrap(subject.layout(), importance);
  }
}
