package io.kindred.protocol.discovery;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import java.util.Comparator;

/**
 * A model that a peer knows a sketch of.
 *
 * @param age rounds since the owner said that this is its model
 * @param similarity cosine with the peer's own sketch
 * @param source where the sketch comes from
 * @param checked whether a sketch of this owner has been confirmed by a pulled model
 */
@Buildable
public record ViewEntry(
    Descriptor descriptor, int age, float similarity, Source source, boolean checked) {
  /** Where a sketch comes from; a later source is better. */
  public enum Source {
    /** From another peer's view. */
    RELAYED,
    /** From the owner itself. */
    OWNER,
    /** Computed from the pulled model. */
    COMPUTED
  }

  /** The most similar first, ties by peer. Views sort at every message, so it is written out. */
  static final Comparator<ViewEntry> MOST_SIMILAR =
      (one, other) -> {
        int order = Float.compare(other.similarity, one.similarity);
        return order != 0 ? order : Long.compare(one.peer().number(), other.peer().number());
      };

  public PeerId peer() {
    return descriptor.peer();
  }

  ViewEntry withAge(int rounds) {
    return new ViewEntry(descriptor, rounds, similarity, source, checked);
  }

  ViewEntry withSimilarity(float value) {
    return new ViewEntry(descriptor, age, value, source, checked);
  }

  KnownModel known() {
    return new KnownModel(peer(), descriptor.version(), age);
  }

  AdvertisedModel advertised() {
    return new AdvertisedModel(descriptor, age);
  }
}
