package io.kindred.protocol.overlay;

import io.kindred.core.Note;
import io.kindred.core.settings.Named;
import io.kindred.protocol.signatures.Signature;
import java.util.List;

/** What the overlay and the other machines of the same peer say to each other. */
public sealed interface OverlayNote extends Note {
  /**
   * To the overlay: this is what the peer's model is like now.
   *
   * @param least entries that it would need to keep the wanted cosine
   */
  @Named("overlay/signed")
  record Signed(Signature signature, int least) implements OverlayNote {}

  /**
   * To the overlay: who is most alike? The number comes back with the answer.
   *
   * @param fresh whether the threshold is estimated anew rather than taken from the last search
   */
  @Named("overlay/search")
  record Search(long number, int wanted, SearchRule rule, boolean fresh) implements OverlayNote {}

  /** From the overlay: it is built up to the top, and signatures shall have so many entries. */
  @Named("overlay/ready")
  record Ready(long epoch, int entries) implements OverlayNote {}

  /** From the overlay: the best candidates found, the most alike first. */
  @Named("overlay/result")
  record Searched(
      long number,
      List<Candidate> candidates,
      double threshold,
      int attempts,
      Tally tally,
      long ticks)
      implements OverlayNote {
    public Searched {
      candidates = List.copyOf(candidates);
    }
  }
}
