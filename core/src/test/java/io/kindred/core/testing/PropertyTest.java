package io.kindred.core.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.random.RandomStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PropertyTest {
  private static List<Integer> smallNumbers(RandomStream random, int size) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      numbers.add(random.nextInt(100));
    }
    return numbers;
  }

  @Test
  void runsAsOftenAsTold() {
    List<Object> seen = new ArrayList<>();
    Property.forAll(PropertyTest::smallNumbers).runs(17).holds(seen::add);
    assertThat(seen).hasSize(17);
  }

  @Test
  void drawsTheSameValuesEveryTime() {
    List<Object> first = new ArrayList<>();
    List<Object> second = new ArrayList<>();
    Property.forAll(PropertyTest::smallNumbers).runs(40).holds(first::add);
    Property.forAll(PropertyTest::smallNumbers).runs(40).holds(second::add);
    assertThat(second).isEqualTo(first).doesNotHaveDuplicates();
  }

  @Test
  void halvesTheSizeOfAFailureAndPrintsHowToReplayIt() {
    // Seed 0 has size 1 and passes; seed 1 has size 38, and of its halves 19, 9 and 4 the last one
    // passes.
    assertThatThrownBy(
            () ->
                Property.forAll(PropertyTest::smallNumbers)
                    .holds(numbers -> assertThat(numbers.size()).isLessThan(8)))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("seed 1, size 9, value [")
        .hasMessageContaining("replay: ./x -B -pl core -am verify -Dtest=PropertyTest#")
        .hasMessageEndingWith("-Dkindred.property=1:9");
  }

  @Test
  void reportsExceptionsAsWellAsFailedAssertions() {
    assertThatThrownBy(
            () ->
                Property.forAll((random, size) -> size)
                    .holds(
                        size -> {
                          throw new IllegalStateException("broken at " + size);
                        }))
        .hasMessageStartingWith("seed 0, size 1, value 1: broken at 1")
        .hasCauseInstanceOf(IllegalStateException.class);
  }
}
