package io.kindred.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.core.peer.Ticks;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.fault.Faults;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.hfl.Hfl;
import io.kindred.methods.hfl.HflBuilder;
import io.kindred.methods.hfl.HflMessage;
import io.kindred.methods.hfl.RoundAttempt;
import io.kindred.methods.hfl.StandbySettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Kills the server at random times and measures how long clients take to notice and to learn again.
 * The figures of docs/reproduction/hfl.md are those of {@code -Dkindred.kills=200}.
 */
class CoordinatorLossTimesTest {
  private static final int KILLS = Integer.getInteger("kindred.kills", 4);
  private static final int CLIENTS = 12;
  private static final int ROUNDS = 16;
  private static final double LEASE = 10;

  /** When a coordinator was killed, when that was noticed and when the next round began. */
  private record Loss(double noticed, double resumed, int repeated) {}

  private static final class Watch implements StepListener {
    private final long killed;
    private long noticed = -1;
    private long resumed = -1;
    private final List<RoundAttempt> begun = new ArrayList<>();

    Watch(long killed) {
      this.killed = killed;
    }

    @Override
    public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
      for (Tagged<Effect> effect : step.effects()) {
        if (effect.value() instanceof Effect.Observe(Observation.Warned warned)
            && warned.name().equals("coordinator-silent")
            && noticed < 0) {
          noticed = tick;
        }
        if (effect.value() instanceof Effect.Send(PeerId _, HflMessage.Begin begin)
            && (begun.isEmpty() || !begun.getLast().equals(begin.roundAttempt()))) {
          begun.add(begin.roundAttempt());
          resumed = tick > killed && resumed < 0 ? tick : resumed;
        }
      }
    }

    Loss loss() {
      int rounds = new TreeSet<>(begun.stream().map(RoundAttempt::round).toList()).size();
      return new Loss(
          Ticks.toSeconds(noticed - killed),
          Ticks.toSeconds(resumed - killed),
          begun.size() - rounds);
    }
  }

  private static Loss kill(long seed) {
    RandomStream random = new RandomStreams(seed).stream(Purpose.FAULTS, 0, 0);
    double seconds = random.uniform(5, 60);
    Hfl method =
        HflBuilder.from(
                SmallSimulation.hierarchy(
                    Hfl.Feature.SKEW, Hfl.Start.GLOBAL, 1e-3, new TimeoutPolicy(3, 0, 1)))
            .periodSeconds(5)
            .standby(new StandbySettings(LEASE))
            .build();
    Watch watch = new Watch(Ticks.ofSeconds(seconds));
    SmallSimulation.FinishedRun run =
        SmallSimulation.of(CLIENTS, ROUNDS)
            .withSeed(seed)
            .with(Faults.builder().serverStopSeconds(seconds).build())
            .run(method, watch);
    assertThat(run.simulation().unfinishedPeers()).isEmpty();
    return watch.loss();
  }

  @Test
  void learningResumesWithinTwoLeasesAndRepeatsOneRoundAtMost() {
    List<Loss> losses = new ArrayList<>();
    for (int kill = 0; kill < KILLS; kill++) {
      losses.add(kill(43_001 + kill));
    }
    assertThat(losses).allSatisfy(loss -> assertThat(loss.noticed()).isLessThan(LEASE + 1));
    assertThat(losses).allSatisfy(loss -> assertThat(loss.resumed()).isLessThan(2 * LEASE));
    assertThat(losses).allSatisfy(loss -> assertThat(loss.repeated()).isLessThanOrEqualTo(1));
    System.getLogger(getClass().getName())
        .log(
            System.Logger.Level.INFO,
            () ->
                String.format(
                    Locale.ROOT,
                    "noticed %.1f s on average, %.1f at most; resumed %.1f, %.1f; repeated %.2f",
                    losses.stream().mapToDouble(Loss::noticed).average().orElseThrow(),
                    losses.stream().mapToDouble(Loss::noticed).max().orElseThrow(),
                    losses.stream().mapToDouble(Loss::resumed).average().orElseThrow(),
                    losses.stream().mapToDouble(Loss::resumed).max().orElseThrow(),
                    losses.stream().mapToInt(Loss::repeated).average().orElseThrow()));
  }
}
