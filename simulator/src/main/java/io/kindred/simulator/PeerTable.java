package io.kindred.simulator;

import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerState;
import io.kindred.simulator.state.PeerTableState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Liveness, incarnation, progress and state of every participant. A server counts as a participant,
 * not as a peer.
 */
final class PeerTable implements GlobalView {
  private final int peers;
  private final int lastRound;
  private final boolean savesStates;
  private final PeerState[] states;
  private final @Nullable PeerState[] savedStates;
  private final boolean[] up;
  private final boolean[] paused;
  private final long[] incarnations;
  private final long[] faultCounts;
  private final int[] finishedRounds;
  private final double[] slowness;
  private final long[] busyUntil;
  private final List<List<PeerId>> knownNeighbours;

  // Peers that are up, and those of them that have not finished all rounds.
  private int livePeers;
  private int unfinished;

  /**
   * A table as a snapshot has it.
   *
   * @param savesStates whether participants can go down, so that their saved states are needed
   */
  PeerTable(
      List<PeerState> states,
      List<@Nullable PeerState> saved,
      PeerTableState table,
      int peers,
      int lastRound,
      boolean savesStates) {
    int participants = states.size();
    this.peers = peers;
    this.lastRound = lastRound;
    this.savesStates = savesStates;
    this.states = states.toArray(PeerState[]::new);
    savedStates = saved.toArray(new @Nullable PeerState[participants]);
    up = new boolean[participants];
    paused = new boolean[participants];
    incarnations = table.incarnations().stream().mapToLong(Long::longValue).toArray();
    faultCounts = table.faultCounts().stream().mapToLong(Long::longValue).toArray();
    finishedRounds = table.finishedRounds().stream().mapToInt(Integer::intValue).toArray();
    slowness = table.slowness().stream().mapToDouble(Double::doubleValue).toArray();
    busyUntil = table.busyUntil().stream().mapToLong(Long::longValue).toArray();
    knownNeighbours = new ArrayList<>(table.knownNeighbours());
    for (int i = 0; i < participants; i++) {
      up[i] = table.up().get(i);
      paused[i] = table.paused().get(i);
      if (up[i]) {
        countLive(i, 1);
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

  List<PeerState> states() {
    return List.of(states);
  }

  /** The state that each participant would find on its disk; null where it never saved one. */
  List<@Nullable PeerState> savedStates() {
    List<@Nullable PeerState> saved = new ArrayList<>();
    Collections.addAll(saved, savedStates);
    return saved;
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
    return state((int) peer.number());
  }

  PeerState state(int participant) {
    return states[participant];
  }

  void setState(int participant, PeerState state) {
    states[participant] = state;
  }

  /** Saves the state that a participant would find on its disk after a crash from now on. */
  void saveState(int participant) {
    if (savesStates) {
      savedStates[participant] = states[participant];
    }
  }

  /** The participant loses what it has saved. */
  void eraseSavedState(int participant) {
    savedStates[participant] = null;
  }

  Optional<PeerState> savedState(int participant) {
    return Optional.ofNullable(savedStates[participant]);
  }

  boolean isUp(int participant) {
    return up[participant];
  }

  boolean isPaused(int participant) {
    return paused[participant];
  }

  /**
   * The number of the participant's incarnation. It grows with every end and every start of one, so
   * that events of an earlier incarnation can be recognized.
   */
  long incarnation(int participant) {
    return incarnations[participant];
  }

  /** Ends an incarnation; a participant that is down is not paused. */
  void markDown(int participant) {
    requireLiveness(participant, true);
    up[participant] = false;
    paused[participant] = false;
    incarnations[participant]++;
    countLive(participant, -1);
  }

  /** Starts an incarnation; work of the one before no longer keeps the participant busy. */
  void markUp(int participant, PeerState state, long tick) {
    requireLiveness(participant, false);
    up[participant] = true;
    incarnations[participant]++;
    states[participant] = state;
    busyUntil[participant] = tick;
    countLive(participant, 1);
  }

  private void requireLiveness(int participant, boolean expected) {
    if (up[participant] != expected) {
      throw new IllegalStateException(
          "participant " + participant + " is " + (expected ? "down" : "up") + " already");
    }
  }

  private void countLive(int participant, int change) {
    if (participant < peers) {
      livePeers += change;
      unfinished += finishedRounds[participant] < lastRound ? change : 0;
    }
  }

  /** Only a participant that is up can be paused. */
  void pause(int participant) {
    paused[participant] = up[participant];
  }

  /** Ends a pause; returns whether there was one. */
  boolean resume(int participant) {
    boolean wasPaused = paused[participant];
    paused[participant] = false;
    return wasPaused;
  }

  /** Counts a crash or a return of a participant, and returns how many there were. */
  long countFault(int participant) {
    return ++faultCounts[participant];
  }

  /** Sets the factor by which a participant computes more slowly than its device would. */
  void setSlowness(int participant, double factor) {
    slowness[participant] = factor;
  }

  double slowness(int participant) {
    return slowness[participant];
  }

  /** Appends work to what a participant is busy with; returns the tick at which it is completed. */
  long occupy(int participant, long now, long ticks) {
    busyUntil[participant] = Math.max(now, busyUntil[participant]) + ticks;
    return busyUntil[participant];
  }

  /**
   * Records the neighbours that a participant is notified of; returns whether it was last notified
   * of others.
   */
  boolean setKnownNeighbours(int participant, List<PeerId> neighbours) {
    return !neighbours.equals(knownNeighbours.set(participant, neighbours));
  }

  /** The last round that a participant has finished. */
  int finishedRound(int participant) {
    return finishedRounds[participant];
  }

  void recordFinishedRound(int participant, int round) {
    if (isUnfinished(participant) && round >= lastRound) {
      unfinished--;
    }
    finishedRounds[participant] = Math.max(finishedRounds[participant], round);
  }

  private boolean isUnfinished(int participant) {
    return participant < peers && up[participant] && finishedRounds[participant] < lastRound;
  }

  /** Whether every peer that is up has finished all rounds, and any is up. */
  boolean allFinished() {
    return unfinished == 0 && livePeers > 0;
  }

  /** Peers that are up and have not finished all rounds, in ascending order. */
  List<PeerId> unfinishedPeers() {
    return IntStream.range(0, peers).filter(this::isUnfinished).mapToObj(PeerId::new).toList();
  }

  /** The last finished round of each peer, summed up. */
  long totalFinishedRounds() {
    return IntStream.range(0, peers).mapToLong(peer -> finishedRounds[peer]).sum();
  }
}
