package io.kindred.learning.data.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.InMemoryDataFiles;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.Users;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class OwnDataTest {
  private static final RandomStreams STREAMS = new RandomStreams(1);
  private static final String TABLE =
      """
      height,weight,who,kind
      1,10,ann,cat
      2,10,ben,"dog, big"

      3,10,ann,cat
      6,10,cyd,"dog, big"
      """;

  private static CsvTable csv(String test, boolean scale) {
    return new CsvTable("mine", "kind", "who", List.of(), "train.csv", test, 0.5, ",", scale);
  }

  private static InMemoryDataFiles table(String text) {
    return new InMemoryDataFiles().with("mine/train.csv", text);
  }

  @Test
  void aTableIsReadByTheNamesOfItsColumns() {
    InMemoryDataFiles files =
        table(TABLE).with("mine/test.csv", "height,weight,who,kind\n5,12,dan,cat\n");
    Dataset plain = csv("test.csv", false).load(STREAMS, files);
    assertThat(plain.classes()).isEqualTo(2);
    assertThat(plain.train().labels().copy()).containsExactly(0, 1, 0, 1);
    assertThat(InMemoryDataFiles.sample(plain.train(), 3)).containsExactly(6, 10);
    Users users = plain.test().users().orElseThrow();
    assertThat(users.names()).containsExactly("ann", "ben", "cyd", "dan");
    assertThat(users.bySample().copy()).containsExactly(3);
    // Heights 1, 2, 3, 6 have mean 3 and deviation sqrt(3.5); all weights are 10.
    Dataset scaled = csv("test.csv", true).load(STREAMS, files);
    assertThat(InMemoryDataFiles.sample(scaled.test(), 0)[0])
        .isCloseTo((float) (2 / Math.sqrt(3.5)), offset(1e-6f));
    assertThat(InMemoryDataFiles.sample(scaled.test(), 0)[1]).isEqualTo(2);
  }

  @Test
  void theDrawnTestTakesTheSameShareOfEveryClassAndFollowsTheSeed() {
    StringBuilder text = new StringBuilder("x,label\n");
    for (int i = 0; i < 100; i++) {
      text.append(i).append(i < 80 ? ",a\n" : ",b\n");
    }
    CsvTable source =
        new CsvTable("mine", "label", "", List.of(), "train.csv", "", 0.25, ",", false);
    InMemoryDataFiles files = table(text.toString());
    Dataset dataset = source.load(STREAMS, files);
    assertThat(Arrays.stream(dataset.test().labels().copy()).filter(each -> each == 0)).hasSize(20);
    assertThat(Arrays.stream(dataset.test().labels().copy()).filter(each -> each == 1)).hasSize(5);
    assertThat(dataset.train().count()).isEqualTo(75);
    assertThat(dataset.train().users()).isEmpty();
    float[] chosen = values(dataset.test());
    assertThat(values(source.load(STREAMS, files).test())).isEqualTo(chosen);
    assertThat(values(source.load(new RandomStreams(2), files).test())).isNotEqualTo(chosen);
    float[] rest = values(dataset.train());
    for (float value : chosen) {
      assertThat(rest).doesNotContain(value);
    }
  }

  private static float[] values(Samples samples) {
    float[] values = new float[samples.count() * samples.features().width()];
    for (int i = 0; i < samples.count(); i++) {
      samples.features().copy(i, values, i * samples.features().width());
    }
    return values;
  }

  @Test
  void wrongTablesAreNamedWithTheirLine() {
    assertThatThrownBy(() -> csv("", true).load(STREAMS, table(TABLE + "x,1,ann,cat\n")))
        .hasMessage(
            "mine/train.csv is damaged at line 7: the column 'height' must be a number, not 'x';"
                + " fill it in, or name the column in dataset.ignore");
    assertThatThrownBy(() -> csv("", true).load(STREAMS, table(TABLE + "1,,ann,cat\n")))
        .hasMessageContaining("line 7: the column 'weight' must be a number, not ''");
    assertThatThrownBy(() -> csv("", true).load(STREAMS, table(TABLE + "1,2,ann\n")))
        .hasMessage("mine/train.csv is damaged at line 7: 3 values, but the first line has 4");
    assertThatThrownBy(() -> csv("", true).load(STREAMS, table(TABLE + "1,2,ann,\n")))
        .hasMessage("mine/train.csv is damaged at line 7: the column 'kind' is empty");
    assertThatThrownBy(() -> csv("", true).load(STREAMS, table(TABLE + "1,2,ann,\"cat\n")))
        .hasMessageContaining("line 7: a quotation mark is not closed");
    assertThatThrownBy(() -> csv("", true).load(STREAMS, table("")))
        .hasMessage("mine/train.csv is damaged at line 1: the file is empty");
    assertThatThrownBy(() -> csv("", true).load(STREAMS, table("height,who,kind\n")))
        .hasMessage("mine/train.csv is damaged at line 1: the file has no row after its header");
    assertThatThrownBy(() -> csv("", true).load(STREAMS, table("a,b\n1,2\n")))
        .isInstanceOf(SettingException.class)
        .hasMessage("there is no column 'kind' in mine/train.csv");
    assertThatThrownBy(() -> csv("", true).load(STREAMS, table("who,kind,x\na,b,1\n")))
        .hasMessageEndingWith("all rows have the label b");
    InMemoryDataFiles unknown =
        table(TABLE).with("mine/test.csv", "height,weight,who,kind\n5,1,dan,fox\n");
    assertThatThrownBy(() -> csv("test.csv", true).load(STREAMS, unknown))
        .hasMessage("mine/test.csv is damaged at row 1: the label 'fox' is not in train.csv");
    InMemoryDataFiles other = table(TABLE).with("mine/test.csv", "height,who,kind\n5,dan,cat\n");
    assertThatThrownBy(() -> csv("test.csv", true).load(STREAMS, other))
        .hasMessageContaining("mine/test.csv is damaged at line 1: its columns are [height]");
  }

  private static String lines(String text, char separator) {
    return CsvParser.rows("made", text.getBytes(StandardCharsets.UTF_8), separator).stream()
        .map(row -> row.line() + String.join("|", row.values()))
        .collect(Collectors.joining(" / "));
  }

  @Test
  void separatedValuesAreReadAsProgramsWriteThem() {
    assertThat(lines("\uFEFFa;b\r\n\r\n 1 ;\" x;\"\"y\"\"\r\nz\"\r\n2;\r\n", ';'))
        .isEqualTo("1a|b / 31| x;\"y\"\r\nz / 52|");
    assertThat(lines("a\tb\n  \n1\t\"2\"", '\t')).isEqualTo("1a|b / 31|2");
    assertThatThrownBy(() -> lines("a,b\n1,\"x\ny\"\n2,\"3\"4\n", ','))
        .hasMessage(
            "made is damaged at line 4: a quotation mark is not closed, or text follows a"
                + " closing one");
  }

  private static byte[] tensors(String header, byte[]... contents) {
    byte[] json = header.getBytes(StandardCharsets.UTF_8);
    int size = Arrays.stream(contents).mapToInt(each -> each.length).sum();
    ByteBuffer out = ByteBuffer.allocate(8 + json.length + size).order(ByteOrder.LITTLE_ENDIAN);
    out.putLong(json.length).put(json);
    for (byte[] content : contents) {
      out.put(content);
    }
    return out.array();
  }

  private static byte[] floats(float... values) {
    ByteBuffer out = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (float value : values) {
      out.putFloat(value);
    }
    return out.array();
  }

  private static byte[] longs(long... values) {
    ByteBuffer out = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (long value : values) {
      out.putLong(value);
    }
    return out.array();
  }

  private static final String HEADER =
      """
      {"__metadata__":{"a":"b"},
       "features":{"dtype":"F32","shape":[4,1,2],"data_offsets":[0,32]},
       "labels":{"dtype":"I64","shape":[4],"data_offsets":[32,64]},
       "users":{"dtype":"U8","shape":[4],"data_offsets":[64,68]}}\
      """;

  private static byte[] own(long... labels) {
    return tensors(HEADER, floats(1, 2, 3, 4, 5, 6, 7, 8), longs(labels), new byte[] {0, 2, 0, 2});
  }

  private static Dataset load(byte[] bytes) {
    return new SafetensorsSource("mine", "data.safetensors", 0.5)
        .load(STREAMS, new InMemoryDataFiles().with("mine/data.safetensors", bytes));
  }

  @Test
  void tensorsAreReadAsSamples() {
    Dataset dataset = load(own(0, 1, 0, 1));
    assertThat(dataset.shape()).containsExactly(1, 2);
    assertThat(dataset.classes()).isEqualTo(2);
    assertThat(dataset.train().count()).isEqualTo(2);
    assertThat(dataset.test().count()).isEqualTo(2);
    int label = dataset.train().labels().get(0);
    float first = InMemoryDataFiles.sample(dataset.train(), 0)[0];
    assertThat(first == 1 || first == 5).isEqualTo(label == 0);
    assertThat(dataset.train().users().orElseThrow().of(0)).isEqualTo(2 * label);
    assertThat(dataset.train().users().orElseThrow().count()).isEqualTo(3);
  }

  @Test
  void aTestInTheFileIsTaken() {
    String header =
        """
        {"features":{"dtype":"U8","shape":[2,2],"data_offsets":[0,4]},
         "labels":{"dtype":"U8","shape":[2],"data_offsets":[4,6]},
         "test_features":{"dtype":"U8","shape":[1,2],"data_offsets":[6,8]},
         "test_labels":{"dtype":"U8","shape":[1],"data_offsets":[8,9]}}\
        """;
    byte[] bytes = tensors(header, new byte[] {1, 2, 3, (byte) 200, 0, 1, 9, 8, 1});
    Dataset dataset = load(bytes);
    assertThat(InMemoryDataFiles.sample(dataset.train(), 1)).containsExactly(3, 200);
    assertThat(InMemoryDataFiles.sample(dataset.test(), 0)).containsExactly(9, 8);
    assertThat(dataset.test().users()).isEmpty();
    bytes[bytes.length - 1] = 2;
    assertThatThrownBy(() -> load(bytes)).hasMessageContaining("value 0 is 2, but training has 2");
  }

  @Test
  void damagedTensorsAreNamedWithTheirByte() {
    byte[] whole = own(0, 1, 0, 1);
    for (int length : new int[] {0, 7, 8, 100, whole.length - 1}) {
      assertThatThrownBy(() -> load(Arrays.copyOf(whole, length)))
          .as("length %d", length)
          .isInstanceOf(DamagedDataException.class)
          .hasMessageStartingWith("mine/data.safetensors is damaged at byte ");
    }
    assertThatThrownBy(() -> load(own(0, 0, 0, 0))).hasMessageEndingWith("all labels are 0");
    assertThatThrownBy(() -> load(own(0, 1, 0, -1)))
        .hasMessageEndingWith("value 3 of labels is -1");
    byte[] values = Arrays.copyOfRange(whole, whole.length - 68, whole.length);
    byte[] none = tensors(HEADER.replace("labels", "marks_"), values);
    assertThatThrownBy(() -> load(none)).hasMessageContaining("there is no tensor 'labels' among");
    byte[] half = tensors(HEADER.replace("\"F32\"", "\"F16\""), values);
    assertThatThrownBy(() -> load(half)).hasMessageContaining("features is of type F16");
    byte[] few =
        tensors(
            HEADER.replace(
                "\"shape\":[4],\"data_offsets\":[32", "\"shape\":[3],\"data_offsets\":[32"),
            values);
    assertThatThrownBy(() -> load(few)).hasMessageContaining("labels has the shape [3] for 4 rows");
    byte[] wrong =
        tensors(HEADER, floats(1, 2, 3, 4, 5, Float.NaN, 7, 8), longs(0, 1, 0, 1), new byte[4]);
    assertThatThrownBy(() -> load(wrong)).hasMessageContaining("value 5 of features is NaN");
    byte[] longer = Arrays.copyOf(whole, whole.length + 1);
    assertThatThrownBy(() -> load(longer))
        .hasMessageContaining("the file is too long; expected 68 bytes of values, found 69 bytes");
    byte[] huge = tensors(HEADER.replace("[4,1,2]", "[4000000000,4000000000]"), values);
    assertThatThrownBy(() -> load(huge)).hasMessageContaining("the shape of features is [4000");
  }
}
