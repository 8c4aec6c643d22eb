package io.kindred.learning.data.sensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.InMemoryDataFiles;
import io.kindred.learning.data.Users;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UciHarTest {
  private static final RandomStreams STREAMS = new RandomStreams(1);
  private static final List<String> CHANNELS =
      List.of(
          "body_acc_x",
          "body_acc_y",
          "body_acc_z",
          "body_gyro_x",
          "body_gyro_y",
          "body_gyro_z",
          "total_acc_x",
          "total_acc_y",
          "total_acc_z");

  private static String line(double value) {
    return IntStream.range(0, 128)
        .mapToObj(i -> "  " + (i == 0 ? value : 0.0))
        .collect(Collectors.joining());
  }

  /** Two samples a part; the first value of a channel is its number plus the sample's number. */
  private static InMemoryDataFiles original() {
    InMemoryDataFiles files = new InMemoryDataFiles();
    for (String part : new String[] {"train", "test"}) {
      files
          .with("uci-har/" + part + "/y_" + part + ".txt", "6\n1\n")
          .with("uci-har/" + part + "/subject_" + part + ".txt", "1\n30\n");
      for (int channel = 0; channel < 9; channel++) {
        files.with(
            "uci-har/" + part + "/Inertial Signals/" + CHANNELS.get(channel) + "_" + part + ".txt",
            line(channel) + "\n" + line(channel + 1) + "\n");
      }
    }
    return files;
  }

  private static InMemoryDataFiles packed(int[] activities, int[] persons) {
    byte[] inertial = new byte[2 * 1152 * activities.length];
    for (int sample = 0; sample < activities.length; sample++) {
      for (int channel = 0; channel < 9; channel++) {
        // 4096 times the value, so that the upper byte is 16 times the value.
        inertial[2 * (1152 * sample + 128 * channel)] = (byte) (16 * (channel + sample) / 4);
      }
    }
    return new InMemoryDataFiles()
        .with(
            "uci-har/har-inertial-int16-idx3",
            InMemoryDataFiles.idx(11, new int[] {activities.length, 9, 128}, inertial))
        .with("uci-har/har-activity-idx1-ubyte", column(activities))
        .with("uci-har/har-subject-idx1-ubyte", column(persons));
  }

  private static byte[] column(int[] values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return InMemoryDataFiles.idx(8, new int[] {values.length}, bytes);
  }

  @Test
  void originalTextFilesAreRead() {
    Dataset dataset = new UciHar().load(STREAMS, original());
    assertThat(dataset.shape()).containsExactly(9, 1, 128);
    assertThat(dataset.train().labels().copy()).containsExactly(5, 0);
    Users persons = dataset.train().users().orElseThrow();
    assertThat(persons.names()).hasSize(30).startsWith("01", "02").endsWith("30");
    assertThat(persons.bySample().copy()).containsExactly(0, 29);
    // Channel 8 has 8 and 9 among 254 zeros: mean 17/256, square mean 145/256.
    double mean = 17 / 256.0;
    double deviation = Math.sqrt(145 / 256.0 - mean * mean);
    assertThat(InMemoryDataFiles.sample(dataset.train(), 1)[8 * 128])
        .isCloseTo((float) ((9 - mean) / deviation), offset(1e-4f));
  }

  @Test
  void packedFilesAreSplitByThePublishedTestPersons() {
    Dataset dataset =
        new UciHar().load(STREAMS, packed(new int[] {0, 5, 3, 1}, new int[] {1, 2, 24, 30}));
    assertThat(dataset.train().labels().copy()).containsExactly(0, 1);
    assertThat(dataset.test().labels().copy()).containsExactly(5, 3);
    assertThat(dataset.test().users().orElseThrow().bySample().copy()).containsExactly(1, 23);
    // Channel 0 has 0 and 3/4 in training: the same zeros elsewhere, scaled.
    double mean = 0.75 / 256;
    double deviation = Math.sqrt(0.75 * 0.75 / 256 - mean * mean);
    assertThat(InMemoryDataFiles.sample(dataset.train(), 1)[0])
        .isCloseTo((float) ((0.75 - mean) / deviation), offset(1e-4f));
  }

  @Test
  void wrongLinesLabelsAndPersonsAreNamed() {
    UciHar source = new UciHar();
    assertThatThrownBy(
            () -> source.load(STREAMS, original().with("uci-har/train/y_train.txt", "6\n7\n")))
        .hasMessage(
            "uci-har/train/y_train.txt is damaged at line 2: a number from 1 to 6 is expected, not '7'");
    assertThatThrownBy(
            () -> source.load(STREAMS, original().with("uci-har/train/subject_train.txt", "1\n")))
        .hasMessageContaining("subject_train.txt is damaged at line 1: 1 lines for 2 samples");
    String channel = "uci-har/test/Inertial Signals/body_acc_x_test.txt";
    assertThatThrownBy(() -> source.load(STREAMS, original().with(channel, line(1) + "\n1 2 3\n")))
        .hasMessage(channel + " is damaged at line 2: 3 values, but 128 are expected");
    assertThatThrownBy(() -> source.load(STREAMS, original().with(channel, "")))
        .hasMessage(channel + " is damaged at line 1: the file is empty");
    assertThatThrownBy(() -> source.load(STREAMS, original().with(channel, line(1))))
        .hasMessage(channel + " is damaged at line 1: 1 lines for 2 samples");
    assertThatThrownBy(
            () ->
                source.load(
                    STREAMS, original().with(channel, line(1) + "\n" + line(Double.NaN) + "\n")))
        .hasMessage(channel + " is damaged at line 2: a number is expected, not 'NaN'");
    assertThatThrownBy(() -> source.load(STREAMS, packed(new int[] {0, 6}, new int[] {1, 2})))
        .hasMessage("uci-har/har-activity-idx1-ubyte is damaged at record 1: label 6 of 6 classes");
    assertThatThrownBy(() -> source.load(STREAMS, packed(new int[] {0, 5}, new int[] {1, 31})))
        .hasMessageStartingWith("uci-har/har-subject-idx1-ubyte is damaged at record 1");
    assertThatThrownBy(() -> source.load(STREAMS, packed(new int[] {0, 5}, new int[] {1})))
        .hasMessageContaining("1 values for 2 samples");
  }
}
