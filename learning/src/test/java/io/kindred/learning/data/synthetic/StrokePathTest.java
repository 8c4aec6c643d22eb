package io.kindred.learning.data.synthetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class StrokePathTest {
  @Test
  void readsVerbsAndPointsInOrder() {
    StrokePath strokePath = StrokePath.parse("M1 -2 L3 4 C5 6 7 8 9 10");
    assertThat(strokePath.commands()).isEqualTo(3);
    assertThat(strokePath.command(2)).isEqualTo(StrokePath.CURVE_TO);
    assertThat(strokePath.points()).isEqualTo(5);
    assertThat(strokePath.y(0)).isEqualTo(-2);
    assertThat(strokePath.x(4)).isEqualTo(9);
  }

  @Test
  void refusesAPathWithMissingCoordinates() {
    assertThatThrownBy(() -> StrokePath.parse("M1 2 C3 4 L5 6"))
        .hasMessageContaining("wrong number of coordinates");
  }

  @Test
  void refusesAnUnknownVerb() {
    assertThatThrownBy(() -> StrokePath.parse("M1 2 X3 4")).hasMessageContaining("X");
  }
}
