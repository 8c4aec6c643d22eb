package io.kindred.core.compute;

import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;

/** Which of a peer's samples a ticket works on. */
public record DataView(Owner owner, Split split, Selection selection) {
  /** Owner of the samples. */
  public enum Owner {
    SELF,
    /** The data of all peers in one place: a baseline that only a simulator can offer. */
    EVERYONE
  }

  /** Which split of the owner's data. */
  public enum Split {
    TRAIN,
    VALIDATION,
    TEST
  }

  /** Which samples of the split, in the order of the split. */
  public sealed interface Selection {
    record All() implements Selection {}

    record Subset(Ints indices) implements Selection {}

    /**
     * All samples, each with a weight for its loss. A mean over these samples, or over a batch of
     * them, divides the sum of the weighted losses by the number of samples and not by the sum of
     * the weights, as the code of FedEM does (Marfoq et al., 2021): a model that explains few
     * samples then takes small steps.
     */
    record Weighted(Floats weights) implements Selection {}
  }

  public static DataView own(Split split) {
    return new DataView(Owner.SELF, split, new Selection.All());
  }

  public static DataView everyone(Split split) {
    return new DataView(Owner.EVERYONE, split, new Selection.All());
  }

  public DataView select(Selection chosen) {
    return new DataView(owner, split, chosen);
  }
}
