package io.kindred.protocol.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.random.RandomStream;
import io.kindred.core.testing.Property;
import io.kindred.core.weights.Bytes;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.SparseKernels;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.Wire;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class SignatureTest {
  private static final Wire WIRE = new Wire(List.of());

  private static Signature draw(RandomStream random, int size) {
    List<Precision> all = List.of(Precision.values());
    return draw(random, 1 + random.nextInt(40 * size), size, all.get(random.nextInt(all.size())));
  }

  private static Signature draw(RandomStream random, int dimension, int size, Precision precision) {
    float[] dense = new float[dimension];
    float scale = (float) Math.pow(10, random.nextInt(20) - 12);
    for (int i = 0; i < dimension; i++) {
      dense[i] = scale * (float) random.nextGaussian();
    }
    Ints places = SparseKernels.largest(dense, Math.min(size - random.nextInt(size), dimension));
    return Signature.of(dimension, precision, places, Signature.gather(dense, places));
  }

  private static byte[] encode(Signature signature) {
    return WIRE.encode(Signature.class, signature).bytes();
  }

  private static Signature decode(byte[] bytes) throws MalformedException {
    return WIRE.decode(Signature.class, bytes, digest -> null);
  }

  private static Signature floats(int dimension, int[] places, float... values) {
    return Signature.of(dimension, Precision.FLOAT32, Ints.of(places), Floats.of(values));
  }

  @Test
  void whatIsReadEqualsWhatWasWrittenAndTheSizeIsKnownBefore() {
    Property.forAll(SignatureTest::draw)
        .runs(500)
        .holds(
            signature -> {
              byte[] bytes = encode(signature);
              assertThat(decode(bytes)).isEqualTo(signature);
              assertThat(signature.bytes()).isEqualTo(bytes.length);
            });
  }

  @Test
  void theWireFormIsSkipsThenValues() {
    // Dimension 1000, precision 0, two entries, skips 3 and 196 - 0.5 and -2 as floats.
    assertThat(HexFormat.of().formatHex(encode(floats(1000, new int[] {3, 200}, 0.5f, -2))))
        .isEqualTo("e807" + "00" + "02" + "03" + "c401" + "0000003f" + "000000c0");
    Signature small = Signature.of(1000, Precision.INT8, Ints.of(3, 200), Floats.of(0.5f, -2));
    assertThat(HexFormat.of().formatHex(encode(small)))
        .isEqualTo("e807" + "02" + "02" + "03" + "c401" + "00000040" + "20" + "81");
    Signature half = Signature.of(1000, Precision.BFLOAT16, Ints.of(3, 200), Floats.of(0.5f, -2));
    assertThat(HexFormat.of().formatHex(encode(half)))
        .isEqualTo("e807" + "01" + "02" + "03" + "c401" + "003f" + "00c0");
  }

  @Test
  void anEntryOfATenthOfTheWeightsTakesThreeBytes() {
    int[] places = new int[10_000];
    Arrays.setAll(places, i -> 10 * i + i % 7);
    Signature signature =
        Signature.of(
            100_000, Precision.BFLOAT16, Ints.wrap(places), Floats.wrap(new float[10_000]));
    assertThat(signature.bytes()).isEqualTo(3 * 10_000 + 3 + 1 + 2);
  }

  @Test
  void everyTruncationIsMalformed() {
    Property.forAll(SignatureTest::draw)
        .holds(
            signature -> {
              byte[] bytes = encode(signature);
              for (int length = 0; length < bytes.length; length++) {
                byte[] cut = Arrays.copyOf(bytes, length);
                assertThatThrownBy(() -> decode(cut)).isInstanceOf(MalformedException.class);
              }
            });
  }

  @Test
  void damagedBytesAreMalformedOrAnotherSignature() {
    Property.forAll(
            (random, size) -> {
              byte[] bytes = encode(draw(random, size));
              for (int hits = 1 + random.nextInt(4); hits > 0; hits--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextLong();
              }
              return Bytes.wrap(bytes);
            })
        .runs(2_000)
        .holds(
            damaged -> {
              try {
                Signature other = decode(damaged.copy());
                assertThat(decode(encode(other))).isEqualTo(other);
              } catch (MalformedException e) {
                assertThat(e.getMessage()).isNotBlank();
              }
            });
  }

  private static void refused(String hex, String words) {
    assertThatThrownBy(() -> decode(HexFormat.of().parseHex(hex)))
        .isInstanceOf(MalformedException.class)
        .hasMessageContaining(words);
  }

  @Test
  void malformedSignaturesAreRefusedWithTheReason() {
    refused("04" + "00" + "01" + "04" + "0000803f", "no place left to skip to");
    refused("04" + "00" + "01" + "00" + "0000c07f", "must be a number");
    refused("04" + "03" + "00", "no precision number 3");
    refused("04" + "00" + "ffffff0f", "count");
    refused("04" + "02" + "01" + "00" + "0000803f" + "05", "differs from the scale");
    refused("04" + "02" + "01" + "00" + "0000803f" + "80", "differs from the scale");
    refused("04" + "02" + "01" + "00" + "0000c07f" + "7f", "must be a number");
    refused("04" + "00" + "01" + "00" + "ffff7f7f", "norm");
  }

  @Test
  void unorderedPlacesAndUnequalRowsAreRefused() {
    assertThatThrownBy(() -> floats(5, new int[] {2, 2}, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> floats(5, new int[] {5}, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> floats(5, new int[] {1}, 1, 2))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> floats(5, new int[] {1}, 1e20f))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("norm");
    assertThatThrownBy(() -> floats(5, new int[] {1}, Float.POSITIVE_INFINITY))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void bfloat16RoundsToNearestEven() {
    Signature signature =
        Signature.of(
            4,
            Precision.BFLOAT16,
            Ints.of(0, 1, 2),
            // Halfway above an even and above an odd upper half, and just above halfway.
            Floats.of(
                Float.intBitsToFloat(0x3f808000),
                Float.intBitsToFloat(0xbf818000),
                Float.intBitsToFloat(0x3f808001)));
    assertThat(signature.values())
        .isEqualTo(
            Floats.of(
                Float.intBitsToFloat(0x3f800000),
                Float.intBitsToFloat(0xbf820000),
                Float.intBitsToFloat(0x3f810000)));
    // Infinity is no value, so the largest number stays the largest.
    assertThat(Precision.toBfloat16Bits(-Float.MAX_VALUE)).isEqualTo(0xff7f);
  }

  @Test
  void eightBitsOfNextToNothingAreZero() throws MalformedException {
    Signature signature =
        Signature.of(9, Precision.INT8, Ints.of(1, 2), Floats.of(Float.MIN_VALUE, 1e-40f));
    assertThat(signature.values()).isEqualTo(Floats.of(0, 0));
    assertThat(decode(encode(signature))).isEqualTo(signature);
  }

  @Test
  void fewerBitsChangeACosineLittle() {
    Property.forAll(
            (random, size) -> {
              Signature exact = draw(random, 4000, 1000, Precision.FLOAT32);
              return List.of(exact, draw(random, 4000, 1000, Precision.FLOAT32));
            })
        .runs(20)
        .holds(
            pair -> {
              Signature exact = pair.getFirst();
              for (Precision precision : Precision.values()) {
                Signature rounded = Signature.of(4000, precision, exact.indices(), exact.values());
                assertThat(rounded.cosine(exact)).isGreaterThan(0.9999);
                assertThat(rounded.cosine(pair.getLast()))
                    .isEqualTo(exact.cosine(pair.getLast()), within(2e-3));
              }
            });
  }

  @Test
  void cosinesAreThoseComputedByHand() {
    Signature a = floats(6, new int[] {0, 2, 5}, 1, 2, 2);
    Signature b = floats(6, new int[] {2, 3}, 4, 3);
    // 2 * 4 / (3 * 5)
    assertThat(a.cosine(b)).isEqualTo(8.0 / 15, within(1e-7));
    assertThat(a.cosine(a)).isEqualTo(1, within(1e-7));
    assertThat(a.cosine(floats(6, new int[] {1}, 9))).isZero();
    assertThat(a.cosine(floats(6, new int[] {}))).isZero();
    assertThatThrownBy(() -> a.cosine(floats(7, new int[] {1}, 9)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("different models");
  }

  /** Signatures of all densities; in the densest, both have most indices. */
  @Test
  void theCosineHasTheBitsOfTheMergedLists() {
    Property.forAll(
            (random, size) ->
                List.of(
                    draw(random, 1 + 40 * size, 2 * size, Precision.FLOAT32),
                    draw(random, 1 + 40 * size, 39 * size, Precision.BFLOAT16),
                    draw(random, 1 + 40 * size, 12 * size, Precision.INT8)))
        .holds(
            three -> {
              for (Signature one : three) {
                for (Signature other : three) {
                  assertThat(one.cosine(other))
                      .isEqualTo(one.cosine(one.sumOfMerged(other), other))
                      .isEqualTo(other.cosine(one));
                }
              }
            });
  }

  @Test
  void onlyIndicesThatBothHaveCount() {
    Signature one = floats(130, new int[] {0, 63, 64, 129}, 1, 2, 3, 4);
    Signature other = floats(130, new int[] {1, 63, 65, 129}, 9, 5, 9, 6);
    double norms = Math.sqrt(1 + 4 + 9 + 16) * Math.sqrt(81 + 25 + 81 + 36);
    assertThat(one.cosine(other)).isEqualTo((2 * 5 + 4 * 6) / norms, within(1e-7));
  }

  @Test
  void theScorerAgreesWithTheReferenceAndCleansUp() {
    Property.forAll(
            (random, size) ->
                List.of(
                    draw(random, 300, 2 * size, Precision.FLOAT32),
                    draw(random, 300, 2 * size, Precision.FLOAT32),
                    draw(random, 300, 2 * size, Precision.BFLOAT16)))
        .holds(
            three -> {
              SignatureScorer scorer = new SignatureScorer(300);
              for (Signature own : three) {
                double[] cosines = scorer.cosines(own, three);
                for (int i = 0; i < 3; i++) {
                  assertThat(cosines[i]).isEqualTo(own.cosine(three.get(i)), within(1e-5));
                }
              }
            });
  }

  @Test
  void scorersOfAThreadShareOneDenseVectorAndSeeOnlyTheirOwnSignature() {
    Signature large = floats(900, new int[] {0, 3, 899}, 1, 2, 3);
    Signature small = floats(4, new int[] {0, 3}, 1, 2);
    Signature other = floats(4, new int[] {1, 2}, 1, 2);
    assertThat(new SignatureScorer(900).cosines(large, List.of(large)))
        .containsExactly(new double[] {1}, within(1e-7));
    assertThat(new SignatureScorer(4).cosines(other, List.of(small))).containsExactly(0);
    assertThat(new SignatureScorer(900).cosines(large, List.of(large)))
        .containsExactly(new double[] {1}, within(1e-7));
  }

  @Test
  void aScorerOfAnotherDimensionIsRefused() {
    Signature own = floats(6, new int[] {0}, 1);
    assertThatThrownBy(() -> new SignatureScorer(5).cosines(own, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    SignatureScorer scorer = new SignatureScorer(6);
    assertThatThrownBy(() -> scorer.cosines(own, List.of(floats(7, new int[] {0}, 1))))
        .isInstanceOf(IllegalArgumentException.class);
    // The failed call left nothing behind.
    assertThat(scorer.cosines(floats(6, new int[] {1}, 1), List.of(own))).containsExactly(0);
  }

  @Test
  void aPrototypeIsTheLargestOfTheMean() {
    Signature a = floats(5, new int[] {0, 1, 4}, 3, 3, 1);
    Signature b = floats(5, new int[] {0, 2, 4}, -3, 5, 1);
    // Means 0, 1.5, 2.5, 0, 1.
    assertThat(Prototypes.of(List.of(a, b), 2)).isEqualTo(floats(5, new int[] {1, 2}, 1.5f, 2.5f));
    assertThat(Prototypes.of(List.of(a), 3)).isEqualTo(a);
  }
}
