package io.kindred.protocol.discovery;

import io.kindred.core.peer.PeerId;
import java.util.Comparator;

/**
 * A model that a peer knows a sketch of.
 *
 * @param age rounds since the owner said that this is its model
 * @param similarity cosine with the peer's own sketch
 * @param source where the sketch comes from
 * @param checked whether a sketch of this owner has been confirmed by a pulled model
 * @param votes partners that hold the same sketch of this version less partners that hold another
 */
public record ViewEntry(
    Descriptor descriptor, int age, float similarity, Source source, boolean checked, int votes) {
  /** Where a sketch comes from; a later source is better. */
  public enum Source {
    /** From another peer's view. */
    RELAYED,
    /** From the owner itself. */
    OWNER,
    /** Computed from the pulled model. */
    COMPUTED
  }

  static final int MAX_VOTES = 8;

  /** Ages and votes share an int in a view. */
  private static final int MAX_AGE = (1 << 23) - 1;

  /** The most similar first, ties by peer. Views sort at every message, so it is written out. */
  static final Comparator<ViewEntry> MOST_SIMILAR =
      (one, other) -> {
        int order = Float.compare(other.similarity, one.similarity);
        return order != 0 ? order : Long.compare(one.peer().number(), other.peer().number());
      };

  public ViewEntry {
    if (age < 0 || age > MAX_AGE || Math.abs(votes) > MAX_VOTES) {
      throw new IllegalArgumentException(
          "an entry of a view has an age of 0 to "
              + MAX_AGE
              + " rounds and at most "
              + MAX_VOTES
              + " votes, got an age of "
              + age
              + " and "
              + votes
              + " votes");
    }
  }

  public PeerId peer() {
    return descriptor.peer();
  }

  ViewEntry withSimilarity(float value) {
    return new ViewEntry(descriptor, age, value, source, checked, votes);
  }

  /**
   * Whether other peers were told another sketch of this version. A single contradiction does not
   * suffice, because the partner that contradicts may be the one that lies.
   */
  boolean isDisputed() {
    return isDisputed(source, votes);
  }

  static boolean isDisputed(Source source, int votes) {
    return source != Source.COMPUTED && votes <= -2;
  }

  AdvertisedModel advertised() {
    return new AdvertisedModel(descriptor, age);
  }
}
