package io.kindred.learning.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SkeletonTest {
  @Test
  void readsVerbsAndPointsInOrder() {
    Skeleton skeleton = Skeleton.parse("M1 -2 L3 4 C5 6 7 8 9 10");
    assertThat(skeleton.verbs()).isEqualTo(3);
    assertThat(skeleton.verb(2)).isEqualTo(Skeleton.CURVE);
    assertThat(skeleton.points()).isEqualTo(5);
    assertThat(skeleton.y(0)).isEqualTo(-2);
    assertThat(skeleton.x(4)).isEqualTo(9);
  }

  @Test
  void refusesAPathWithMissingCoordinates() {
    assertThatThrownBy(() -> Skeleton.parse("M1 2 C3 4 L5 6"))
        .hasMessageContaining("wrong number of coordinates");
  }

  @Test
  void refusesAnUnknownVerb() {
    assertThatThrownBy(() -> Skeleton.parse("M1 2 X3 4")).hasMessageContaining("X");
  }
}
