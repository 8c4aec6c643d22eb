package io.kindred.methods.rounds;

import io.kindred.core.PeerId;
import io.kindred.methods.rounds.Gossip.Offer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * What a peer on a graph remembers.
 *
 * @param memory as it was when the phase began
 * @param draft as it is in the middle of the phase
 * @param heard of each neighbour the newest offer of a round up to this one, and the newest of a
 *     later one
 * @param merged whose offers of this round have been taken in
 * @param merging whose offers are just being taken in
 * @param degree how many neighbours there were when that began
 * @param offered the last round that the peer had something to hand over of
 * @param closed whether the peer waits no longer for the rest
 * @param sharedTick when the peer sent out its parcel of this round
 * @param answers how long the last neighbours took to send theirs
 */
public record GossipState(
    int round,
    Phase phase,
    Memory memory,
    Memory draft,
    List<PeerId> neighbours,
    List<Heard> heard,
    List<PeerId> merged,
    List<PeerId> merging,
    int degree,
    int offered,
    boolean closed,
    long sharedTick,
    List<Long> answers) {
  /** What a peer is doing. */
  public enum Phase {
    WORKING,
    WAITING,
    MERGING,
    SETTLING,
    FINISHING,
    DONE
  }

  /** A neighbour's offer. */
  public record Heard(PeerId from, Offer offer) {}

  /** The beginning of a phase. */
  GossipState in(Phase next, Memory newMemory) {
    return new GossipState(
        round,
        next,
        newMemory,
        newMemory,
        neighbours,
        heard,
        merged,
        List.of(),
        0,
        offered,
        closed,
        sharedTick,
        answers);
  }

  GossipState drafting(Memory newDraft) {
    return new GossipState(
        round,
        phase,
        memory,
        newDraft,
        neighbours,
        heard,
        merged,
        merging,
        degree,
        offered,
        closed,
        sharedTick,
        answers);
  }

  GossipState hearing(List<Heard> offers, List<Long> newAnswers) {
    return new GossipState(
        round,
        phase,
        memory,
        draft,
        neighbours,
        offers,
        merged,
        merging,
        degree,
        offered,
        closed,
        sharedTick,
        newAnswers);
  }

  GossipState meeting(List<PeerId> others) {
    List<Heard> kept =
        heard.stream()
            .filter(each -> others.contains(each.from()) || merging.contains(each.from()))
            .toList();
    return new GossipState(
        round,
        phase,
        memory,
        draft,
        others,
        kept,
        merged,
        merging,
        degree,
        offered,
        closed,
        sharedTick,
        answers);
  }

  GossipState merging(List<PeerId> from) {
    List<PeerId> all = new ArrayList<>(merged);
    all.addAll(from);
    return new GossipState(
        round,
        Phase.MERGING,
        memory,
        draft,
        neighbours,
        heard,
        all,
        from,
        neighbours.size(),
        offered,
        closed,
        sharedTick,
        answers);
  }

  /** What it remembers is what it hands over in this round. */
  GossipState offering() {
    return new GossipState(
        round,
        phase,
        memory,
        draft,
        neighbours,
        heard,
        merged,
        merging,
        degree,
        round,
        closed,
        sharedTick,
        answers);
  }

  GossipState sharing(long tick, boolean waitsNoLonger) {
    return new GossipState(
        round,
        phase,
        memory,
        draft,
        neighbours,
        heard,
        merged,
        merging,
        degree,
        offered,
        waitsNoLonger,
        tick,
        answers);
  }

  GossipState at(int next, List<Heard> kept) {
    return new GossipState(
        next,
        phase,
        memory,
        draft,
        neighbours,
        kept,
        List.of(),
        List.of(),
        0,
        offered,
        false,
        sharedTick,
        answers);
  }

  /** Whether it has a parcel of this round to hand over. */
  boolean hasWorked() {
    return offered == round && phase != Phase.WORKING;
  }

  Optional<Heard> newest(PeerId neighbour, IntPredicate rounds) {
    return heard.stream()
        .filter(each -> each.from().equals(neighbour) && rounds.test(each.offer().round()))
        .max(Comparator.comparingInt(each -> each.offer().round()));
  }

  /** What was being taken in when the peer stopped is taken in again from the start. */
  GossipState withoutHalfMerged() {
    List<PeerId> whole = new ArrayList<>(merged);
    whole.removeAll(merging);
    return new GossipState(
        round,
        Phase.WAITING,
        memory,
        memory,
        neighbours,
        heard,
        whole,
        List.of(),
        0,
        offered,
        closed,
        sharedTick,
        answers);
  }
}
