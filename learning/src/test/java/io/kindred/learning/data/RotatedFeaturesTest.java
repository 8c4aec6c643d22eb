package io.kindred.learning.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.SettingException;
import io.kindred.core.weights.Ints;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RotatedFeaturesTest {
  private static Features pictures(int... bytes) {
    byte[] each = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      each[i] = (byte) bytes[i];
    }
    return new ByteFeatures(each, bytes.length, 1, 0);
  }

  private static float[] row(Features features, int row) {
    float[] values = new float[features.width() + 1];
    features.copy(row, values, 1);
    return Arrays.copyOfRange(values, 1, values.length);
  }

  /** By hand, as numpy's rot90 rotates: the right column becomes the upper row. */
  @Test
  void quartersTurnCounterClockwise() {
    Features upright = pictures(1, 2, 3, 4, 5, 6, 7, 8, 9);
    Features rotated =
        new RotatedFeatures(upright, List.of(1, 3, 3), Ints.of(0, 0, 0, 0), Ints.of(0, 1, 2, 3));
    assertThat(rotated.count()).isEqualTo(4);
    assertThat(row(rotated, 0)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(row(rotated, 1)).containsExactly(3, 6, 9, 2, 5, 8, 1, 4, 7);
    assertThat(row(rotated, 2)).containsExactly(9, 8, 7, 6, 5, 4, 3, 2, 1);
    assertThat(row(rotated, 3)).containsExactly(7, 4, 1, 8, 5, 2, 9, 6, 3);
  }

  @Test
  void channelsTurnEachForItself() {
    Features upright = pictures(1, 2, 3, 4, 5, 6, 7, 8);
    Features rotated = new RotatedFeatures(upright, List.of(2, 2, 2), Ints.of(0), Ints.of(1));
    assertThat(row(rotated, 0)).containsExactly(2, 4, 1, 3, 6, 8, 5, 7);
  }

  @Test
  void halfATurnNeedsNoSquare() {
    Features upright = pictures(1, 2, 3, 4, 5, 6);
    List<Integer> shape = List.of(1, 2, 3);
    assertThat(row(new RotatedFeatures(upright, shape, Ints.of(0), Ints.of(2)), 0))
        .containsExactly(6, 5, 4, 3, 2, 1);
    assertThatThrownBy(() -> new RotatedFeatures(upright, shape, Ints.of(0), Ints.of(3)))
        .isInstanceOf(SettingException.class)
        .hasMessage("samples of the shape [1, 2, 3] cannot be rotated by 90 degrees");
    assertThatThrownBy(() -> new RotatedFeatures(upright, List.of(6), Ints.of(0), Ints.of(2)))
        .isInstanceOf(SettingException.class)
        .hasMessage("samples of the shape [6] cannot be rotated");
    assertThat(row(new RotatedFeatures(upright, List.of(6), Ints.of(0), Ints.of(0)), 0))
        .containsExactly(1, 2, 3, 4, 5, 6);
  }
}
