package io.kindred.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.settings.Complaint;
import io.kindred.world.Disturbance.Round;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DisturbanceTest {
  private static final RandomStreams STREAMS = new RandomStreams(3);

  /** Those with an even number are there, or everybody. */
  private record Crowd(int peers, boolean odd, double share) implements Presence {
    Crowd(int peers, boolean odd) {
      this(peers, odd, 1);
    }

    @Override
    public double availability(int peer) {
      return share;
    }

    @Override
    public boolean isUp(int peer) {
      return odd || peer % 2 == 0;
    }
  }

  private static Round round(long number) {
    return new Round(number, number * 1_000_000, 1_000_000);
  }

  private static Faults faults(double rate, double untilSeconds) {
    return new Faults(
        rate,
        rate,
        rate,
        2,
        rate,
        rate,
        rate,
        0.5,
        rate,
        rate,
        10,
        rate,
        3 * rate,
        0.1,
        untilSeconds);
  }

  @Test
  void steadyChurnTakesItsFractionAndBringsBackTheRest() {
    List<Change> changes =
        new SteadyChurn(0.2, 0.5, 0.3).during(round(3), new Crowd(100, false), STREAMS);
    long returning = changes.stream().filter(Change.Return.class::isInstance).count();
    assertThat(returning).isEqualTo(50);
    assertThat(changes).hasSize(50 + 20);
    assertThat(changes.stream().map(DisturbanceTest::peer).distinct()).hasSize(70);
    assertThat(changes).allSatisfy(change -> assertThat(change.tick()).isEqualTo(3_000_000));
  }

  private static int peer(Change change) {
    return switch (change) {
      case Change.Leave(long _, int peer) -> peer;
      case Change.Crash(long _, int peer, boolean _) -> peer;
      case Change.Return(long _, int peer) -> peer;
      default -> throw new AssertionError(change);
    };
  }

  @Test
  void nobodyLeavesBeforeTheFirstRoundAndSomebodyAlwaysStays() {
    assertThat(new SteadyChurn(0.5, 0.5, 0).during(round(0), new Crowd(10, true), STREAMS))
        .isEmpty();
    assertThat(new SteadyChurn(1, 0, 0).during(round(1), new Crowd(10, true), STREAMS)).hasSize(9);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 1, 2})
  void sessionsLastAsLongAsAskedOnAverage(double shape) {
    SessionChurn churn = new SessionChurn(100, 10, shape);
    int peers = 20_000;
    List<Change> first = churn.during(round(0), new Crowd(peers, true), STREAMS);
    assertThat(first).hasSize(peers);
    double online = first.stream().mapToLong(Change::tick).average().orElseThrow() / 1e6;
    assertThat(online).isCloseTo(100, within(4.0));
    double offline =
        IntStream.range(0, peers)
            .mapToObj(
                peer ->
                    churn.after(
                        new Change.Crash(0, peer, false), 1, new Crowd(peers, true), STREAMS))
            .flatMap(Optional::stream)
            .mapToLong(Change::tick)
            .average()
            .orElseThrow();
    assertThat(offline / 1e6).isCloseTo(10, within(0.4));
    assertThat(churn.during(round(1), new Crowd(peers, true), STREAMS)).isEmpty();
  }

  @Test
  void aDeviceIsAwayForTheRestOfTheTime() {
    SessionChurn churn = new SessionChurn(100, 10, 1);
    double away =
        IntStream.range(0, 20_000)
            .mapToObj(peer -> new Change.Crash(0, peer, false))
            .map(crash -> churn.after(crash, 1, new Crowd(20_000, true, 0.8), STREAMS))
            .flatMap(Optional::stream)
            .mapToLong(Change::tick)
            .average()
            .orElseThrow();
    assertThat(away / 1e6).as("a fifth of the time").isCloseTo(25, within(1.0));
  }

  @Test
  void faultsComeAsOftenAsAsked() {
    int crashes = 0;
    int splits = 0;
    int cuts = 0;
    for (long number = 0; number < 200; number++) {
      for (Change change : faults(0.1, 0).during(round(number), new Crowd(100, true), STREAMS)) {
        crashes += change instanceof Change.Crash ? 1 : 0;
        splits += change instanceof Change.Split ? 1 : 0;
        cuts += change instanceof Change.Cut ? 1 : 0;
      }
    }
    assertThat(crashes).isBetween(1_850, 2_150);
    assertThat(splits).isBetween(8, 35);
    assertThat(cuts).isBetween(35, 90);
  }

  @Test
  void everyFaultOfTheWorldEnds() {
    List<Change> changes = new ArrayList<>();
    for (long number = 0; number < 50; number++) {
      changes.addAll(faults(0.2, 0).during(round(number), new Crowd(20, true), STREAMS));
    }
    assertThat(changes.stream().filter(Change.Crash.class::isInstance).count())
        .isEqualTo(changes.stream().filter(Change.Return.class::isInstance).count());
    assertThat(changes.stream().filter(Change.Pause.class::isInstance).count())
        .isEqualTo(changes.stream().filter(Change.Resume.class::isInstance).count());
    assertThat(changes.stream().filter(Change.Heal.class::isInstance).count())
        .isEqualTo(
            changes.stream()
                .filter(each -> each instanceof Change.Split || each instanceof Change.Cut)
                .count());
  }

  @Test
  void nothingHappensAfterTheLastSecond() {
    for (long number = 0; number < 20; number++) {
      assertThat(faults(1, 5).during(round(number), new Crowd(10, true), STREAMS))
          .allSatisfy(change -> assertThat(change.tick()).isLessThan(5_000_000));
    }
  }

  @Test
  void messagesMeetTheirFateAsOftenAsAsked() {
    Faults faults = faults(0.2, 0);
    int[] counts = new int[5];
    for (long number = 0; number < 20_000; number++) {
      Faults.Fate fate = faults.fate(STREAMS.stream(Purpose.FAULTS, 0, number));
      counts[0] += fate.lost() ? 1 : 0;
      counts[1] += fate.duplicated() ? 1 : 0;
      counts[2] += fate.delayTicks() > 0 ? 1 : 0;
      counts[3] += fate.corrupted() ? 1 : 0;
      counts[4] += fate.misreported() ? 1 : 0;
      assertThat(fate.delayTicks()).isLessThanOrEqualTo(2_000_000);
    }
    assertThat(Arrays.stream(counts).boxed())
        .allSatisfy(count -> assertThat(count).isBetween(3_750, 4_250));
  }

  @Test
  void clocksDriftWithinTheirBound() {
    Faults faults = faults(0, 0);
    double[] rates =
        IntStream.range(0, 1_000).mapToDouble(peer -> faults.clockRate(peer, STREAMS)).toArray();
    assertThat(Arrays.stream(rates).boxed())
        .allSatisfy(rate -> assertThat(rate).isBetween(0.9, 1.1));
    assertThat(Arrays.stream(rates).max().orElseThrow()).isGreaterThan(1.09);
  }

  @Test
  void aFileSaysWhoComesAndGoes() {
    String text = "# a trace\n0.5, 1, leave\n\n2,0,crash # at once\n2.25,0,return\n3,1,forget\n";
    Churn churn = new TraceChurn("trace.csv").read(2, path -> Optional.of(text));
    assertThat(churn.isCalm()).isFalse();
    assertThat(churn.during(round(0), new Crowd(2, true), STREAMS))
        .containsExactly(new Change.Leave(500_000, 1));
    assertThat(churn.during(round(2), new Crowd(2, true), STREAMS))
        .containsExactly(new Change.Crash(2_000_000, 0, false), new Change.Return(2_250_000, 0));
    assertThat(churn.during(round(3), new Crowd(2, true), STREAMS))
        .containsExactly(new Change.Crash(3_000_000, 1, true));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1,2 | is not of the form",
        "x,0,leave | does not begin with two numbers",
        "1,2,leave | peers 0 to 1",
        "-1,0,leave | time 0 or later",
        "1,0,sleeps | is none of leave"
      })
  void aWrongLineIsNamed(String line, String problem) {
    assertThatThrownBy(
            () -> new TraceChurn("t.csv").read(2, path -> Optional.of("0,0,crash\n" + line)))
        .isInstanceOf(Complaint.class)
        .hasMessageContaining("t.csv:2")
        .hasMessageContaining(problem);
  }

  @Test
  void aMissingTraceIsRefused() {
    assertThatThrownBy(() -> new TraceChurn("t.csv").read(2, TextFiles.NONE))
        .isInstanceOf(Complaint.class)
        .hasMessageContaining("t.csv");
  }
}
