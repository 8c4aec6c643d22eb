package io.kindred.methods.rounds;

import java.util.List;

/**
 * What a peer takes in.
 *
 * @param degree how many neighbours it has, whether they sent something or not
 */
public record Exchange(int degree, List<Arrival> arrivals) {
  public Exchange {
    arrivals = List.copyOf(arrivals);
  }

  /** The models of one slot, in the order of the arrivals. */
  public List<Item> items(int slot) {
    return arrivals.stream()
        .flatMap(arrival -> arrival.parcel().items().stream())
        .filter(item -> item.slot() == slot)
        .toList();
  }
}
