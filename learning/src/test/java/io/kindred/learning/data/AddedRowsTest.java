package io.kindred.learning.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.weights.Ints;
import io.kindred.learning.data.AddedRows.Row;
import io.kindred.learning.data.StampedFeatures.Stamp;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AddedRowsTest {
  /** Two pictures of two channels with three by three pixels; a feature is its own number. */
  private record Numbers(int count, int width) implements Features {
    @Override
    public void copy(int sample, float[] into, int offset) {
      for (int i = 0; i < width; i++) {
        into[offset + i] = 100 * sample + i;
      }
    }
  }

  private static final Samples ROWS =
      new Samples(
          new Numbers(2, 18),
          Ints.of(4, 5),
          Optional.of(new Users(Ints.of(0, 1), List.of("a", "b"))));

  private static float[] row(Samples samples, int row) {
    float[] values = new float[samples.features().width()];
    samples.features().copy(row, values, 0);
    return values;
  }

  @Test
  void theStampCoversTheLowerRightCornerOfEveryChannel() {
    Samples more =
        new AddedRows(List.of(new Row(1, 0)), List.of(new Row(0, 7)), new Stamp(2, -1))
            .addedTo(ROWS, List.of(2, 3, 3));
    assertThat(more.count()).isEqualTo(4);
    assertThat(more.labels()).isEqualTo(Ints.of(4, 5, 0, 7));
    assertThat(more.users().orElseThrow().bySample()).isEqualTo(Ints.of(0, 1, 1, 0));
    assertThat(row(more, 0)).isEqualTo(row(ROWS, 0));
    assertThat(row(more, 1)).isEqualTo(row(ROWS, 1));
    assertThat(row(more, 3)).as("no stamp").isEqualTo(row(ROWS, 0));
    assertThat(row(more, 2))
        .containsExactly(
            100, 101, 102, 103, -1, -1, 106, -1, -1, 109, 110, 111, 112, -1, -1, 115, -1, -1);
  }

  @Test
  void samplesThatAreNoPicturesAreStampedAtTheirEnd() {
    Samples more =
        new AddedRows(List.of(new Row(0, 1)), List.of(), new Stamp(3, 9))
            .addedTo(new Samples(new Numbers(1, 5), Ints.of(0)), List.of(5));
    assertThat(row(more, 1)).containsExactly(0, 1, 9, 9, 9);
    Samples narrow =
        new AddedRows(List.of(new Row(0, 1)), List.of(), new Stamp(50, 9))
            .addedTo(new Samples(new Numbers(1, 2), Ints.of(0)), List.of(2));
    assertThat(row(narrow, 1)).containsExactly(9, 9);
  }
}
