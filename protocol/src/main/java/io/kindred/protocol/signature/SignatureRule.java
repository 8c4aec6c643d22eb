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
    @Setting(doc = "what a signature is taken of", fallback = "delta") Subject of,
    @Setting(
            doc = "share of the last round's importance that is kept",
            fallback = "0",
            min = 0,
            max = 0.999)
        double smoothing,
    @Setting(doc = "rounds after which the entries are chosen anew", fallback = "5", min = 1)
        int refresh,
    @Setting(
            doc = "cosine to the whole vector that a signature shall keep",
            fallback = "0.8",
            above = 0,
            max = 1)
        double retention,
    @Setting(
            doc = "what the least number of entries keeps beyond that, against drift",
            fallback = "0",
            min = 0,
            max = 1)
        double margin,
    @Setting(
            doc = "how far the kept cosine may fall before the entries are chosen anew",
            fallback = "0.05",
            min = 0,
            max = 1)
        double guard,
    @Setting(
            doc = "the least number of entries is a multiple of this",
            fallback = "32",
            min = 1,
            max = 65536)
        int granularity,
    @Setting(
            doc = "share of the peers whose least number of entries the network's covers",
            fallback = "0.9",
            above = 0,
            max = 1)
        double quantile,
    @Setting(
            doc = "largest share of the weights that a signature may have",
            fallback = "0.2",
            above = 0,
            max = 1)
        double largestShare,
    @Setting(doc = "how values travel", fallback = "bfloat16") Precision precision) {

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
