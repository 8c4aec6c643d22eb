package io.kindred.learning.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.ByteFeatures;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModelsTest {
  private static final Samples ONE =
      new Samples(new ByteFeatures(new byte[] {0, 51, -1, 1}, 4, 0.5f, -1), Ints.of(2));
  private static final Dataset TASK = new Dataset("toy", List.of(1, 2, 2), 3, ONE, ONE);

  private static Weights initial(Model model, long seed) {
    return model
        .sizedFor(TASK)
        .initialWeights(new RandomStreams(seed).stream(Purpose.INITIAL_WEIGHTS, 0, 0));
  }

  @Test
  void softmaxIsOneDenseLayer() {
    Architecture architecture = new Softmax().sizedFor(TASK);
    assertThat(architecture.layout())
        .isEqualTo(Layout.builder().add("output.weight", 3, 4).add("output.bias", 3).build());
    assertThat(architecture.forwardOperations()).isEqualTo(2 * 3 * 5);
  }

  @Test
  void hiddenLayersLieBetweenInputsAndClasses() {
    Architecture architecture = new Mlp(List.of(6, 5)).sizedFor(TASK);
    assertThat(architecture.layout())
        .isEqualTo(
            Layout.builder()
                .add("hidden1.weight", 6, 4)
                .add("hidden1.bias", 6)
                .add("hidden2.weight", 5, 6)
                .add("hidden2.bias", 5)
                .add("output.weight", 3, 5)
                .add("output.bias", 3)
                .build());
    assertThat(architecture.forwardOperations()).isEqualTo(2 * (6 * 5 + 5 * 7 + 3 * 6));
    assertThat(new Mlp(List.of()).sizedFor(TASK)).isEqualTo(new Softmax().sizedFor(TASK));
  }

  @Test
  void aHiddenLayerNeedsAUnit() {
    assertThatThrownBy(() -> new Mlp(List.of(4, 0)))
        .isInstanceOfSatisfying(
            SettingException.class,
            invalid -> assertThat(invalid.path()).isEqualTo("model.hidden"));
  }

  @Test
  void initialWeightsStayWithinTheBoundOfTheirLayer() {
    Weights weights = initial(new Mlp(List.of(50)), 1);
    Layout layout = weights.layout();
    for (int i = 0; i < weights.size(); i++) {
      boolean hidden = i < layout.block("hidden1.bias").end();
      assertThat(Math.abs(weights.get(i))).isLessThanOrEqualTo(hidden ? 0.5f : 0.14142136f);
    }
    assertThat(initial(new Mlp(List.of(50)), 1)).isEqualTo(weights);
    assertThat(initial(new Mlp(List.of(50)), 2)).isNotEqualTo(weights);
  }

  @Test
  void bytesBecomeScaledFloats() {
    float[] row = new float[5];
    ONE.features().copy(0, row, 1);
    assertThat(row).containsExactly(0, -1, 24.5f, 126.5f, -0.5f);
    assertThatThrownBy(() -> new ByteFeatures(new byte[5], 4, 1, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Samples(ONE.features(), Ints.of(1, 2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("1 samples but 2 labels");
  }
}
