package io.kindred.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.kindred.core.peer.Peer;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerState;
import io.kindred.methods.averaging.FedAvg;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.rounds.RoundSettings;
import io.kindred.simulator.state.PeerTableState;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Three peers and a server. */
class PeerTableTest {
  private static final int PEERS = 3;
  private static final int SERVER = 3;
  private static final int LAST_ROUND = 5;

  private static final List<PeerState> INITIAL =
      SmallSimulation.of(PEERS, LAST_ROUND)
          .builder(new FedAvg(0, RoundSettings.of(TimeoutPolicy.of(600))))
          .build()
          .participants()
          .stream()
          .map(Peer::initial)
          .toList();

  private static PeerTable table(boolean savesStates) {
    return restored(
        PeerTableState.initial(INITIAL.size()),
        Collections.nCopies(INITIAL.size(), null),
        savesStates);
  }

  private static PeerTable restored(
      PeerTableState state, List<@Nullable PeerState> saved, boolean savesStates) {
    return new PeerTable(INITIAL, saved, state, PEERS, LAST_ROUND, savesStates);
  }

  private static List<PeerId> ids(long... numbers) {
    return Arrays.stream(numbers).mapToObj(PeerId::new).toList();
  }

  @Test
  void aRunIsFinishedWhenEveryPeerThatIsUpHasReachedTheLastRound() {
    PeerTable table = table(true);
    table.recordFinishedRound(0, LAST_ROUND);
    table.recordFinishedRound(1, LAST_ROUND - 1);
    assertThat(table.unfinishedPeers()).isEqualTo(ids(1, 2));
    table.markDown(2);
    assertThat(table.unfinishedPeers()).isEqualTo(ids(1));
    assertThat(table.allFinished()).isFalse();
    table.recordFinishedRound(1, LAST_ROUND);
    assertThat(table.allFinished()).isTrue();
    table.markUp(2, INITIAL.get(2), 10);
    assertThat(table.allFinished()).isFalse();
    assertThat(table.totalFinishedRounds()).isEqualTo(2 * LAST_ROUND);
  }

  @Test
  void aRoundThatIsFinishedAgainCountsOnce() {
    PeerTable table = table(true);
    for (int peer = 0; peer < PEERS; peer++) {
      table.recordFinishedRound(peer, LAST_ROUND);
      table.recordFinishedRound(peer, LAST_ROUND);
      table.recordFinishedRound(peer, 1);
    }
    assertThat(table.allFinished()).isTrue();
    assertThat(table.finishedRound(0)).isEqualTo(LAST_ROUND);
  }

  @Test
  void aRunWithoutLivePeersIsNotFinished() {
    PeerTable table = table(true);
    for (int peer = 0; peer < PEERS; peer++) {
      table.recordFinishedRound(peer, LAST_ROUND);
      table.markDown(peer);
    }
    assertThat(table.livePeers()).isEmpty();
    assertThat(table.allFinished()).isFalse();
  }

  @Test
  void aServerIsNoPeer() {
    PeerTable table = table(true);
    table.recordFinishedRound(SERVER, LAST_ROUND);
    table.markDown(SERVER);
    assertThat(table.livePeers()).isEqualTo(ids(0, 1, 2));
    assertThat(table.unfinishedPeers()).isEqualTo(ids(0, 1, 2));
    assertThat(table.totalFinishedRounds()).isZero();
  }

  @Test
  void everyEndAndStartIsAnotherIncarnation() {
    PeerTable table = table(true);
    table.markDown(1);
    assertThat(table.incarnation(1)).isEqualTo(1);
    table.markUp(1, INITIAL.get(0), 10);
    assertThat(table.incarnation(1)).isEqualTo(2);
    assertThat(table.state(1)).isSameAs(INITIAL.get(0));
    assertThat(table.incarnation(0)).isZero();
  }

  @Test
  void noPeerGoesDownOrComesUpTwice() {
    PeerTable table = table(true);
    assertThatIllegalStateException().isThrownBy(() -> table.markUp(0, INITIAL.get(0), 1));
    table.markDown(0);
    assertThatIllegalStateException()
        .isThrownBy(() -> table.markDown(0))
        .withMessage("participant 0 is down already");
  }

  @Test
  void onlyALivePeerIsPausedAndOnlyUntilItGoesDown() {
    PeerTable table = table(true);
    table.pause(0);
    assertThat(table.isPaused(0)).isTrue();
    assertThat(table.resume(0)).isTrue();
    assertThat(table.resume(0)).isFalse();
    table.pause(0);
    table.markDown(0);
    assertThat(table.isPaused(0)).isFalse();
    table.pause(0);
    assertThat(table.isPaused(0)).isFalse();
  }

  @Test
  void workQueuesBehindEarlierWorkOfTheSameIncarnation() {
    PeerTable table = table(true);
    assertThat(table.occupy(0, 10, 5)).isEqualTo(15);
    assertThat(table.occupy(0, 12, 100)).isEqualTo(115);
    assertThat(table.occupy(0, 200, 1)).isEqualTo(201);
    table.occupy(0, 200, 1_000);
    table.markDown(0);
    table.markUp(0, INITIAL.get(0), 300);
    assertThat(table.occupy(0, 300, 1)).isEqualTo(301);
  }

  @Test
  void statesAreSavedOnlyWherePeersCanGoDown() {
    PeerTable table = table(true);
    table.saveState(1);
    assertThat(table.savedState(1)).containsSame(INITIAL.get(1));
    table.eraseSavedState(1);
    assertThat(table.savedState(1)).isEmpty();
    PeerTable undisturbed = table(false);
    undisturbed.saveState(1);
    assertThat(undisturbed.savedState(1)).isEmpty();
  }

  @Test
  void aPeerKnowsTheNeighboursItWasLastNotifiedOf() {
    PeerTable table = table(true);
    assertThat(table.setKnownNeighbours(0, ids(1))).isTrue();
    assertThat(table.setKnownNeighbours(0, ids(1))).isFalse();
    assertThat(table.setKnownNeighbours(0, ids(1, 2))).isTrue();
  }

  @Test
  void aTableReadBackEqualsTheOneWritten() {
    PeerTable table = table(true);
    table.recordFinishedRound(0, LAST_ROUND);
    table.markDown(1);
    table.pause(2);
    table.setSlowness(2, 4);
    table.occupy(2, 7, 8);
    table.setKnownNeighbours(2, ids(0));
    table.saveState(0);
    assertThat(table.countFault(1)).isEqualTo(1);
    PeerTable copy = restored(table.snapshot(), table.savedStates(), true);
    assertThat(copy.snapshot()).isEqualTo(table.snapshot());
    assertThat(copy.savedStates()).isEqualTo(table.savedStates());
    assertThat(copy.livePeers()).isEqualTo(ids(0, 2));
    copy.recordFinishedRound(2, LAST_ROUND);
    assertThat(copy.allFinished()).isTrue();
  }
}
