package io.kindred.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.weights.Digest;
import io.kindred.environment.NetworkSettings;
import io.kindred.environment.link.RadioLinks;
import io.kindred.environment.radio.Channel;
import io.kindred.methods.averaging.Dfedavgm;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.runtime.metrics.TrafficTotals;
import io.kindred.simulator.invariants.Invariants;
import io.kindred.simulator.state.Traffic;
import org.junit.jupiter.api.Test;

/** Any method runs over radio links. */
class RadioSimulationTest {
  private static final Dfedavgm METHOD = new Dfedavgm(0.5, TimeoutPolicy.of(60), 0);

  private static NetworkSettings radio(int retries) {
    NetworkSettings usual = SmallSimulation.NETWORK;
    return new NetworkSettings(
        usual.devices(),
        new RadioLinks(Channel.paperDefaults(), 50, 1, -1, retries, 0.05, 0.005),
        usual.jitter(),
        usual.rewire(),
        usual.segments(),
        usual.roundSeconds(),
        usual.noticeSeconds());
  }

  private static SmallSimulation world(int retries) {
    return SmallSimulation.of(7, 4).withNetwork(radio(retries));
  }

  @Test
  void theSameSeedGivesTheSameTraceWhateverTheWorkersAndCuts() {
    Digest once = world(3).run(METHOD, Invariants.of(METHOD, 7)).traceHash();
    assertThat(world(3).withWorkers(1).run(METHOD).traceHash()).isEqualTo(once);
    assertThat(world(3).runWithSnapshots(METHOD, ShellService.NONE, 3).traceHash()).isEqualTo(once);
    assertThat(world(3).withSeed(2).run(METHOD).traceHash()).isNotEqualTo(once);
  }

  @Test
  void retriesCostBytesAndSaveModels() {
    SmallSimulation.FinishedRun patient = world(6).run(METHOD);
    SmallSimulation.FinishedRun hasty = world(0).run(METHOD);
    assertThat(patient.simulation().counts().get("link-retries")).isPositive();
    assertThat(hasty.simulation().counts()).doesNotContainKey("link-retries");
    assertThat(patient.simulation().counts().getOrDefault("link-lost", 0L))
        .isLessThan(hasty.simulation().counts().get("link-lost"));
    assertThat(patient.traffic().lostBytes()).isPositive();
    long received = 0;
    for (int peer = 0; peer < 7; peer++) {
      Traffic.Account account = patient.traffic().account(peer);
      received += account.receivedControl() + account.receivedModel();
    }
    TrafficTotals totals = patient.traffic().totals(0);
    assertThat(received + patient.traffic().lostBytes())
        .isEqualTo(totals.modelBytes() + totals.controlBytes());
  }
}
