package io.kindred.methods.rounds;

import io.kindred.core.peer.PeerId;
import io.kindred.methods.rounds.Gossip.NeighbourUpdate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * What a peer on a graph remembers.
 *
 * @param localState as it was when the phase began
 * @param draftState as it is in the middle of the phase
 * @param storedUpdates of each neighbour the newest offer of a round up to this one, and the newest
 *     of a later one
 * @param merged whose offers of this round have been taken in
 * @param merging whose offers are just being taken in
 * @param degree how many neighbours there were when that began
 * @param lastSharedRound the last round that the peer had something to hand over of
 * @param timedOut whether the peer waits no longer for the rest
 * @param sharedTick when the peer sent out its parcel of this round
 * @param latencies how long the last neighbours took to send theirs
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

  /** A neighbour's offer. */
  public record StoredUpdate(PeerId from, NeighbourUpdate update) {}

  /** The beginning of a phase. */
  GossipState inPhase(Phase next, LocalState newMemory) {
    return new GossipState(
        round,
        next,
        newMemory,
        newMemory,
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

  GossipState withStoredUpdates(List<StoredUpdate> offers, List<Long> newAnswers) {
    return new GossipState(
        round,
        phase,
        localState,
        draftState,
        neighbours,
        offers,
        merged,
        merging,
        degree,
        lastSharedRound,
        timedOut,
        sharedTick,
        newAnswers);
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

  /** What it remembers is what it hands over in this round. */
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

  GossipState withBroadcast(long tick, boolean waitsNoLonger) {
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
        waitsNoLonger,
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

  /** Whether it has a parcel of this round to hand over. */
  boolean hasUpdateToShare() {
    return lastSharedRound == round && phase != Phase.WORKING;
  }

  Optional<StoredUpdate> newestUpdate(PeerId neighbour, IntPredicate rounds) {
    return storedUpdates.stream()
        .filter(each -> each.from().equals(neighbour) && rounds.test(each.update().round()))
        .max(Comparator.comparingInt(each -> each.update().round()));
  }

  /** What was being taken in when the peer stopped is taken in again from the start. */
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
