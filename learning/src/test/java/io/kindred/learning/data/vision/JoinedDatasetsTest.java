package io.kindred.learning.data.vision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.ByteFeatures;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataSource;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.Users;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class JoinedDatasetsTest {
  /**
   * Pictures of one value each, counting up from {@code from}; the corner of each picture is seven.
   */
  private record Made(String name, List<Integer> shape, int classes, int count, int from)
      implements DataSource {
    @Override
    public Dataset load(RandomStreams streams, DataFiles files) {
      int width = shape.stream().reduce(1, (a, b) -> a * b);
      byte[] bytes = new byte[count * width];
      int[] labels = new int[count];
      for (int i = 0; i < count; i++) {
        Arrays.fill(bytes, i * width, (i + 1) * width, (byte) (from + i));
        bytes[i * width] = 7;
        labels[i] = i % classes;
      }
      Samples samples = new Samples(new ByteFeatures(bytes, width, 1, 0), Ints.wrap(labels));
      return new Dataset(name, shape, classes, samples, samples);
    }
  }

  private static final Made COLOUR = new Made("colour", List.of(3, 4, 4), 5, 20, 100);
  private static final Made GREY = new Made("grey", List.of(1, 2, 2), 4, 12, 11);

  private static Dataset load(JoinedDatasets mixture) {
    return mixture.load(new RandomStreams(1), DataFiles.NONE);
  }

  @Test
  void asManyComeFromEachAndSayFromWhere() {
    Dataset joined = load(new JoinedDatasets(COLOUR, GREY, 10, JoinedDatasets.Labels.SHARED));
    assertThat(joined.name()).isEqualTo("colour and grey");
    assertThat(joined.classes()).isEqualTo(5);
    assertThat(joined.shape()).containsExactly(3, 4, 4);
    assertThat(joined.train().count()).isEqualTo(20);
    assertThat(joined.test().count()).isEqualTo(24);
    Users origins = joined.train().users().orElseThrow();
    assertThat(origins.names()).containsExactly("colour", "grey");
    float[] row = new float[48];
    TreeSet<Float> seen = new TreeSet<>();
    for (int i = 0; i < 20; i++) {
      joined.train().features().copy(i, row, 0);
      boolean grey = origins.of(i) == 1;
      // The middle of every row is the picture; the edge of a grey picture is padding.
      assertThat(row[10] < 100).isEqualTo(grey);
      assertThat(row[1] == 7).isEqualTo(grey);
      int made = (int) row[10] - (grey ? 11 : 100);
      assertThat(joined.train().labels().get(i)).isEqualTo(made % (grey ? 4 : 5));
      seen.add(row[10]);
    }
    assertThat(seen).as("drawn without repetition").hasSize(20);
  }

  @Test
  void smallGreyPicturesStandInTheMiddleOfEveryChannel() {
    Dataset joined = load(new JoinedDatasets(GREY, COLOUR, 0, JoinedDatasets.Labels.APART));
    assertThat(joined.classes()).isEqualTo(9);
    float[] row = new float[48];
    joined.test().features().copy(3, row, 0);
    float value = row[10];
    assertThat(value).isBetween(11f, 22f);
    float[] channel = {7, 7, 7, 7, 7, 7, value, 7, 7, value, value, 7, 7, 7, 7, 7};
    for (int c = 0; c < 3; c++) {
      assertThat(Arrays.copyOfRange(row, 16 * c, 16 * (c + 1))).containsExactly(channel);
    }
    int[] labels = joined.test().labels().copy();
    assertThat(Arrays.stream(labels, 0, 12).max()).hasValue(3);
    assertThat(Arrays.stream(labels, 12, 24)).allMatch(label -> label >= 4 && label < 9);
  }

  @Test
  void whatCannotBeJoinedIsRefused() {
    Made readings = new Made("readings", List.of(48), 5, 20, 1);
    assertThatThrownBy(
            () -> load(new JoinedDatasets(COLOUR, readings, 0, JoinedDatasets.Labels.SHARED)))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("cannot be joined");
    assertThatThrownBy(
            () -> load(new JoinedDatasets(COLOUR, GREY, 13, JoinedDatasets.Labels.SHARED)))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("only 12");
  }
}
