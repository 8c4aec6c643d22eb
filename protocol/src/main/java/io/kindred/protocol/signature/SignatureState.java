package io.kindred.protocol.signature;

import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.SparseKernels;
import io.kindred.core.weights.VectorKernels;
import io.kindred.core.weights.Weights;
import java.util.Optional;

/**
 * What a peer keeps from round to round: its signature, the importance where it is smoothed, and
 * how many rounds ago the indices were chosen. Values follow the weights in every round; indices
 * only from refresh to refresh (SemanticDFL, section 3.2).
 */
public record SignatureState(Optional<Weights> importance, Signature signature, int age) {
  /** Chooses the indices for the first time. */
  public static SignatureState first(SignatureRule rule, Weights subject, int entries) {
    return withNewIndices(rule, subject, rule.importance(Optional.empty(), subject), entries);
  }

  /**
   * The next round. Indices are chosen anew when they are {@code refresh} rounds old, when another
   * number of entries is wanted, or when the guard fires: the cosine that they keep has fallen
   * below the wanted one by more than the guard allows. Where even the best indices keep less, as
   * can happen with a small P, they are chosen anew in every round.
   */
  public SignatureState next(SignatureRule rule, Weights subject, int entries) {
    boolean due =
        age + 1 >= rule.refresh()
            || signature.size() != Math.min(entries, subject.size())
            || retention(subject, signature.indices()) < rule.retention() - rule.guard();
    if (!due && rule.smoothing() == 0) {
      return withSameIndices(rule, subject, Optional.empty());
    }
    Weights smoothed = rule.importance(importance, subject);
    return due
        ? withNewIndices(rule, subject, smoothed, entries)
        : withSameIndices(rule, subject, Optional.of(smoothed));
  }

  private SignatureState withSameIndices(
      SignatureRule rule, Weights subject, Optional<Weights> smoothed) {
    Signature now = Signature.mask(subject, signature.indices(), rule.precision());
    return new SignatureState(smoothed, now, age + 1);
  }

  private static SignatureState withNewIndices(
      SignatureRule rule, Weights subject, Weights smoothed, int entries) {
    Ints indices = SparseKernels.largest(smoothed.shared(), Math.min(entries, subject.size()));
    return new SignatureState(
        rule.smoothing() == 0 ? Optional.empty() : Optional.of(smoothed),
        Signature.mask(subject, indices, rule.precision()),
        0);
  }

  /** The cosine between a vector and its entries at some indices; one for a vector of zeros. */
  public static double retention(Weights subject, Ints indices) {
    Floats masked = Signature.gather(subject.shared(), indices);
    double whole = VectorKernels.dot(subject, subject);
    double part = VectorKernels.dot(masked.shared(), 0, masked.shared(), 0, masked.size());
    return whole == 0 ? 1 : Math.sqrt(part / whole);
  }
}
