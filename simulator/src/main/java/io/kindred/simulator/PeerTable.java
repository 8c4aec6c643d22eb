package io.kindred.simulator;

import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerState;
import io.kindred.simulator.state.PeerTableState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Liveness, incarnation and state of every participant. A server counts as a participant, not as a
 * peer.
 */
final class PeerTable implements GlobalView {
  private final int peers;
  private final int lastRound;
  final PeerState[] states;
  final @Nullable PeerState[] savedStates;
  final boolean[] up;
  final boolean[] paused;

  /**
   * Grows with every crash and return, so that events of an earlier incarnation can be recognized.
   */
  final long[] incarnations;

  /** The number of crashes and returns of each participant. */
  final long[] faultCounts;

  /** The last round that each participant has finished. */
  final int[] finishedRounds;

  /** The factor by which each participant computes more slowly than its device would. */
  final double[] slowness;

  /** The tick until which each participant is busy with earlier work. */
  final long[] busyUntil;

  /** The neighbours that each participant was last notified of. */
  final List<List<PeerId>> knownNeighbours;

  private int unfinished;
  private int livePeers;

  PeerTable(List<PeerState> initial, int peers, int lastRound) {
    int participants = initial.size();
    this.peers = peers;
    this.lastRound = lastRound;
    states = initial.toArray(PeerState[]::new);
    savedStates = new @Nullable PeerState[participants];
    up = new boolean[participants];
    Arrays.fill(up, true);
    paused = new boolean[participants];
    incarnations = new long[participants];
    faultCounts = new long[participants];
    finishedRounds = new int[participants];
    slowness = new double[participants];
    Arrays.fill(slowness, 1);
    busyUntil = new long[participants];
    knownNeighbours = new ArrayList<>(Collections.nCopies(participants, List.of()));
    unfinished = peers;
    livePeers = peers;
  }

  PeerTable(
      List<PeerState> states,
      List<@Nullable PeerState> saved,
      int peers,
      int lastRound,
      PeerTableState snapshot) {
    this(states, peers, lastRound);
    unfinished = 0;
    livePeers = 0;
    for (int i = 0; i < this.states.length; i++) {
      this.savedStates[i] = saved.get(i);
      up[i] = snapshot.up().get(i);
      paused[i] = snapshot.paused().get(i);
      incarnations[i] = snapshot.incarnations().get(i);
      faultCounts[i] = snapshot.faultCounts().get(i);
      finishedRounds[i] = snapshot.finishedRounds().get(i);
      slowness[i] = snapshot.slowness().get(i);
      busyUntil[i] = snapshot.busyUntil().get(i);
      knownNeighbours.set(i, snapshot.knownNeighbours().get(i));
      if (i < peers && up[i]) {
        livePeers++;
        unfinished += finishedRounds[i] < lastRound ? 1 : 0;
      }
    }
  }

  PeerTableState snapshot() {
    List<Boolean> upList = new ArrayList<>();
    List<Boolean> pausedList = new ArrayList<>();
    for (int i = 0; i < up.length; i++) {
      upList.add(up[i]);
      pausedList.add(paused[i]);
    }
    return new PeerTableState(
        upList,
        pausedList,
        Arrays.stream(incarnations).boxed().toList(),
        Arrays.stream(faultCounts).boxed().toList(),
        Arrays.stream(finishedRounds).boxed().toList(),
        Arrays.stream(slowness).boxed().toList(),
        Arrays.stream(busyUntil).boxed().toList(),
        List.copyOf(knownNeighbours));
  }

  int peers() {
    return peers;
  }

  @Override
  public List<PeerId> livePeers() {
    return IntStream.range(0, peers).filter(peer -> up[peer]).mapToObj(PeerId::new).toList();
  }

  @Override
  public PeerState state(PeerId peer) {
    return states[(int) peer.number()];
  }

  boolean isUp(int peer) {
    return up[peer];
  }

  /** Whether every peer that is up has finished all rounds. */
  boolean allFinished() {
    return unfinished == 0 && livePeers > 0;
  }

  /** Ends an incarnation. */
  void markDown(int peer) {
    up[peer] = false;
    paused[peer] = false;
    incarnations[peer]++;
    if (peer < peers) {
      livePeers--;
      unfinished -= finishedRounds[peer] < lastRound ? 1 : 0;
    }
  }

  /** Starts an incarnation. */
  void markUp(int peer, PeerState state, long tick) {
    up[peer] = true;
    incarnations[peer]++;
    states[peer] = state;
    busyUntil[peer] = tick;
    if (peer < peers) {
      livePeers++;
      unfinished += finishedRounds[peer] < lastRound ? 1 : 0;
    }
  }

  /** The last finished round of each peer, summed up. */
  long totalFinishedRounds() {
    return IntStream.range(0, peers).mapToLong(peer -> finishedRounds[peer]).sum();
  }

  void recordFinishedRound(int peer, int round) {
    if (peer < peers && up[peer] && finishedRounds[peer] < lastRound && round >= lastRound) {
      unfinished--;
    }
    finishedRounds[peer] = Math.max(finishedRounds[peer], round);
  }
}
