package io.kindred.protocol.overlay;

import io.kindred.core.config.Named;
import io.kindred.core.peer.LocalMessage;
import io.kindred.protocol.signature.Signature;
import java.util.List;

/** Messages between the overlay and the other machines of the same peer. */
public sealed interface OverlayLocalMessage extends LocalMessage {
  /**
   * To the overlay: the signature of the peer's present model.
   *
   * @param minimumEntries entries that the signature needs to keep the wanted cosine
   */
  @Named("overlay/signature-updated")
  record SignatureUpdated(Signature signature, int minimumEntries) implements OverlayLocalMessage {}

  /**
   * To the overlay: find the most similar peers. {@link SearchFinished} repeats the number.
   *
   * @param resetThreshold whether the threshold is estimated anew rather than taken from the last
   *     search
   */
  @Named("overlay/search")
  record Search(long number, int wanted, SearchRule rule, boolean resetThreshold)
      implements OverlayLocalMessage {}

  /** From the overlay: it is built up to the root, and signatures have this number of entries. */
  @Named("overlay/ready")
  record Ready(long epoch, int signatureEntries) implements OverlayLocalMessage {}

  /** From the overlay: the best candidates found, the most similar first. */
  @Named("overlay/result")
  record SearchFinished(
      long number,
      List<Candidate> candidates,
      double threshold,
      int attempts,
      SearchCost cost,
      long ticks)
      implements OverlayLocalMessage {
    public SearchFinished {
      candidates = List.copyOf(candidates);
    }
  }
}
