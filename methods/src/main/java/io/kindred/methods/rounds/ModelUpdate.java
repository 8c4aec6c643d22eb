package io.kindred.methods.rounds;

import io.kindred.core.weights.Layout;
import java.util.List;

/** What a peer hands over in one exchange. */
public record ModelUpdate(List<SlotModel> models) {
  public ModelUpdate {
    models = List.copyOf(models);
  }

  public static ModelUpdate of(SlotModel... models) {
    return new ModelUpdate(List.of(models));
  }

  /**
   * Whether there is something, one model a slot at most, and every model fits in and is made of
   * numbers: what comes from outside may be anything.
   */
  boolean isValid(int slots, Layout layout) {
    return !models.isEmpty()
        && models.stream().map(SlotModel::slot).distinct().count() == models.size()
        && models.stream()
            .allMatch(
                model ->
                    model.slot() >= 0
                        && model.slot() < slots
                        && model.share() >= 0
                        && Double.isFinite(model.share())
                        && model.weights().layout().equals(layout)
                        && model.weights().isFinite());
  }
}
