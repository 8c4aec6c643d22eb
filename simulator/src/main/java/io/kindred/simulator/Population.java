package io.kindred.simulator;

import io.kindred.core.PeerId;
import io.kindred.core.peer.PeerState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Who is there, in which life, in which state. A server counts as a participant, not as a peer. */
final class Population implements Everybody {
  private final int peers;
  private final int lastRound;
  final PeerState[] states;
  final @Nullable PeerState[] saved;
  final boolean[] up;
  final boolean[] paused;

  /** Grows with every crash and return, so that what belongs to an earlier life can be told. */
  final long[] lives;

  /** How often something happened to each. */
  final long[] changes;

  /** The last round that each has finished. */
  final int[] rounds;

  /** By which factor each computes more slowly than its device would. */
  final double[] slowness;

  /** Until when each has work that it took on earlier. */
  final long[] busyUntil;

  /** The neighbours that each knows of. */
  final List<List<PeerId>> told;

  private int unfinished;
  private int present;

  Population(List<PeerState> initial, int peers, int lastRound) {
    int participants = initial.size();
    this.peers = peers;
    this.lastRound = lastRound;
    states = initial.toArray(PeerState[]::new);
    saved = new @Nullable PeerState[participants];
    up = new boolean[participants];
    Arrays.fill(up, true);
    paused = new boolean[participants];
    lives = new long[participants];
    changes = new long[participants];
    rounds = new int[participants];
    slowness = new double[participants];
    Arrays.fill(slowness, 1);
    busyUntil = new long[participants];
    told = new ArrayList<>(Collections.nCopies(participants, List.of()));
    unfinished = peers;
    present = peers;
  }

  Population(
      List<PeerState> states,
      List<@Nullable PeerState> saved,
      int peers,
      int lastRound,
      PeerTableState snapshot) {
    this(states, peers, lastRound);
    unfinished = 0;
    present = 0;
    for (int i = 0; i < this.states.length; i++) {
      this.saved[i] = saved.get(i);
      up[i] = snapshot.up().get(i);
      paused[i] = snapshot.paused().get(i);
      lives[i] = snapshot.lives().get(i);
      changes[i] = snapshot.changes().get(i);
      rounds[i] = snapshot.rounds().get(i);
      slowness[i] = snapshot.slowness().get(i);
      busyUntil[i] = snapshot.busyUntil().get(i);
      told.set(i, snapshot.told().get(i));
      if (i < peers && up[i]) {
        present++;
        unfinished += rounds[i] < lastRound ? 1 : 0;
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
        Arrays.stream(lives).boxed().toList(),
        Arrays.stream(changes).boxed().toList(),
        Arrays.stream(rounds).boxed().toList(),
        Arrays.stream(slowness).boxed().toList(),
        Arrays.stream(busyUntil).boxed().toList(),
        List.copyOf(told));
  }

  int peers() {
    return peers;
  }

  @Override
  public List<PeerId> present() {
    return IntStream.range(0, peers).filter(peer -> up[peer]).mapToObj(PeerId::new).toList();
  }

  @Override
  public PeerState state(PeerId peer) {
    return states[(int) peer.number()];
  }

  boolean isUp(int peer) {
    return up[peer];
  }

  /** Whether everybody who is there has gone all rounds. */
  boolean finished() {
    return unfinished == 0 && present > 0;
  }

  /** Ends a life. */
  void goes(int peer) {
    up[peer] = false;
    paused[peer] = false;
    lives[peer]++;
    if (peer < peers) {
      present--;
      unfinished -= rounds[peer] < lastRound ? 1 : 0;
    }
  }

  /** Begins a life. */
  void comes(int peer, PeerState state, long tick) {
    up[peer] = true;
    lives[peer]++;
    states[peer] = state;
    busyUntil[peer] = tick;
    if (peer < peers) {
      present++;
      unfinished += rounds[peer] < lastRound ? 1 : 0;
    }
  }

  /** The last round that each peer has finished, summed up. */
  long roundsGone() {
    return IntStream.range(0, peers).mapToLong(peer -> rounds[peer]).sum();
  }

  void hasFinished(int peer, int round) {
    if (peer < peers && up[peer] && rounds[peer] < lastRound && round >= lastRound) {
      unfinished--;
    }
    rounds[peer] = Math.max(rounds[peer], round);
  }
}
