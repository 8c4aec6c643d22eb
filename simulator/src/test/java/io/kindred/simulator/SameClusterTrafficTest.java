package io.kindred.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.environment.fault.Faults;
import io.kindred.methods.clustered.FedSpd;
import io.kindred.methods.clustered.FinalPhase;
import io.kindred.methods.clustered.PrivacySettings;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.rounds.NeighbourMessage.Announcement;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.runtime.ObservationListener;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** FedSPD sends fewer models if it sends them only within a cluster, and learns the same. */
class SameClusterTrafficTest {
  private static final int PEERS = 8;
  private static final int ROUNDS = 5;

  private static FedSpd sendingTo(FedSpd.SendTo sendTo) {
    return new FedSpd(
        2,
        FedSpd.Variant.PAPER,
        1,
        FinalPhase.asInRounds(),
        false,
        FedSpd.Update.TRAINED,
        FedSpd.Start.APART,
        sendTo,
        new PrivacySettings(0, 0.01, 1, 1, PrivacySettings.ClipTarget.WEIGHTS),
        TimeoutPolicy.of(600),
        0);
  }

  /** Counts the messages that peers send, by their type. */
  private static final class SentMessages implements StepListener {
    private long updates;
    private long announcements;

    @Override
    public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
      for (Tagged<Effect> effect : step.effects()) {
        if (effect.value() instanceof Effect.Send send) {
          updates += send.message() instanceof NeighbourUpdate ? 1 : 0;
          announcements += send.message() instanceof Announcement ? 1 : 0;
        }
      }
    }
  }

  /** What each peer observed, in its own order: the order among peers follows from times. */
  private static SortedMap<PeerId, List<Observation>> byPeer(
      SmallSimulation.FinishedRun finishedRun) {
    SortedMap<PeerId, List<Observation>> observed = new TreeMap<>();
    for (ObservationListener.Observed each : finishedRun.observed()) {
      observed.computeIfAbsent(each.peer(), _ -> new ArrayList<>()).add(each.observation());
    }
    return observed;
  }

  private static long sameClusterNeighbours(SmallSimulation.FinishedRun finishedRun) {
    double sum = 0;
    for (ObservationListener.Observed each : finishedRun.observed()) {
      if (each.observation() instanceof Observation.Measured measured
          && measured.name().equals("pointToPointModels")) {
        sum += measured.value();
      }
    }
    return Math.round(sum);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void withoutLossTheModelsOfEveryPeerAreTheSameBitForBit(long seed) {
    SmallSimulation simulation = SmallSimulation.of(PEERS, ROUNDS).withSeed(seed);
    SmallSimulation.FinishedRun all = simulation.run(sendingTo(FedSpd.SendTo.ALL));
    SmallSimulation.FinishedRun same = simulation.run(sendingTo(FedSpd.SendTo.SAME_CLUSTER));
    assertThat(byPeer(same)).hasSize(PEERS).isEqualTo(byPeer(all));
    assertThat(same.simulation().counts()).isEmpty();
  }

  @Test
  void modelsAreSentOnlyToNeighboursThatTrainedTheSameCluster() {
    SmallSimulation simulation = SmallSimulation.of(PEERS, ROUNDS);
    SentMessages toAll = new SentMessages();
    SmallSimulation.FinishedRun all = simulation.run(sendingTo(FedSpd.SendTo.ALL), toAll);
    SentMessages sent = new SentMessages();
    SmallSimulation.FinishedRun same = simulation.run(sendingTo(FedSpd.SendTo.SAME_CLUSTER), sent);
    assertThat(toAll.announcements).isZero();
    assertThat(sent.announcements).isEqualTo(toAll.updates);
    // The run that sends to all neighbours counts those that trained the same cluster.
    assertThat(sent.updates)
        .isEqualTo(sameClusterNeighbours(all))
        .isPositive()
        .isLessThan(toAll.updates);
    long modelBytes = 4L * (784 * 4 + 4);
    assertThat(same.traffic().totals(0).modelBytes()).isEqualTo(sent.updates * modelBytes);
    assertThat(all.traffic().totals(0).modelBytes()).isEqualTo(toAll.updates * modelBytes);
  }

  /** A lost model is sent again also when its sender has begun the next round. */
  @Test
  void lostMessagesCostTimeButNoModel() {
    Faults lossy = Faults.builder().loss(0.1).delaySeconds(1).build();
    FedSpd method = sendingTo(FedSpd.SendTo.SAME_CLUSTER);
    SmallSimulation.FinishedRun whole = SmallSimulation.of(PEERS, ROUNDS).run(method);
    SmallSimulation.FinishedRun withLoss =
        SmallSimulation.of(PEERS, ROUNDS).with(lossy).run(method);
    assertThat(withLoss.simulation().counts())
        .containsKey("send-failed")
        .doesNotContainKey("patience-ended");
    assertThat(deployments(withLoss)).isEqualTo(deployments(whole));
  }

  private static SortedMap<PeerId, List<Observation>> deployments(
      SmallSimulation.FinishedRun finishedRun) {
    SortedMap<PeerId, List<Observation>> deployments = byPeer(finishedRun);
    deployments
        .values()
        .forEach(each -> each.removeIf(one -> !(one instanceof Observation.Deployed)));
    return deployments;
  }
}
