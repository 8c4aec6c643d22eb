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
 * @param votes partners that hold the same sketch of this version less partners that hold another
 */
@Buildable
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

  private static final int MAX_VOTES = 8;

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
    return ViewEntryBuilder.from(this).age(rounds).build();
  }

  ViewEntry withSimilarity(float value) {
    return new ViewEntry(descriptor, age, value, source, checked, votes);
  }

  /** A partner's list names the same version of the model, and has its age from a hop away. */
  ViewEntry compared(KnownModel same, boolean counts) {
    int vote = same.fingerprint() == descriptor.sketch().fingerprint() ? 1 : -1;
    return ViewEntryBuilder.from(this)
        .age(Math.min(age, same.age() + 1))
        .votes(counts ? Math.clamp(votes + (long) vote, -MAX_VOTES, MAX_VOTES) : votes)
        .build();
  }

  /**
   * Whether other peers were told another sketch of this version. A single contradiction does not
   * suffice, because the partner that contradicts may be the one that lies.
   */
  boolean isDisputed() {
    return source != Source.COMPUTED && votes <= -2;
  }

  KnownModel known() {
    return new KnownModel(peer(), descriptor.version(), age, descriptor.sketch().fingerprint());
  }

  AdvertisedModel advertised() {
    return new AdvertisedModel(descriptor, age);
  }
}
