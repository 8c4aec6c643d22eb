package io.kindred.methods.rounds;

import java.util.List;

/**
 * What a peer takes in.
 *
 * @param degree how many neighbours it has, whether they sent something or not
 */
public record RoundUpdates(int degree, List<ReceivedUpdate> updates) {
  public RoundUpdates {
    updates = List.copyOf(updates);
  }

  /** The models of one slot, in the order of the arrivals. */
  public List<SlotModel> models(int slot) {
    return updates.stream()
        .flatMap(update -> update.update().models().stream())
        .filter(model -> model.slot() == slot)
        .toList();
  }
}
