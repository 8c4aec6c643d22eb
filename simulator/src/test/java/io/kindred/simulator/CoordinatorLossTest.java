package io.kindred.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.core.peer.Ticks;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.environment.churn.ChurnModel;
import io.kindred.environment.fault.FaultEvent;
import io.kindred.environment.fault.LivenessView;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.hfl.Hfl;
import io.kindred.methods.hfl.HflBuilder;
import io.kindred.methods.hfl.HflMessage;
import io.kindred.methods.hfl.RoundAttempt;
import io.kindred.methods.hfl.StandbySettings;
import io.kindred.simulator.SmallSimulation.FinishedRun;
import io.kindred.simulator.invariants.Invariants;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rounds of five seconds under a coordinator that is killed; a lease has four seconds. */
class CoordinatorLossTest {
  private static final int CLIENTS = 7;
  private static final int SERVER = CLIENTS;
  private static final int ROUNDS = 12;
  private static final double LEASE = 4;

  private static final Hfl METHOD =
      HflBuilder.from(
              SmallSimulation.hierarchy(
                  Hfl.Feature.SKEW, Hfl.Start.GLOBAL, 1e-3, new TimeoutPolicy(3, 0, 1)))
          .periodSeconds(5)
          .standby(new StandbySettings(LEASE))
          .build();

  /** Faults at fixed times. */
  private record ScriptedFaults(List<FaultEvent> events) implements ChurnModel {
    @Override
    public List<FaultEvent> eventsDuring(
        Interval interval, LivenessView liveness, RandomStreams streams) {
      return events.stream()
          .filter(
              each ->
                  each.tick() >= interval.startTick()
                      && each.tick() < interval.startTick() + interval.ticks())
          .toList();
    }
  }

  /** A round that a coordinator begins. */
  private record BegunRound(long tick, PeerId coordinator, RoundAttempt attempt) {}

  private static final class BegunRounds implements StepListener {
    private final List<BegunRound> rounds = new ArrayList<>();

    @Override
    public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
      for (Tagged<Effect> effect : step.effects()) {
        if (effect.value() instanceof Effect.Send(PeerId _, HflMessage.Begin begin)
            && (rounds.isEmpty() || !rounds.getLast().attempt().equals(begin.roundAttempt()))) {
          rounds.add(new BegunRound(tick, peer, begin.roundAttempt()));
        }
      }
    }
  }

  private final BegunRounds begun = new BegunRounds();

  private static SmallSimulation simulation(FaultEvent... faults) {
    return SmallSimulation.of(CLIENTS, ROUNDS).with(new ScriptedFaults(Arrays.asList(faults)));
  }

  private FinishedRun run(FaultEvent... faults) {
    FinishedRun run = simulation(faults).run(METHOD, Invariants.of(METHOD, CLIENTS).with(begun));
    assertThat(run.simulation().unfinishedPeers()).isEmpty();
    return run;
  }

  private static FaultEvent crash(double seconds, int participant) {
    return new FaultEvent.Crash(Ticks.ofSeconds(seconds), participant, false);
  }

  private static FaultEvent back(double seconds, int participant) {
    return new FaultEvent.Return(Ticks.ofSeconds(seconds), participant);
  }

  /** The clients of these numbers are cut off from the others and from the server. */
  private static FaultEvent split(double seconds, Integer... apart) {
    return new FaultEvent.Partition(
        Ticks.ofSeconds(seconds),
        Ints.wrap(
            IntStream.range(0, CLIENTS)
                .map(each -> Arrays.asList(apart).contains(each) ? 1 : 0)
                .toArray()));
  }

  private static long count(FinishedRun run, String name) {
    return run.simulation().counts().getOrDefault(name, 0L);
  }

  private List<Integer> roundsOf(long coordinator) {
    return begun.rounds.stream()
        .filter(each -> each.coordinator().number() == coordinator)
        .map(each -> each.attempt().round())
        .toList();
  }

  private double secondsUntilTheNextRoundAfter(double seconds) {
    return Ticks.toSeconds(
            begun.rounds.stream()
                .mapToLong(BegunRound::tick)
                .filter(tick -> tick > Ticks.ofSeconds(seconds))
                .min()
                .orElseThrow())
        - seconds;
  }

  @Test
  void theFirstClientRepeatsOneRoundOfACoordinatorThatIsGoneForGood() {
    FinishedRun run = run(crash(21, SERVER));

    assertThat(roundsOf(SERVER)).containsExactly(1, 2, 3, 4, 5);
    assertThat(roundsOf(0)).containsExactly(5, 6, 7, 8, 9, 10, 11, 12);
    assertThat(secondsUntilTheNextRoundAfter(21)).isBetween(LEASE / 2, 2 * LEASE);
    assertThat(count(run, "coordinator-silent")).isBetween(1L, (long) CLIENTS);
    assertThat(count(run, "coordinator-replaced")).isEqualTo(1);
    assertThat(run.lastDeployed(ROUNDS))
        .hasSize(CLIENTS)
        .extracting(Observation.Deployed::predictor)
        .containsOnly(run.lastDeployed(ROUNDS).getFirst().predictor());
  }

  @Test
  void aRunWithoutFaultsKeepsItsCoordinator() {
    FinishedRun run = run(crash(1000, 0));

    assertThat(roundsOf(SERVER)).hasSize(ROUNDS);
    assertThat(count(run, "coordinator-silent")).isZero();
  }

  @Test
  void aCoordinatorThatReturnsWithinItsLeaseGoesOn() {
    FinishedRun run = run(crash(21, SERVER), back(22.5, SERVER));

    assertThat(begun.rounds).extracting(BegunRound::coordinator).containsOnly(new PeerId(SERVER));
    assertThat(count(run, "coordinator-silent")).isZero();
  }

  @Test
  void aCoordinatorThatReturnsLaterIsDeposed() {
    FinishedRun run = run(crash(21, SERVER), back(33, SERVER));

    assertThat(count(run, "coordinator-deposed")).isEqualTo(1);
    // The attempt with which it found out is the only one after its return.
    assertThat(begun.rounds)
        .filteredOn(each -> each.tick() >= Ticks.ofSeconds(33))
        .filteredOn(each -> each.coordinator().number() == SERVER)
        .hasSize(1);
    assertThat(roundsOf(0)).containsExactly(5, 6, 7, 8, 9, 10, 11, 12);
  }

  @Test
  void theNextClientsFollowWhenTheStandbysAreDownToo() {
    FinishedRun run = run(crash(21, 0), crash(21, 1), crash(21, SERVER), back(50, 0), back(50, 1));

    assertThat(roundsOf(2)).first().isEqualTo(5);
    assertThat(secondsUntilTheNextRoundAfter(21)).isLessThan(2 * LEASE);
    assertThat(count(run, "coordinator-replaced")).isEqualTo(1);
  }

  @Test
  void aStandbyThatDiesWhileItCoordinatesIsReplaced() {
    run(crash(21, SERVER), crash(36, 0), back(50, 0));

    assertThat(roundsOf(0)).startsWith(5, 6);
    int last = roundsOf(0).getLast();
    assertThat(roundsOf(1)).first().isEqualTo(last);
    assertThat(roundsOf(1)).last().isEqualTo(ROUNDS);
    assertThat(secondsUntilTheNextRoundAfter(36)).isLessThan(2 * LEASE);
  }

  @Test
  void theLargerSideOfADividedNetworkReplacesTheCoordinatorAndWinsWhenItIsWhole() {
    FinishedRun run = run(split(21, 2, 3, 4, 5), new FaultEvent.Heal(Ticks.ofSeconds(42)));

    assertThat(roundsOf(2)).startsWith(5, 6).endsWith(ROUNDS);
    // Both sides learn; the server goes on with the smaller side until it hears of the newer term.
    assertThat(roundsOf(SERVER)).contains(6, 7);
    assertThat(count(run, "coordinator-deposed")).isEqualTo(1);
    assertThat(begun.rounds.getLast().coordinator()).isEqualTo(new PeerId(2));
    assertThat(run.lastDeployed(ROUNDS))
        .hasSize(CLIENTS)
        .extracting(Observation.Deployed::predictor)
        .containsOnly(run.lastDeployed(ROUNDS).getFirst().predictor());
  }

  @Test
  void theSmallerSideOfADividedNetworkWaitsAndDoesNotDeposeTheCoordinator() {
    FinishedRun run = run(split(21, 0, 1, 2), new FaultEvent.Heal(Ticks.ofSeconds(42)));

    assertThat(begun.rounds).extracting(BegunRound::coordinator).containsOnly(new PeerId(SERVER));
    assertThat(roundsOf(SERVER)).hasSize(ROUNDS);
    assertThat(count(run, "no-majority")).isPositive();
    assertThat(count(run, "coordinator-silent")).isPositive();
    assertThat(count(run, "coordinator-deposed")).isZero();
  }

  @Test
  void aRunWithALostCoordinatorResumesFromACheckpointBitByBit() {
    FaultEvent[] faults = {crash(21, SERVER), back(33, SERVER), crash(36, 0), back(50, 0)};
    FinishedRun whole = simulation(faults).run(METHOD);

    FinishedRun resumed = simulation(faults).runWithSnapshots(METHOD, ShellService.NONE, 37);

    assertThat(resumed.traceHash()).isEqualTo(whole.traceHash());
  }
}
