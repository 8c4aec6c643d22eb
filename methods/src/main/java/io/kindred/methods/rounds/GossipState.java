package io.kindred.methods.rounds;

import io.kindred.core.peer.PeerId;
import io.kindred.methods.rounds.Gossip.NeighbourUpdate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * State of a peer on a graph.
 *
 * @param localState state of the algorithm at the beginning of the phase
 * @param draftState state of the algorithm within the phase
 * @param storedUpdates for each neighbour the newest update of a round up to this one, and the
 *     newest of a later one
 * @param merged neighbours whose updates have been merged in this round, or are being merged
 * @param merging neighbours whose updates are being merged
 * @param degree number of neighbours when that merge began
 * @param lastSharedRound the last round whose update the peer has sent
 * @param timedOut whether the round timeout has passed, so that the peer waits no longer
 * @param sharedTick when the peer sent its update of this round
 * @param latencies how long the last neighbours took to send their updates
 */
public record GossipState(
    int round,
    Phase phase,
    LocalState localState,
    LocalState draftState,
    List<PeerId> neighbours,
    List<StoredUpdate> storedUpdates,
    List<PeerId> merged,
    List<PeerId> merging,
    int degree,
    int lastSharedRound,
    boolean timedOut,
    long sharedTick,
    List<Long> latencies) {
  /** What a peer is doing. */
  public enum Phase {
    WORKING,
    WAITING,
    MERGING,
    COMPLETING_ROUND,
    FINISHING,
    DONE
  }

  /** An update received from a neighbour. */
  public record StoredUpdate(PeerId from, NeighbourUpdate update) {}

  /** The state at the beginning of a phase. */
  GossipState inPhase(Phase next, LocalState newState) {
    return new GossipState(
        round,
        next,
        newState,
        newState,
        neighbours,
        storedUpdates,
        merged,
        List.of(),
        0,
        lastSharedRound,
        timedOut,
        sharedTick,
        latencies);
  }

  GossipState withDraft(LocalState newDraft) {
    return new GossipState(
        round,
        phase,
        localState,
        newDraft,
        neighbours,
        storedUpdates,
        merged,
        merging,
        degree,
        lastSharedRound,
        timedOut,
        sharedTick,
        latencies);
  }

  GossipState withStoredUpdates(List<StoredUpdate> newUpdates, List<Long> newLatencies) {
    return new GossipState(
        round,
        phase,
        localState,
        draftState,
        neighbours,
        newUpdates,
        merged,
        merging,
        degree,
        lastSharedRound,
        timedOut,
        sharedTick,
        newLatencies);
  }

  GossipState withNeighbours(List<PeerId> others) {
    List<StoredUpdate> kept =
        storedUpdates.stream()
            .filter(each -> others.contains(each.from()) || merging.contains(each.from()))
            .toList();
    return new GossipState(
        round,
        phase,
        localState,
        draftState,
        others,
        kept,
        merged,
        merging,
        degree,
        lastSharedRound,
        timedOut,
        sharedTick,
        latencies);
  }

  GossipState merging(List<PeerId> from) {
    List<PeerId> all = new ArrayList<>(merged);
    all.addAll(from);
    return new GossipState(
        round,
        Phase.MERGING,
        localState,
        draftState,
        neighbours,
        storedUpdates,
        all,
        from,
        neighbours.size(),
        lastSharedRound,
        timedOut,
        sharedTick,
        latencies);
  }

  /** Marks the local state as the update of this round. */
  GossipState markShared() {
    return new GossipState(
        round,
        phase,
        localState,
        draftState,
        neighbours,
        storedUpdates,
        merged,
        merging,
        degree,
        round,
        timedOut,
        sharedTick,
        latencies);
  }

  GossipState withBroadcast(long tick, boolean newTimedOut) {
    return new GossipState(
        round,
        phase,
        localState,
        draftState,
        neighbours,
        storedUpdates,
        merged,
        merging,
        degree,
        lastSharedRound,
        newTimedOut,
        tick,
        latencies);
  }

  GossipState atRound(int next, List<StoredUpdate> kept) {
    return new GossipState(
        next,
        phase,
        localState,
        draftState,
        neighbours,
        kept,
        List.of(),
        List.of(),
        0,
        lastSharedRound,
        false,
        sharedTick,
        latencies);
  }

  /** Whether the peer has an update of this round to send. */
  boolean hasUpdateToShare() {
    return lastSharedRound == round && phase != Phase.WORKING;
  }

  Optional<StoredUpdate> newestUpdate(PeerId neighbour, IntPredicate rounds) {
    return storedUpdates.stream()
        .filter(each -> each.from().equals(neighbour) && rounds.test(each.update().round()))
        .max(Comparator.comparingInt(each -> each.update().round()));
  }

  /** Discards a merge that a restart interrupted, so that it runs again from the start. */
  GossipState withoutHalfMerged() {
    List<PeerId> whole = new ArrayList<>(merged);
    whole.removeAll(merging);
    return new GossipState(
        round,
        Phase.WAITING,
        localState,
        localState,
        neighbours,
        storedUpdates,
        whole,
        List.of(),
        0,
        lastSharedRound,
        timedOut,
        sharedTick,
        latencies);
  }
}
