package io.kindred.storage.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SafetensorsTest {
  private static final Layout LAYOUT =
      Layout.builder().add("fc.weight", 2, 3).add("fc.bias", 2).build();
  private static final float[] VALUES = {1, -2, 3.5f, 0, -0.0f, 1e-30f, 7, 8};
  private static final String BOTH =
      """
      {"fc.weight":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},\
      "fc.bias":{"dtype":"F32","shape":[2],"data_offsets":[24,32]}}""";

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = folder.resolve("model.safetensors");
  }

  private void write(long length, String header, float... values) throws IOException {
    byte[] text = header.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes =
        ByteBuffer.allocate(8 + text.length + 4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(length).put(text);
    for (float value : values) {
      bytes.putFloat(value);
    }
    Files.write(file, bytes.array());
  }

  private void write(String header, float... values) throws IOException {
    write(header.length(), header, values);
  }

  private void checkRefused(String... parts) {
    assertThatThrownBy(() -> Safetensors.read(file, LAYOUT))
        .isInstanceOfSatisfying(
            DamagedFileException.class, refusal -> assertThat(refusal.file()).isEqualTo(file))
        .hasMessageContainingAll(parts)
        .hasMessageContaining(file.toString());
  }

  @Test
  void readsWhatItWrote() throws IOException {
    Layout large =
        Layout.builder().add("a", 3).add("b", false, 100, 501).add("c", 1, 1, 2, 2).build();
    float[] values = new float[large.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.sin(i);
    }
    Weights weights = Weights.wrap(large, values);
    Safetensors.write(file, weights);
    assertThat(Safetensors.read(file, large)).isEqualTo(weights);
    assertThat(Safetensors.read(file, large).layout()).isEqualTo(large);
  }

  @Test
  void readsBitsAsTheyAre() throws IOException {
    write(BOTH, VALUES);
    assertThat(Safetensors.read(file, LAYOUT).copy()).containsExactly(VALUES);
  }

  /** Written by hand after the format's description, with the tensors the other way round. */
  @Test
  void tensorsMayLieInAnyOrder() throws IOException {
    String header =
        """
        {"__metadata__":{"format":"pt"},\
        "fc.weight":{"dtype":"F32","shape":[2,3],"data_offsets":[8,32]},\
        "fc.bias":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}\s\s""";
    write(header, 7, 8, 1, -2, 3.5f, 0, -0.0f, 1e-30f);
    assertThat(Safetensors.read(file, LAYOUT).copy()).containsExactly(VALUES);
  }

  @Test
  void countersOfNormalizationsArePassedOver() throws IOException {
    String header =
        BOTH.substring(0, BOTH.length() - 1)
            + ",\"bn.num_batches_tracked\":{\"dtype\":\"I64\",\"shape\":[],\"data_offsets\":[32,40]}}";
    write(header, 1, -2, 3.5f, 0, -0.0f, 1e-30f, 7, 8, 0, 0);
    assertThat(Safetensors.read(file, LAYOUT).copy()).containsExactly(VALUES);
  }

  @Test
  void noticesWhereAFileWasCut() throws IOException {
    write(BOTH, VALUES);
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length < whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      checkRefused("the file");
    }
    Files.write(file, Arrays.copyOf(whole, whole.length - 1));
    checkRefused("is truncated", "expected 32 bytes of values", "found 31 bytes");
    Files.write(file, Arrays.copyOf(whole, whole.length + 1));
    checkRefused("is too long", "found 33 bytes");
  }

  /** A header that claims to be larger than the file must not be allocated. */
  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40, Integer.MAX_VALUE, 200})
  void hostileHeaderLengthsAreRefused(long length) throws IOException {
    write(length, BOTH, VALUES);
    checkRefused("impossible header length", Long.toUnsignedString(length));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[24,32] | [24,9000000000000000000] | is truncated",
        "[24,32] | [20,32] | wrong range of fc.bias",
        "[24,32] | [28,36] | wrong range of fc.bias",
        "[24,32] | [24] | two offsets",
        "[24,32] | [24,-1] | wrong data_offsets of fc.bias",
        "[24,32] | [24,32.5] | wrong data_offsets of fc.bias",
        "[24,32] | 7 | wrong data_offsets of fc.bias",
        "[24,32] | [24,99999999999999999999] | wrong data_offsets of fc.bias",
        "[0,24] | [24,0] | wrong range",
        "[2,3] | [3,2] | wrong shape of fc.weight",
        "[2,3] | [6] | wrong shape of fc.weight",
        "[2,3] | [2,3,1] | wrong shape of fc.weight",
        "\"F32\" | \"F16\" | wrong dtype of fc.weight",
        "\"F32\" | 32 | dtype of fc.weight",
        "fc.bias | fc.offset | to another model",
        "fc.bias | fc.weight | not JSON",
        "}} | } | not JSON",
      })
  void aHeaderThatIsWrongSaysWhere(String old, String replaced, String message) throws IOException {
    int at = BOTH.indexOf(old);
    write(BOTH.substring(0, at) + replaced + BOTH.substring(at + old.length()), VALUES);
    checkRefused(message);
  }

  @Test
  void aHeaderOfAnotherKindIsRefused() throws IOException {
    write("[1, 2]", VALUES);
    checkRefused("header that is not an object");
    write("", VALUES);
    checkRefused("header");
    write("{}", new float[0]);
    checkRefused("a tensor fc.weight");
    byte[] bytes = HexFormat.of().parseHex("0200000000000000fffe");
    Files.write(file, bytes);
    checkRefused("not UTF-8 text");
    write("{\"__metadata__\":" + "[".repeat(100_000), VALUES);
    checkRefused("not JSON");
    write("{} {}", VALUES);
    checkRefused("not JSON", "one JSON object");
    write("{\"fc.weight\":3}", VALUES);
    checkRefused("wrong entry of fc.weight");
  }

  @Test
  void valuesThatAreNotNumbersAreNamed() throws IOException {
    write(BOTH, 1, 2, 3, 4, 5, 6, 7, Float.NaN);
    checkRefused("wrong value 1 of fc.bias", "found NaN");
    write(BOTH, 1, 2, Float.POSITIVE_INFINITY, 4, 5, 6, 7, 8);
    checkRefused("wrong value 2 of fc.weight");
  }

  @Test
  void aMissingFileIsMissing() {
    assertThatThrownBy(() -> Safetensors.read(file, LAYOUT))
        .isInstanceOf(java.nio.file.NoSuchFileException.class);
  }

  @Test
  void aStartIsReadOverOtherWeights() throws IOException {
    write(
        """
        {"fc.bias":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},\
        "pooler.bias":{"dtype":"F16","shape":[2],"data_offsets":[8,12]}}\
        """,
        5,
        6,
        0);
    Weights over = Safetensors.readOver(file, Weights.wrap(LAYOUT, VALUES.clone()));
    assertThat(over.copy()).containsExactly(1, -2, 3.5f, 0, -0.0f, 1e-30f, 5, 6);
    write("{\"fc.bias\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 5);
    assertThatThrownBy(() -> Safetensors.readOver(file, Weights.wrap(LAYOUT, VALUES.clone())))
        .isInstanceOf(DamagedFileException.class)
        .hasMessageContaining("shape of fc.bias");
    write("{\"other\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 5);
    assertThatThrownBy(() -> Safetensors.readOver(file, Weights.wrap(LAYOUT, VALUES.clone())))
        .isInstanceOf(DamagedFileException.class)
        .hasMessageContaining("belongs to another model");
  }
}
