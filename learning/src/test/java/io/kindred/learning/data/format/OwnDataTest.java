package io.kindred.learning.data.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.InMemoryDataFiles;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class OwnDataTest {
  private static final RandomStreams STREAMS = new RandomStreams(1);

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
