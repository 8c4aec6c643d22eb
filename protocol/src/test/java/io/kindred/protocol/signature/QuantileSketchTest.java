package io.kindred.protocol.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.random.RandomStream;
import io.kindred.core.testing.Property;
import io.kindred.core.weights.Ints;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.Wire;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class QuantileSketchTest {
  private static final double[] SHARES = {0.01, 0.3, 0.5, 0.8, 0.9, 0.99, 1};

  private static Ints draw(RandomStream random, int size) {
    int[] numbers = new int[1 + random.nextInt(10 * size)];
    int bits = random.nextInt(31);
    Arrays.setAll(numbers, i -> (int) (random.nextLong() >>> (33 + random.nextInt(bits + 1))));
    return Ints.wrap(numbers);
  }

  private static QuantileSketch sketch(int... numbers) {
    QuantileSketch sketch = QuantileSketch.empty();
    for (int number : numbers) {
      sketch = sketch.with(number);
    }
    return sketch;
  }

  @Test
  void quantilesAreExactOrLessThanASixtyFourthAbove() {
    Property.forAll(QuantileSketchTest::draw)
        .runs(500)
        .holds(
            numbers -> {
              QuantileSketch sketch = sketch(numbers.shared());
              int[] sorted = numbers.copy();
              Arrays.sort(sorted);
              assertThat(sketch.count()).isEqualTo(sorted.length);
              for (double share : SHARES) {
                int exact = sorted[(int) Math.ceil(share * sorted.length) - 1];
                assertThat((long) sketch.quantile(share))
                    .isBetween((long) exact, exact + exact / 64L);
              }
            });
  }

  @Test
  void numbersBelow128AreExact() {
    for (int number = 0; number < 128; number++) {
      assertThat(QuantileSketch.of(number).quantile(0.5)).isEqualTo(number);
    }
    assertThat(QuantileSketch.of(128).quantile(0.5)).isEqualTo(129);
    assertThat(QuantileSketch.of(Integer.MAX_VALUE).quantile(1)).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void mergingInAnyOrderIsAddingAllNumbers() {
    Property.forAll((random, size) -> List.of(draw(random, size), draw(random, size)))
        .holds(
            two -> {
              QuantileSketch first = sketch(two.getFirst().shared());
              QuantileSketch second = sketch(two.getLast().shared());
              QuantileSketch all = first;
              for (int number : two.getLast().shared()) {
                all = all.with(number);
              }
              assertThat(first.merge(second)).isEqualTo(all).isEqualTo(second.merge(first));
            });
  }

  @Test
  void anEmptySketchHasNoneAndZero() {
    assertThat(QuantileSketch.empty().count()).isZero();
    assertThat(QuantileSketch.empty().quantile(0.9)).isZero();
    assertThatThrownBy(() -> QuantileSketch.of(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void hostileCountsNeitherPassNorOverflow() throws MalformedException {
    Wire wire = new Wire(List.of());
    TreeMap<Integer, Long> most = new TreeMap<>();
    most.put(3, Long.MAX_VALUE);
    most.put(5, Long.MAX_VALUE);
    QuantileSketch greedy = new QuantileSketch(most);
    assertThat(greedy.merge(greedy).count()).isEqualTo(Long.MAX_VALUE);
    assertThat(greedy.merge(greedy).quantile(0.9)).isEqualTo(3);
    byte[] bytes = wire.encode(QuantileSketch.class, greedy).bytes();
    assertThat(wire.decode(QuantileSketch.class, bytes, digest -> null)).isEqualTo(greedy);
    // One class, number 5, holding minus one.
    assertThatThrownBy(
            () -> wire.decode(QuantileSketch.class, new byte[] {1, 10, 1}, digest -> null))
        .isInstanceOf(MalformedException.class);
    most.put(1664, 1L);
    assertThatThrownBy(() -> new QuantileSketch(most)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theNetworksNumberIsTheQuantileUpToTheLargestAllowed() {
    SignatureRule rule =
        new SignatureRule(
            SignatureRule.Subject.DELTA, 0, 5, 0.8, 0, 0.05, 1, 0.8, 0.2, Precision.FLOAT32);
    QuantileSketch least = sketch(10, 20, 30, 40, 50);
    assertThat(Cardinality.networkWide(least, 1000, rule)).isEqualTo(40);
    assertThat(Cardinality.networkWide(least, 100, rule)).isEqualTo(20);
    assertThat(Cardinality.networkWide(QuantileSketch.empty(), 100, rule)).isEqualTo(1);
  }
}
