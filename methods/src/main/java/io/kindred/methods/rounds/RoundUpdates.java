package io.kindred.methods.rounds;

import java.util.List;

/**
 * The updates that a peer merges.
 *
 * @param degree number of the peer's neighbours, whether they sent an update or not
 * @param ownSamples number of the peer's own training samples
 */
public record RoundUpdates(int degree, int ownSamples, List<ReceivedUpdate> updates) {
  public RoundUpdates {
    updates = List.copyOf(updates);
  }

  /** The models of one slot, in the order of the updates. */
  public List<SlotModel> models(int slot) {
    return updates.stream()
        .flatMap(update -> update.update().models().stream())
        .filter(model -> model.slot() == slot)
        .toList();
  }
}
