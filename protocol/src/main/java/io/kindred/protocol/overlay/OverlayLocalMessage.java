package io.kindred.protocol.overlay;

import io.kindred.core.config.Named;
import io.kindred.core.peer.LocalMessage;
import io.kindred.protocol.signature.Signature;
import java.util.List;

/** What the overlay and the other machines of the same peer say to each other. */
public sealed interface OverlayLocalMessage extends LocalMessage {
  /**
   * To the overlay: this is what the peer's model is like now.
   *
   * @param minimumEntries entries that it would need to keep the wanted cosine
   */
  @Named("overlay/signed")
  record SignatureUpdated(Signature signature, int minimumEntries) implements OverlayLocalMessage {}

  /**
   * To the overlay: who is most alike? The number comes back with the answer.
   *
   * @param resetThreshold whether the threshold is estimated anew rather than taken from the last
   *     search
   */
  @Named("overlay/search")
  record Search(long number, int wanted, SearchRule rule, boolean resetThreshold)
      implements OverlayLocalMessage {}

  /** From the overlay: it is built up to the top, and signatures shall have so many entries. */
  @Named("overlay/ready")
  record Ready(long epoch, int signatureEntries) implements OverlayLocalMessage {}

  /** From the overlay: the best candidates found, the most alike first. */
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
