package io.kindred.methods.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.Driver;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModelUpdateTest {
  private static final Weights MODEL = Driver.weights(1, 2);

  private static boolean sound(SlotModel... models) {
    return ModelUpdate.of(models).isValid(2, MODEL.layout());
  }

  @Test
  void modelsOfKnownSlotsAreTaken() {
    assertThat(sound(new SlotModel(0, MODEL, 3), new SlotModel(1, MODEL, 0))).isTrue();
    assertThat(new ModelUpdate(List.of()).isValid(2, MODEL.layout())).as("nothing").isFalse();
  }

  @Test
  void whatCannotBeTakenInIsNot() {
    assertThat(sound(new SlotModel(2, MODEL, 1))).as("no such slot").isFalse();
    assertThat(sound(new SlotModel(-1, MODEL, 1))).as("no such slot").isFalse();
    assertThat(sound(new SlotModel(0, MODEL, 1), new SlotModel(0, MODEL, 1)))
        .as("one slot twice")
        .isFalse();
    assertThat(sound(new SlotModel(0, MODEL, -1))).as("a share below zero").isFalse();
    assertThat(sound(new SlotModel(0, MODEL, Double.NaN)))
        .as("a share that is no number")
        .isFalse();
    assertThat(sound(new SlotModel(0, MODEL, 1e300))).as("more samples than there are").isFalse();
    assertThat(sound(new SlotModel(0, MODEL, Double.POSITIVE_INFINITY)))
        .as("no number of samples")
        .isFalse();
    assertThat(sound(new SlotModel(0, Driver.weights(1, Float.NaN), 1))).as("no numbers").isFalse();
    assertThat(sound(new SlotModel(0, Driver.weights(1, 2, 3), 1))).as("another model").isFalse();
    assertThat(
            sound(
                new SlotModel(0, MODEL, 1), new SlotModel(1, MODEL, 1), new SlotModel(0, MODEL, 1)))
        .as("more than there are slots")
        .isFalse();
  }

  @Test
  void labelCountsBelowZeroAreRefused() {
    ModelUpdate update = ModelUpdate.of(new SlotModel(0, MODEL, 1));
    assertThat(update.withLabelCounts(Ints.of(0, 3)).isValid(2, MODEL.layout())).isTrue();
    assertThat(update.withLabelCounts(Ints.of(4, -1)).isValid(2, MODEL.layout())).isFalse();
  }
}
