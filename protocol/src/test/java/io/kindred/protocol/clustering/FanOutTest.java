package io.kindred.protocol.clustering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import java.util.List;
import org.junit.jupiter.api.Test;

class FanOutTest {
  /** Points on a line; nearer ones are more similar. */
  private static Floats line(double... places) {
    float[] matrix = new float[places.length * places.length];
    for (int i = 0; i < matrix.length; i++) {
      double apart = places[i / places.length] - places[i % places.length];
      matrix[i] = (float) -Math.abs(apart);
    }
    return Floats.wrap(matrix);
  }

  private static ExemplarClustering clustering(Ints exemplars, int... labels) {
    return new ExemplarClustering(exemplars, Ints.wrap(labels), true, 20);
  }

  @Test
  void whatIsSmallEnoughStaysAsItIs() {
    ExemplarClustering found = clustering(Ints.of(0, 3), 0, 0, 0, 1, 1, 1);
    assertThat(new FanOut(6, line(0, 1, 2, 10, 11, 12), 3).limit(found)).isEqualTo(found);
  }

  @Test
  void aLargeClusterIsSplitByNearnessToItsExemplar() {
    ExemplarClustering one = clustering(Ints.of(1), 0, 0, 0, 0, 0, 0);
    ExemplarClustering bound = new FanOut(6, line(0, 1, 2, 10, 11, 12), 4).limit(one);
    assertThat(bound.count()).isEqualTo(2);
    assertThat(List.of(bound.members(0), bound.members(1)))
        .containsExactlyInAnyOrder(List.of(0, 1, 2), List.of(3, 4, 5));
    // The new piece is centred on its most central member.
    assertThat(bound.exemplars()).isEqualTo(Ints.of(1, 4));
  }

  @Test
  void clustersThatHardlyBringAnybodyTogetherAreFormedAnew() {
    ExemplarClustering apart = clustering(Ints.of(0, 1, 2, 3, 4), 0, 1, 2, 3, 4);
    ExemplarClustering bound = new FanOut(5, line(0, 1, 2, 3, 4), 3).limit(apart);
    assertThat(bound.count()).isEqualTo(2);
  }

  @Test
  void clustersOfOneWouldNeverEnd() {
    assertThatThrownBy(() -> new FanOut(2, line(0, 1), 1)).hasMessageContaining("cannot be split");
  }
}
