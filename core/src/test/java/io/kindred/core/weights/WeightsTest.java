package io.kindred.core.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class WeightsTest {
  private static Layout layout(int size) {
    return Layout.builder().add("all", size).build();
  }

  private static Weights weights(float... values) {
    return Weights.copyOf(layout(values.length), values);
  }

  @Test
  void theDigestIsSha256OverLittleEndianFloats() {
    // hashlib.sha256(struct.pack('<4f', 1.0, -2.5, 0.0, 3e-39)) in Python; the last is subnormal.
    assertThat(weights(1, -2.5f, 0, Float.intBitsToFloat(2_140_872)).digest().hex())
        .isEqualTo("0abc4215e20a24d72c9854b04bca57d2a9a008b43cde49710e5f85c65bfb57bb");
  }

  @Test
  void theDigestOfManyValuesIsOneDigest() {
    float[] halves = new float[5000];
    for (int i = 0; i < halves.length; i++) {
      halves[i] = i * 0.5f;
    }
    assertThat(weights(halves).digest().hex())
        .isEqualTo("1f127723b6cb20cbbb85486a6fd18788c0aac14180f72b1a54d4f0a23b5332d7");
  }

  @Test
  void theDigestOfNothingIsThatOfNoBytes() {
    assertThat(weights().digest().hex())
        .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  }

  @Test
  void theDigestOfBytesIsSha256() {
    Digest digest = Digest.of("kindred".getBytes(StandardCharsets.UTF_8));
    assertThat(digest.hex())
        .isEqualTo("340512100e958ea7e07e940a1c9ec729c91b143c0398cbbb25072afec17a4e59");
    assertThat(digest).hasToString("340512100e95");
    assertThat(Digest.ofHash(digest.bytes())).isEqualTo(digest);
  }

  @Test
  void digestsSortAsTheirHexDoes() {
    Digest low = new Digest(1, -1, 0, 0);
    Digest high = new Digest(-1, 0, 0, 0);
    assertThat(low).isLessThan(high);
    assertThat(low.hex()).isLessThan(high.hex());
    assertThat(new Digest(1, 2, 3, 4)).isLessThan(new Digest(1, 2, 3, -4));
    assertThat(new Digest(1, 2, 3, 4)).isEqualByComparingTo(new Digest(1, 2, 3, 4));
    assertThat(new Digest(1, 2, -3, 4)).isGreaterThan(new Digest(1, 2, 3, -4));
  }

  @Test
  void equalityIsEqualityOfBits() {
    assertThat(weights(1, 2)).isEqualTo(weights(1, 2)).hasSameHashCodeAs(weights(1, 2));
    assertThat(weights(1, 2)).isNotEqualTo(weights(1, 3));
    assertThat(weights(0f)).isNotEqualTo(weights(-0f));
    assertThat(weights(Float.NaN)).isEqualTo(weights(Float.NaN));
  }

  @Test
  void equalityNeedsTheSameLayout() {
    float[] values = {1, 2, 3, 4};
    Layout square = Layout.builder().add("all", 2, 2).build();
    assertThat(Weights.copyOf(square, values)).isNotEqualTo(Weights.copyOf(layout(4), values));
  }

  @Test
  void anArrayThatDoesNotFitTheLayoutIsRefused() {
    assertThatThrownBy(() -> Weights.wrap(layout(3), new float[2]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("layout has 3 weights, array has 2");
  }

  @Test
  void copiesDoNotShareTheArray() {
    float[] values = {1, 2};
    Weights copied = Weights.copyOf(layout(2), values);
    values[0] = 9;
    copied.copy()[1] = 9;
    assertThat(copied.copy()).containsExactly(1, 2);
    assertThat(copied.bytes()).isEqualTo(8);
    assertThat(copied.size()).isEqualTo(2);
  }

  @Test
  void rowsForRecordsAreCopiedAndCompareByValue() {
    int[] numbers = {1, 2, 3};
    Ints ints = Ints.of(numbers);
    numbers[0] = 9;
    assertThat(ints).isEqualTo(Ints.wrap(new int[] {1, 2, 3})).isNotEqualTo(Ints.of(1, 2));
    float[] values = {1, 2};
    Floats floats = Floats.of(values);
    values[0] = 9;
    assertThat(floats).isEqualTo(Floats.of(1, 2)).isNotEqualTo(Floats.of(9, 2));
    assertThat(ints).hasSameHashCodeAs(Ints.of(1, 2, 3)).hasToString("[1, 2, 3]");
    assertThat(floats).hasSameHashCodeAs(Floats.of(1, 2)).hasToString("[1.0, 2.0]");
  }

  @Test
  void blocksOfALayoutLieEndToEnd() {
    Layout layout =
        Layout.builder()
            .add("weight", 3, 4)
            .add("bias", 3)
            .add("statistics", false, 2, 2, 2)
            .add("scale")
            .build();
    assertThat(layout.size()).isEqualTo(12 + 3 + 8 + 1);
    assertThat(layout.blocks()).extracting(Layout.Block::offset).containsExactly(0, 12, 15, 23);
    assertThat(layout.block("statistics"))
        .isEqualTo(new Layout.Block("statistics", List.of(2, 2, 2), 15, false));
    assertThat(layout.block("bias").end()).isEqualTo(15);
    assertThat(Layout.builder().build().size()).isZero();
  }

  @Test
  void aLayoutWithGapsIsRefused() {
    Layout.Block late = new Layout.Block("late", List.of(2), 1, true);
    assertThatThrownBy(() -> new Layout(List.of(late)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("block late must start at 0, not 1");
    assertThatThrownBy(() -> layout(1).block("none")).hasMessageStartingWith("no block none");
  }

  @Test
  void aBlockTooLargeForAnArrayIsRefused() {
    assertThatThrownBy(() -> Layout.builder().add("huge", 65_536, 65_536))
        .isInstanceOf(ArithmeticException.class);
  }
}
