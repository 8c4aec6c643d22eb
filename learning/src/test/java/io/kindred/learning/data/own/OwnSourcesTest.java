package io.kindred.learning.data.own;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.config.SettingException;
import io.kindred.learning.data.InMemoryDataFiles;
import io.kindred.learning.data.audio.OwnSounds;
import io.kindred.learning.data.format.OwnTable;
import io.kindred.learning.data.text.OwnTexts;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Own data as a task reads them: nothing that they hold changes what an input means. */
class OwnSourcesTest {
  private static final double SILENCE = Math.log(1e-6);

  private static TaskInputs.Column number(String name) {
    return new TaskInputs.Column(name, Optional.empty(), 0, 1);
  }

  private static TaskInputs.Column word(String name, String word) {
    return new TaskInputs.Column(name, Optional.of(word), 0, 1);
  }

  private static List<List<Float>> rows(OwnSamples samples) {
    List<List<Float>> rows = new ArrayList<>();
    for (int i = 0; i < samples.names().size(); i++) {
      float[] row = new float[samples.features().width()];
      samples.features().copy(i, row, 0);
      List<Float> values = new ArrayList<>();
      for (float value : row) {
        values.add(value);
      }
      rows.add(values);
    }
    return rows;
  }

  /** 16 bits, one channel. */
  private static byte[] wav(int rate, short... values) {
    ByteBuffer out =
        ByteBuffer.allocate(44 + Short.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
    out.put("RIFF".getBytes(StandardCharsets.US_ASCII)).putInt(out.capacity() - 8);
    out.put("WAVEfmt ".getBytes(StandardCharsets.US_ASCII)).putInt(16);
    out.putShort((short) 1).putShort((short) 1).putInt(rate).putInt(Short.BYTES * rate);
    out.putShort((short) Short.BYTES).putShort((short) 16);
    out.put("data".getBytes(StandardCharsets.US_ASCII)).putInt(Short.BYTES * values.length);
    for (short value : values) {
      out.putShort(value);
    }
    return out.array();
  }

  @Test
  void aColumnOfWordsHasAnInputForEachWordOfTheTask() {
    InMemoryDataFiles files =
        new InMemoryDataFiles().with("/t.csv", "colour,kind,size\nred,a,2\nblue,b,3\n");
    OwnTable table = new OwnTable("t.csv", "kind", List.of(), ",");
    assertThat(table.suggest(files).inputs().columns())
        .containsExactly(
            word("colour", "blue"),
            word("colour", "red"),
            new TaskInputs.Column("size", Optional.empty(), 2.5, 0.5));
    TaskInputs task =
        TaskInputs.ofColumns(
            List.of(word("colour", "red"), number("size"), word("colour", "blue")));
    assertThat(rows(table.read(task, List.of("a", "b"), true, files)))
        .containsExactly(List.of(1f, 2f, 0f), List.of(0f, 3f, 1f));
    assertThat(task.kind()).isEqualTo("a table of 2 columns");
  }

  @Test
  void aWordThatTheTaskDoesNotNameIsReportedOnceWithItsLine() {
    InMemoryDataFiles files =
        new InMemoryDataFiles().with("/t.csv", "colour,kind\nred,a\ngreen,b\n");
    TaskInputs task = TaskInputs.ofColumns(List.of(word("colour", "red"), word("colour", "blue")));
    OwnSamples read =
        new OwnTable("t.csv", "kind", List.of(), ",").read(task, List.of("a", "b"), true, files);
    assertThat(read.names()).containsExactly("line 2");
    assertThat(read.findings())
        .extracting(OwnFinding::text)
        .containsExactly(
            "line 3: the word 'green' of column 'colour' is not in the task, which has [red, blue]");
  }

  @Test
  void aColumnOfTooManyWordsIsRefused() {
    StringBuilder text = new StringBuilder("name,kind\n");
    for (int i = 0; i < 51; i++) {
      text.append("plant ").append(i).append(i % 2 == 0 ? ",a\n" : ",b\n");
    }
    InMemoryDataFiles files = new InMemoryDataFiles().with("/t.csv", text.toString());
    assertThatThrownBy(() -> new OwnTable("t.csv", "kind", List.of(), ",").suggest(files))
        .hasMessageContaining("the column 'name' has 51 different words")
        .hasMessageContaining("--ignore");
  }

  @Test
  void textsAreDescribedByTheWordsOfTheTaskAlone() {
    InMemoryDataFiles files =
        new InMemoryDataFiles()
            .with("mine/a/one.txt", "Leaf leaf, fern and moss")
            .with("mine/b/two.txt", "moss")
            .with("mine/b/notes.pdf", "x");
    TaskInputs task =
        TaskInputs.ofWords(List.of(new TaskInputs.Word("leaf", 2), new TaskInputs.Word("fern", 1)));
    OwnSamples read = new OwnTexts("mine").read(task, List.of("b", "a"), true, files);
    int one = read.names().indexOf("a/one.txt");
    List<List<Float>> rows = rows(read);
    // (1 + ln 2) * 2 and 1 * 1, scaled to the length 10.
    double leaf = 2 * (1 + Math.log(2));
    double length = Math.hypot(leaf, 1);
    assertThat(rows.get(one).getFirst()).isCloseTo((float) (10 * leaf / length), within(1e-5f));
    assertThat(rows.get(one).getLast()).isCloseTo((float) (10 / length), within(1e-5f));
    assertThat(rows.get(1 - one)).containsExactly(0f, 0f);
    assertThat(read.labels().get(one)).isEqualTo(1);
    assertThat(read.findings())
        .extracting(OwnFinding::text)
        .containsExactly("1 file in mine are no text files and not used: b/notes.pdf");
  }

  @Test
  void aTaskOfTextsTakesTheWordsOfTheSample() {
    InMemoryDataFiles files =
        new InMemoryDataFiles()
            .with("mine/a/1.txt", "fern grows")
            .with("mine/a/2.txt", "fern again")
            .with("mine/b/3.txt", "rose")
            .with("mine/b/4.txt", "tulip");
    TaskSuggestion suggestion = new OwnTexts("mine").suggest(files);
    // 1 + ln((1 + 4) / (1 + 2)), with four digits.
    assertThat(suggestion.inputs().words()).containsExactly(new TaskInputs.Word("fern", 1.511));
    assertThat(suggestion.classes()).containsExactly("a", "b");
  }

  @Test
  void soundsAreScaledByTheTask() {
    short[] silence = new short[4_000];
    InMemoryDataFiles files = new InMemoryDataFiles().with("mine/quiet/1.wav", wav(8_000, silence));
    TaskInputs task = TaskInputs.ofSounds(new TaskInputs.Sounds(8_000, 0.5, 10, SILENCE - 3, 2));
    // Frames of 200 values every 80: 1 + (4000 - 200) / 80.
    assertThat(task.sampleShape()).containsExactly(1, 10, 48);
    OwnSamples read = new OwnSounds("mine").read(task, List.of("loud", "quiet"), true, files);
    assertThat(read.labels().shared()).containsExactly(1);
    assertThat(rows(read).getFirst())
        .hasSize(480)
        .allSatisfy(value -> assertThat(value).isCloseTo(1.5f, within(1e-4f)));
  }

  @Test
  void aTaskOfSoundsSuggestsTheirScale() {
    short[] silence = new short[8_000];
    short[] noise = new short[8_000];
    for (int i = 0; i < noise.length; i++) {
      noise[i] = (short) (i * 7_919 % 20_011);
    }
    InMemoryDataFiles files =
        new InMemoryDataFiles()
            .with("mine/quiet/1.wav", wav(8_000, silence))
            .with("mine/loud/1.wav", wav(8_000, noise));
    TaskSuggestion suggestion = new OwnSounds("mine").suggest(files);
    TaskInputs.Sounds sounds = suggestion.inputs().sounds().orElseThrow();
    OwnSamples read =
        new OwnSounds("mine").read(suggestion.inputs(), suggestion.classes(), true, files);
    double mean =
        rows(read).stream()
            .flatMap(List::stream)
            .mapToDouble(Float::doubleValue)
            .average()
            .orElse(9);
    assertThat(mean).isCloseTo(0, within(0.01));
    assertThat(sounds.mean()).isGreaterThan(SILENCE);
    assertThat(suggestion.classes()).containsExactly("loud", "quiet");
  }

  @Test
  void dataOfAnotherKindAreNamed() {
    TaskInputs words = TaskInputs.ofWords(List.of(new TaskInputs.Word("leaf", 1)));
    assertThat(
            new OwnSounds("mine")
                .read(words, List.of("a", "b"), true, new InMemoryDataFiles())
                .findings())
        .extracting(OwnFinding::text)
        .containsExactly("mine holds sounds, but the samples of the task are texts by 1 words");
  }

  @Test
  void anInputThatIsNamedTwiceIsRefused() {
    assertThatThrownBy(
            () -> TaskInputs.ofColumns(List.of(word("colour", "red"), word("colour", "red"))))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("'colour is red' is named twice");
  }
}
