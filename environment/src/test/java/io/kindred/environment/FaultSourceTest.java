package io.kindred.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.config.SettingException;
import io.kindred.core.config.TextFiles;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.churn.ChurnModel;
import io.kindred.environment.churn.LateArrivals;
import io.kindred.environment.churn.SessionChurn;
import io.kindred.environment.churn.SteadyChurn;
import io.kindred.environment.churn.TraceChurn;
import io.kindred.environment.fault.FaultEvent;
import io.kindred.environment.fault.FaultSource.Interval;
import io.kindred.environment.fault.Faults;
import io.kindred.environment.fault.LivenessView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FaultSourceTest {
  private static final RandomStreams STREAMS = new RandomStreams(3);

  /** Peers with an even number are up, or all peers. */
  private record FixedLiveness(int peers, boolean odd, double share) implements LivenessView {
    FixedLiveness(int peers, boolean odd) {
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

  private static Interval round(long number) {
    return new Interval(number, number * 1_000_000, 1_000_000);
  }

  private static Faults faults(double rate, double untilSeconds) {
    return Faults.builder()
        .loss(rate)
        .duplicate(rate)
        .delay(rate)
        .delaySeconds(2)
        .corrupt(rate)
        .misreport(rate)
        .crashes(rate)
        .forgetful(0.5)
        .pauses(rate)
        .slow(rate)
        .splits(rate)
        .cuts(3 * rate)
        .drift(0.1)
        .untilSeconds(untilSeconds)
        .build();
  }

  @Test
  void steadyChurnTakesItsFractionAndBringsBackTheRest() {
    List<FaultEvent> faults =
        new SteadyChurn(0.2, 0.5, 0.3)
            .eventsDuring(round(3), new FixedLiveness(100, false), STREAMS);
    long returning = faults.stream().filter(FaultEvent.Return.class::isInstance).count();
    assertThat(returning).isEqualTo(50);
    assertThat(faults).hasSize(50 + 20);
    assertThat(faults.stream().map(FaultSourceTest::peer).distinct()).hasSize(70);
    assertThat(faults).allSatisfy(fault -> assertThat(fault.tick()).isEqualTo(3_000_000));
  }

  private static int peer(FaultEvent fault) {
    return switch (fault) {
      case FaultEvent.Leave(long _, int peer) -> peer;
      case FaultEvent.Crash(long _, int peer, boolean _) -> peer;
      case FaultEvent.Return(long _, int peer) -> peer;
      default -> throw new AssertionError(fault);
    };
  }

  @Test
  void noPeerLeavesBeforeTheFirstRoundAndOnePeerAlwaysStays() {
    assertThat(
            new SteadyChurn(0.5, 0.5, 0)
                .eventsDuring(round(0), new FixedLiveness(10, true), STREAMS))
        .isEmpty();
    assertThat(
            new SteadyChurn(1, 0, 0).eventsDuring(round(1), new FixedLiveness(10, true), STREAMS))
        .hasSize(9);
  }

  @Test
  void lateArrivalsAreAbsentFromTheStartAndJoinOnceWithinTheirTime() {
    LateArrivals churn = new LateArrivals(0.3, 50, 70);
    List<FaultEvent> faults = churn.eventsDuring(round(0), new FixedLiveness(200, true), STREAMS);
    List<FaultEvent> absences = faults.stream().filter(FaultEvent.Crash.class::isInstance).toList();
    assertThat(absences)
        .hasSize(60)
        .allMatch(fault -> fault.tick() == 0 && ((FaultEvent.Crash) fault).losesState());
    List<FaultEvent> arrivals =
        faults.stream().filter(FaultEvent.Return.class::isInstance).toList();
    assertThat(arrivals)
        .hasSize(60)
        .allSatisfy(fault -> assertThat(fault.tick()).isBetween(50_000_000L, 70_000_000L));
    assertThat(arrivals.stream().map(FaultEvent::tick).distinct()).hasSize(60);
    assertThat(arrivals.stream().map(FaultSourceTest::peer).toList())
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(absences.stream().map(FaultSourceTest::peer).toList());
    assertThat(churn.eventsDuring(round(1), new FixedLiveness(200, true), STREAMS)).isEmpty();
    assertThat(
            new LateArrivals(0.9, 5, 5).eventsDuring(round(0), new FixedLiveness(2, true), STREAMS))
        .hasSize(2);
    assertThatThrownBy(() -> new LateArrivals(0.3, 70, 50))
        .isInstanceOfSatisfying(
            SettingException.class,
            invalid -> assertThat(invalid.path()).isEqualTo("churn.toSeconds"));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 1, 2})
  void sessionsLastAsLongAsAskedOnAverage(double shape) {
    SessionChurn churn = new SessionChurn(100, 10, shape);
    int peers = 20_000;
    List<FaultEvent> first = churn.eventsDuring(round(0), new FixedLiveness(peers, true), STREAMS);
    assertThat(first).hasSize(peers);
    double online = first.stream().mapToLong(FaultEvent::tick).average().orElseThrow() / 1e6;
    assertThat(online).isCloseTo(100, within(4.0));
    double offline =
        IntStream.range(0, peers)
            .mapToObj(
                peer ->
                    churn.followUp(
                        new FaultEvent.Crash(0, peer, false),
                        1,
                        new FixedLiveness(peers, true),
                        STREAMS))
            .flatMap(Optional::stream)
            .mapToLong(FaultEvent::tick)
            .average()
            .orElseThrow();
    assertThat(offline / 1e6).isCloseTo(10, within(0.4));
    assertThat(churn.eventsDuring(round(1), new FixedLiveness(peers, true), STREAMS)).isEmpty();
  }

  @Test
  void aDeviceIsAwayForTheRestOfTheTime() {
    SessionChurn churn = new SessionChurn(100, 10, 1);
    double away =
        IntStream.range(0, 20_000)
            .mapToObj(peer -> new FaultEvent.Crash(0, peer, false))
            .map(crash -> churn.followUp(crash, 1, new FixedLiveness(20_000, true, 0.8), STREAMS))
            .flatMap(Optional::stream)
            .mapToLong(FaultEvent::tick)
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
      for (FaultEvent fault :
          faults(0.1, 0).eventsDuring(round(number), new FixedLiveness(100, true), STREAMS)) {
        crashes += fault instanceof FaultEvent.Crash ? 1 : 0;
        splits += fault instanceof FaultEvent.Partition ? 1 : 0;
        cuts += fault instanceof FaultEvent.LinkCut ? 1 : 0;
      }
    }
    assertThat(crashes).isBetween(1_850, 2_150);
    assertThat(splits).isBetween(8, 35);
    assertThat(cuts).isBetween(35, 90);
  }

  @Test
  void everyFaultOfTheWorldEnds() {
    List<FaultEvent> faultEvents = new ArrayList<>();
    for (long number = 0; number < 50; number++) {
      faultEvents.addAll(
          faults(0.2, 0).eventsDuring(round(number), new FixedLiveness(20, true), STREAMS));
    }
    assertThat(faultEvents.stream().filter(FaultEvent.Crash.class::isInstance).count())
        .isEqualTo(faultEvents.stream().filter(FaultEvent.Return.class::isInstance).count());
    assertThat(faultEvents.stream().filter(FaultEvent.Pause.class::isInstance).count())
        .isEqualTo(faultEvents.stream().filter(FaultEvent.Resume.class::isInstance).count());
    assertThat(faultEvents.stream().filter(FaultEvent.Heal.class::isInstance).count())
        .isEqualTo(
            faultEvents.stream()
                .filter(
                    each ->
                        each instanceof FaultEvent.Partition || each instanceof FaultEvent.LinkCut)
                .count());
  }

  @Test
  void nothingHappensAfterTheLastSecond() {
    for (long number = 0; number < 20; number++) {
      assertThat(faults(1, 5).eventsDuring(round(number), new FixedLiveness(10, true), STREAMS))
          .allSatisfy(fault -> assertThat(fault.tick()).isLessThan(5_000_000));
    }
  }

  @Test
  void messagesMeetTheirFateAsOftenAsAsked() {
    Faults faults = faults(0.2, 0);
    int[] counts = new int[5];
    for (long number = 0; number < 20_000; number++) {
      Faults.MessageFault messageFault =
          faults.drawMessageFault(STREAMS.stream(Purpose.FAULTS, 0, number));
      counts[0] += messageFault.lost() ? 1 : 0;
      counts[1] += messageFault.duplicated() ? 1 : 0;
      counts[2] += messageFault.delayTicks() > 0 ? 1 : 0;
      counts[3] += messageFault.corrupted() ? 1 : 0;
      counts[4] += messageFault.misreported() ? 1 : 0;
      assertThat(messageFault.delayTicks()).isLessThanOrEqualTo(2_000_000);
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
    ChurnModel churn = new TraceChurn("trace.csv").read(2, path -> Optional.of(text));
    assertThat(churn.isFaultFree()).isFalse();
    assertThat(churn.eventsDuring(round(0), new FixedLiveness(2, true), STREAMS))
        .containsExactly(new FaultEvent.Leave(500_000, 1));
    assertThat(churn.eventsDuring(round(2), new FixedLiveness(2, true), STREAMS))
        .containsExactly(
            new FaultEvent.Crash(2_000_000, 0, false), new FaultEvent.Return(2_250_000, 0));
    assertThat(churn.eventsDuring(round(3), new FixedLiveness(2, true), STREAMS))
        .containsExactly(new FaultEvent.Crash(3_000_000, 1, true));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1,2 | does not have the form",
        "x,0,leave | does not begin with two numbers",
        "1,2,leave | peer a number from 0 to 1",
        "-1,0,leave | time must be at least 0",
        "1,0,sleeps | is not one of leave"
      })
  void aWrongLineIsNamed(String line, String problem) {
    assertThatThrownBy(
            () -> new TraceChurn("t.csv").read(2, path -> Optional.of("0,0,crash\n" + line)))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("t.csv:2")
        .hasMessageContaining(problem);
  }

  @Test
  void aMissingTraceIsRefused() {
    assertThatThrownBy(() -> new TraceChurn("t.csv").read(2, TextFiles.NONE))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("t.csv");
  }
}
