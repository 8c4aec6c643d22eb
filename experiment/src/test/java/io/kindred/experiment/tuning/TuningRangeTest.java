package io.kindred.experiment.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.storage.OperatorException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TuningRangeTest {
  private static TuningRange parse(String text) {
    return TuningRange.parse(text, "here", true);
  }

  private static List<String> draws(String range, boolean whole) {
    RandomStream random = new RandomStreams(7).stream(Purpose.TUNING, 0, 0);
    return IntStream.range(0, 2000).mapToObj(i -> parse(range).draw(random, whole)).toList();
  }

  @Test
  void drawsStayInTheRangeAndReachAllOfIt() {
    List<Double> numbers = draws("-1..3", false).stream().map(Double::valueOf).toList();
    assertThat(numbers).allMatch(number -> number >= -1 && number <= 3);
    assertThat(numbers.stream().filter(number -> number < 1).count()).isBetween(900L, 1100L);
  }

  @Test
  void aLogRangeGivesEachDecadeTheSameShare() {
    List<Double> numbers = draws("0.001..1 log", false).stream().map(Double::valueOf).toList();
    assertThat(numbers).allMatch(number -> number >= 0.001 && number <= 1);
    assertThat(numbers.stream().filter(number -> number < 0.01).count()).isBetween(580L, 750L);
    assertThat(numbers.stream().filter(number -> number > 0.1).count()).isBetween(580L, 750L);
  }

  @Test
  void drawnNumbersHaveThreeDigits() {
    assertThat(draws("0.001..1 log", false))
        .allMatch(text -> text.matches("1|0\\.0*[1-9]\\d{0,2}"));
  }

  @Test
  void aWholeSettingDrawsEveryWholeNumberOfTheRange() {
    assertThat(draws("0..5", true)).containsOnly("0", "1", "2", "3", "4", "5");
    assertThat(draws("1..4 log", true)).containsOnly("1", "2", "3", "4");
  }

  @Test
  void aListDrawsItsValuesAndNoOthers() {
    assertThat(draws("1, 2,0.50", false)).containsOnly("1", "2", "0.5");
    assertThat(TuningRange.parse("server,graph", "here", false).levels(9, false))
        .containsExactly("server", "graph");
  }

  @Test
  void multiplesAreOfTheCurrentValue() {
    TuningRange range = parse("0.3x..3x log").around("0.05", "here");
    assertThat(range.levels(2, false)).containsExactly("0.015", "0.15");
    assertThat(range.levels(3, false)).containsExactly("0.015", "0.0474", "0.15");
  }

  @Test
  void levelsAreAtEqualDistances() {
    assertThat(parse("0..1").levels(1, false)).containsExactly("0.5");
    assertThat(parse("0..1").levels(5, false)).containsExactly("0", "0.25", "0.5", "0.75", "1");
    assertThat(parse("0.01..1 log").levels(3, false)).containsExactly("0.01", "0.1", "1");
    assertThat(parse("0..5").levels(100, true)).containsExactly("0", "1", "2", "3", "4", "5");
  }

  @Test
  void aNumberHasOneText() {
    assertThat(List.of("2.0", "2", "+2.00", "0.0", "1e38", "graph", "100"))
        .extracting(TuningRange::normalized)
        .containsExactly("2", "2", "2", "0", "1E+38", "graph", "100");
  }

  @Test
  void aMalformedRangeIsRefusedWithItsPlaceAndARemedy() {
    refused("1..0", "the range does not rise; write the lower bound first");
    refused("0..1 log", "a log range must begin above 0; raise its lower bound");
    refused("0.3x..3", "only one bound is a multiple; write both with x");
    refused("a..b", "'a..b' is not a range; write LOW..HIGH");
    refused("1,,2", "'1,,2' is not a range; write LOW..HIGH");
  }

  private static void refused(String range, String message) {
    assertThatThrownBy(() -> parse(range))
        .isInstanceOf(OperatorException.class)
        .hasMessageStartingWith("here: " + message);
  }

  @Test
  void boundsForASettingThatIsNoNumberAreRefused() {
    assertThatThrownBy(() -> TuningRange.parse("0..1", "here", false))
        .hasMessage("here: the setting is not a number; list its values, as in a,b");
  }
}
