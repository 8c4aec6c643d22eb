package io.kindred.methods.rounds;

import io.kindred.core.weights.Layout;
import java.util.List;

/** What a peer hands over in one exchange. */
public record Parcel(List<Item> items) {
  public Parcel {
    items = List.copyOf(items);
  }

  public static Parcel of(Item... items) {
    return new Parcel(List.of(items));
  }

  /**
   * Whether there is something, one model a slot at most, and every model fits in and is made of
   * numbers: what comes from outside may be anything.
   */
  boolean isSound(int slots, Layout layout) {
    return !items.isEmpty()
        && items.stream().map(Item::slot).distinct().count() == items.size()
        && items.stream()
            .allMatch(
                item ->
                    item.slot() >= 0
                        && item.slot() < slots
                        && item.share() >= 0
                        && Double.isFinite(item.share())
                        && item.weights().layout().equals(layout)
                        && item.weights().isFinite());
  }
}
