package io.kindred.methods.clustered;

import static io.kindred.methods.contract.Driver.model;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.compute.Result;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation.Weighting;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Timer;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.contract.ExpectedMixture;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.rounds.GossipState;
import io.kindred.methods.rounds.GossipState.Phase;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.NeighbourMessage.Announcement;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.methods.rounds.SlotModel;
import java.util.List;
import org.junit.jupiter.api.Test;

/** FedSPD whose peers announce their cluster, and send centers only within a cluster. */
class SameClusterSendingTest {
  private static final Effect UNEXPECTED = Driver.counted("unexpected-message");
  private static final Effect LATE = Driver.counted("late-model");

  private static FedSpd method(FedSpd.SendTo sendTo, int staleness) {
    return method(2, FedSpd.Variant.PAPER, false, FedSpd.Update.TRAINED, sendTo, staleness);
  }

  private static FedSpd method(
      int clusters,
      FedSpd.Variant variant,
      boolean matching,
      FedSpd.Update update,
      FedSpd.SendTo sendTo,
      int staleness) {
    return new FedSpd(
        clusters,
        variant,
        0,
        FinalPhase.asInRounds(),
        matching,
        update,
        FedSpd.Start.APART,
        sendTo,
        new PrivacySettings(0, 0.01, 1, 1, PrivacySettings.ClipTarget.WEIGHTS),
        TimeoutPolicy.of(60),
        staleness);
  }

  private static GossipState state(Driver peer) {
    return (GossipState) peer.state();
  }

  /** The cluster that the peer trains, or has trained last. */
  private static int cluster(Driver peer) {
    return ((Centers) state(peer).draftState()).trainedCluster();
  }

  private static Driver started(int staleness, long... neighbours) {
    Driver peer = Driver.peer(method(FedSpd.SendTo.SAME_CLUSTER, staleness), 1);
    peer.started(neighbours);
    return peer;
  }

  /** Peer 1 with its center of round 1, which it has announced. */
  private static Driver waiting(long... neighbours) {
    Driver peer = started(0, neighbours);
    peer.trained(1, model(1));
    return peer;
  }

  /** Completes the round after the averages: losses, and the sum of the centers. */
  private static List<Effect> completeRound(Driver peer, int round) {
    Floats losses = Floats.wrap(new float[Driver.SAMPLES]);
    peer.feed(new Event.Computed(9, round, new Result.Losses(List.of(losses, losses))));
    return peer.mixed(round, model(20));
  }

  private static Announcement announcement(int round, int... slots) {
    return new Announcement(round, 2, Ints.of(slots), false, 0);
  }

  private static Announcement asking(int round, int... slots) {
    return new Announcement(round, 2, Ints.of(slots), true, 0);
  }

  private static NeighbourUpdate update(int round, int slot, Weights weights) {
    return new NeighbourUpdate(
        round, 2, ModelUpdate.of(new SlotModel(slot, weights, Driver.SAMPLES)), false, 0);
  }

  private static Effect send(long to, Message message) {
    return new Effect.Send(new PeerId(to), message);
  }

  private static Effect roundTimer(int round) {
    return new Effect.SetTimer(new Timer("round-timeout", round), 60_000_000L);
  }

  /** The mean of the own center and the one of peer 0. */
  private static ExpectedMixture meanOf(Driver peer, Weights own, Weights received) {
    return ExpectedMixture.of(1, cluster(peer), Weighting.EQUAL)
        .own(own, 0.5)
        .from(0, received, 0.5, Driver.SAMPLES);
  }

  @Test
  void aPeerAnnouncesItsClusterAndSendsItsCenterWhereTheSameOneIsAnnounced() {
    Driver peer = started(0, 0, 2);
    int own = cluster(peer);
    assertThat(peer.trained(1, model(1)))
        .filteredOn(effect -> !(effect instanceof Effect.Observe))
        .containsExactly(
            send(0, announcement(1, own)), send(2, announcement(1, own)), roundTimer(1));
    assertThat(peer.received(0, announcement(1, own)))
        .containsExactly(send(0, update(1, own, model(1))));
    assertThat(peer.received(0, announcement(1, own))).as("a repeated announcement").isEmpty();
    assertThat(peer.received(0, update(1, own, model(3)))).isEmpty();
    assertThat(peer.received(2, announcement(1, 1 - own)))
        .as("nothing is sent to peer 2, and nothing is expected from it")
        .containsExactly(meanOf(peer, model(1), model(3)).effects());
  }

  @Test
  void anAnnouncementThatCameDuringTrainingIsAnsweredAfterIt() {
    Driver peer = started(0, 0, 2);
    int own = cluster(peer);
    assertThat(peer.received(0, announcement(1, own))).isEmpty();
    assertThat(peer.received(2, announcement(1, 1 - own))).isEmpty();
    assertThat(peer.trained(1, model(1)))
        .filteredOn(Effect.Send.class::isInstance)
        .containsExactly(
            send(0, announcement(1, own)),
            send(0, update(1, own, model(1))),
            send(2, announcement(1, own)));
    assertThat(peer.received(0, update(1, own, model(3))))
        .containsExactly(meanOf(peer, model(1), model(3)).effects());
  }

  @Test
  void aRoundWithoutANeighbourInTheClusterNeedsNoCenter() {
    Driver peer = waiting(0, 2);
    peer.received(0, announcement(1, 1 - cluster(peer)));
    assertThat(state(peer).phase()).isEqualTo(Phase.WAITING);
    peer.received(2, announcement(1, 1 - cluster(peer)));
    assertThat(state(peer).phase()).isEqualTo(Phase.COMPLETING_ROUND);
  }

  @Test
  void aCenterAlsoTellsItsClusterWhenItsAnnouncementWasLost() {
    Driver peer = waiting(0, 2);
    int own = cluster(peer);
    assertThat(peer.received(0, update(1, own, model(3))))
        .containsExactly(send(0, update(1, own, model(1))));
    assertThat(peer.received(0, announcement(1, own))).as("arrives after all").isEmpty();
  }

  @Test
  void missingAnnouncementsAndCentersAreWaitedForUntilTheTimeout() {
    Driver peer = waiting(0, 2, 3);
    int own = cluster(peer);
    peer.received(0, announcement(1, own));
    peer.received(0, update(1, own, model(3)));
    peer.received(2, announcement(1, own));
    assertThat(state(peer).phase()).isEqualTo(Phase.WAITING);
    assertThat(peer.timerFired("round-timeout", 1))
        .containsExactly(meanOf(peer, model(1), model(3)).after(Driver.counted("patience-ended")));
  }

  @Test
  void aNeighbourOfALaterRoundIsNotWaitedForAndTellsTheRoundToContinueIn() {
    Driver peer = waiting(0, 2);
    peer.received(0, announcement(3, cluster(peer)));
    peer.received(2, announcement(3, 1 - cluster(peer)));
    assertThat(state(peer).phase()).isEqualTo(Phase.COMPLETING_ROUND);
    completeRound(peer, 1);
    assertThat(state(peer).round()).isEqualTo(3);
  }

  /** A center is larger than an announcement, so the next announcement may arrive before it. */
  @Test
  void aCenterIsWaitedForAfterItsSenderHasAnnouncedTheNextRound() {
    Driver peer = waiting(0);
    int own = cluster(peer);
    peer.received(0, announcement(1, own));
    peer.received(0, announcement(2, 1 - own));
    assertThat(state(peer).phase()).isEqualTo(Phase.WAITING);
    assertThat(peer.received(0, update(1, own, model(3))))
        .containsExactly(meanOf(peer, model(1), model(3)).effects());
  }

  @Test
  void aPeerThatHasFallenBehindHearsTheNewestRound() {
    Driver peer = waiting(0);
    peer.timerFired("round-timeout", 1);
    completeRound(peer, 1);
    peer.trained(2, model(2));
    Announcement newest = new Announcement(2, 1, Ints.of(cluster(peer)), false, 0);
    assertThat(peer.received(0, announcement(1, 0))).containsExactly(send(0, newest));
    assertThat(peer.received(0, announcement(1, 1))).containsExactly(send(0, newest));
    assertThat(peer.received(0, update(1, 0, model(3)))).containsExactly(LATE, send(0, newest));
  }

  @Test
  void aSlowNeighbourStillReceivesTheCenterOfTheRoundThatTimedOut() {
    Driver peer = waiting(0);
    int first = cluster(peer);
    NeighbourUpdate center =
        new NeighbourUpdate(
            1, 1, ModelUpdate.of(new SlotModel(first, model(1), Driver.SAMPLES)), false, 0);
    peer.timerFired("round-timeout", 1);
    completeRound(peer, 1);
    assertThat(state(peer).phase()).isEqualTo(Phase.WORKING);
    assertThat(peer.received(0, announcement(1, 1 - first))).isEmpty();
    assertThat(peer.received(0, announcement(1, first))).containsExactly(send(0, center));
    assertThat(peer.received(0, update(1, first, model(3))))
        .as("its center comes too late, and shows nothing new")
        .containsExactly(LATE);
  }

  @Test
  void theLastCenterIsSentAlsoAfterTheLastRound() {
    Driver peer = waiting(0);
    for (int round = 1; round <= Driver.ROUNDS; round++) {
      peer.trained(round, model(round));
      peer.timerFired("round-timeout", round);
      completeRound(peer, round);
    }
    assertThat(state(peer).phase()).isEqualTo(Phase.DONE);
    assertThat(peer.received(0, announcement(Driver.ROUNDS, 0, 1)))
        .extracting(effect -> ((Effect.Send) effect).message().getClass().getSimpleName())
        .containsExactly("NeighbourUpdate");
  }

  @Test
  void aRestoredPeerAnnouncesAgainAndAsksForWhatItMayHaveMissed() {
    Driver peer = waiting(0, 2);
    int own = cluster(peer);
    peer.received(0, announcement(1, own));
    assertThat(peer.restored(0, 2))
        .containsExactly(
            send(0, asking(1, own)),
            send(0, update(1, own, model(1))),
            send(2, asking(1, own)),
            roundTimer(1));
    peer.received(0, update(1, own, model(3)));
    assertThat(peer.received(2, announcement(1, 1 - own)))
        .containsExactly(meanOf(peer, model(1), model(3)).effects());
  }

  @Test
  void aRequestIsAnsweredWithAnAnnouncementAndTheCenterWithinTheCluster() {
    Driver peer = waiting(0, 2);
    int own = cluster(peer);
    Effect[] both = {send(0, announcement(1, own)), send(0, update(1, own, model(1)))};
    assertThat(peer.received(0, asking(1, own))).containsExactly(both);
    assertThat(peer.received(0, asking(1, own))).as("lost again").containsExactly(both);
    assertThat(peer.received(2, asking(1, 1 - own)))
        .startsWith(send(2, announcement(1, own)))
        .doesNotContain(send(2, update(1, own, model(1))));
  }

  @Test
  void aRequestWithinTheStalenessBoundGetsTheCenterOfItsRound() {
    Driver peer = started(1, 0, 2);
    int own = cluster(peer);
    peer.trained(1, model(1));
    peer.received(0, announcement(1, own));
    peer.timerFired("round-timeout", 1);
    completeRound(peer, 1);
    assertThat(state(peer).phase()).isEqualTo(Phase.WORKING);
    assertThat(peer.received(0, asking(1, own))).containsExactly(send(0, update(1, own, model(1))));
  }

  /** Announcements are small and centers are not, so a neighbour must not fetch any number. */
  @Test
  void aNeighbourFetchesACenterTwiceInARoundAtMost() {
    Driver peer = waiting(0, 2);
    int own = cluster(peer);
    int sent = 0;
    for (int i = 0; i < 10; i++) {
      int[] slots = i % 2 == 0 ? new int[] {own} : new int[] {0, 1};
      sent +=
          (int)
              peer.received(0, i % 3 == 0 ? asking(1, slots) : announcement(1, slots)).stream()
                  .filter(send(0, update(1, own, model(1)))::equals)
                  .count();
    }
    assertThat(sent).isEqualTo(2);
    assertThat(peer.received(2, asking(1, own)))
        .as("another neighbour")
        .contains(send(2, update(1, own, model(1))));
    peer.neighboursChanged(2);
    assertThat(peer.neighboursChanged(0, 2)).contains(send(0, asking(1, own)));
    assertThat(peer.received(0, announcement(1, own)))
        .as("a neighbour that was down")
        .containsExactly(send(0, update(1, own, model(1))));
  }

  @Test
  void aNewNeighbourReceivesAnAnnouncementAndIsWaitedFor() {
    Driver peer = waiting(0, 2);
    int own = cluster(peer);
    peer.received(0, announcement(1, 1 - own));
    assertThat(peer.neighboursChanged(0, 3))
        .as("peer 2 left, so only the new neighbour is missing")
        .containsExactly(send(3, asking(1, own)));
    peer.received(3, announcement(1, 1 - own));
    assertThat(state(peer).phase()).isEqualTo(Phase.COMPLETING_ROUND);
    peer.neighboursChanged(3);
    assertThat(state(peer).storedAnnouncements()).as("of former neighbours").hasSize(1);
  }

  @Test
  void announcementsAndCentersThatDidNotArriveAreSentAgain() {
    Driver peer = waiting(0, 2);
    int own = cluster(peer);
    Effect failed = Driver.counted("send-failed");
    Announcement lost = announcement(1, own);
    for (int attempt = 1; attempt <= 5; attempt++) {
      Announcement again = lost.nextAttempt();
      assertThat(again.attempt()).isEqualTo(attempt);
      assertThat(peer.sendFailed(0, lost)).containsExactly(failed, send(0, again));
      lost = again;
    }
    assertThat(peer.sendFailed(0, lost)).containsExactly(failed);
    assertThat(peer.sendFailed(9, announcement(1, own)))
        .as("to a former neighbour")
        .containsExactly(failed);
  }

  @Test
  void aLostCenterIsSentAgainWhileItsReceiverIsInThatRound() {
    Driver peer = waiting(0);
    int own = cluster(peer);
    peer.received(0, announcement(1, own));
    peer.received(0, update(1, own, model(3)));
    peer.mixed(1, model(2));
    completeRound(peer, 1);
    peer.trained(2, model(4));
    NeighbourUpdate lost = update(1, own, model(1));
    Effect failed = Driver.counted("send-failed");
    assertThat(peer.sendFailed(0, lost)).containsExactly(failed, send(0, lost.nextAttempt()));
    assertThat(peer.sendFailed(0, announcement(1, own)))
        .as("the announcement of round 2 is newer")
        .containsExactly(failed);
    peer.received(0, announcement(2, own));
    assertThat(peer.sendFailed(0, lost)).containsExactly(failed);
  }

  @Test
  void invalidAnnouncementsChangeNothing() {
    Driver peer = waiting(0, 2);
    Object before = peer.state();
    assertThat(peer.received(9, announcement(1, 0))).as("a stranger").containsExactly(UNEXPECTED);
    List<Announcement> invalid =
        List.of(
            announcement(-1, 0),
            announcement(Driver.ROUNDS + 1, 0),
            new Announcement(1, 0, Ints.of(0), false, 0),
            announcement(1),
            announcement(1, -1),
            announcement(1, 2),
            announcement(1, 0, 0));
    for (Announcement each : invalid) {
      assertThat(peer.received(0, each)).as("%s", each).containsExactly(UNEXPECTED);
    }
    assertThat(peer.state()).isEqualTo(before);
  }

  @Test
  void anAnnouncementIsUnexpectedWherePeersSendToAll() {
    Driver peer = Driver.peer(method(FedSpd.SendTo.ALL, 0), 1);
    peer.started(0, 2);
    int own = cluster(peer);
    assertThat(peer.trained(1, model(1)))
        .contains(send(0, update(1, own, model(1))), send(2, update(1, own, model(1))));
    assertThat(peer.received(0, announcement(1, own))).containsExactly(UNEXPECTED);
    peer.received(0, update(1, own, model(3)));
    assertThat(state(peer).storedAnnouncements()).isEmpty();
  }

  @Test
  void ofEachNeighbourTwoAnnouncementsAreKeptAtMost() {
    Driver peer = waiting(0, 2);
    for (int repeated = 0; repeated < 3; repeated++) {
      for (int round = 0; round <= Driver.ROUNDS; round++) {
        peer.received(0, announcement(round, 0));
        peer.received(0, announcement(round, 1));
      }
    }
    assertThat(state(peer).storedAnnouncements())
        .extracting(GossipState.StoredAnnouncement::round)
        .containsExactly(1, 3);
    peer.timerFired("round-timeout", 1);
    completeRound(peer, 1);
    assertThat(state(peer).round()).as("one neighbour's claim of round 3").isEqualTo(2);
    peer.received(0, announcement(2, 0));
    assertThat(state(peer).storedAnnouncements())
        .extracting(GossipState.StoredAnnouncement::round)
        .containsExactlyInAnyOrder(2, 3);
  }

  @Test
  void aNeighbourThatLostItsStateMayAnnounceAnotherCluster() {
    Driver peer = waiting(0, 2);
    int own = cluster(peer);
    assertThat(peer.received(0, announcement(1, 1 - own))).isEmpty();
    assertThat(peer.received(0, announcement(1, own)))
        .containsExactly(send(0, update(1, own, model(1))));
  }

  @Test
  void anAnnouncementOfAnotherClusterIsAnAnswerForTheTimeout() {
    Driver peer = waiting(0, 2, 3);
    int own = cluster(peer);
    peer.received(0, announcement(1, 1 - own));
    peer.received(0, announcement(1, 1 - own));
    assertThat(state(peer).latencies()).hasSize(1);
    peer.received(2, announcement(1, own));
    assertThat(state(peer).latencies()).as("the center is the answer").hasSize(1);
    peer.received(2, update(1, own, model(3)));
    assertThat(state(peer).latencies()).hasSize(2);
  }

  private static void refuses(
      FedSpd.Variant variant, boolean matching, FedSpd.Update update, String remedy) {
    assertThatThrownBy(() -> method(2, variant, matching, update, FedSpd.SendTo.SAME_CLUSTER, 0))
        .isInstanceOfSatisfying(
            SettingException.class,
            invalid -> assertThat(invalid.line()).startsWith("'method.sendTo': ").endsWith(remedy));
  }

  @Test
  void settingsThatNeedCentersOfOtherClustersAreRefused() {
    FedSpd.Variant paper = FedSpd.Variant.PAPER;
    FedSpd.Update trained = FedSpd.Update.TRAINED;
    refuses(paper, true, trained, "set method.matching to false or method.sendTo to all");
    refuses(
        paper,
        false,
        FedSpd.Update.RECEIVED,
        "set method.update to trained or method.sendTo to all");
    refuses(
        FedSpd.Variant.RELEASED,
        false,
        trained,
        "choose the variant paper or set method.sendTo to all");
    assertThatCode(() -> method(1, paper, true, trained, FedSpd.SendTo.SAME_CLUSTER, 0))
        .as("one center is never matched")
        .doesNotThrowAnyException();
  }
}
