package io.kindred.methods.rounds;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Ints;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.discovery.PeerSearchState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * State of a peer on a graph.
 *
 * @param localState state of the algorithm at the beginning of the phase
 * @param draftState state of the algorithm within the phase
 * @param neighbours the peers whose updates this peer waits for: its neighbours in the topology, or
 *     the partners that a search found for this round
 * @param storedUpdates for each neighbour the newest update of a round up to this one, and the
 *     newest of a later one
 * @param storedAnnouncements the same for the slots that the neighbours announced
 * @param merged neighbours whose updates have been merged in this round, or are being merged
 * @param merging neighbours whose updates are being merged
 * @param degree number of neighbours when that merge began
 * @param lastSharedRound the last round whose update the peer has sent
 * @param sharedUpdate the update of that round as it was sent. A late copy, for a new neighbour or
 *     in reply to a request, has to be this update: after a merge the local state holds an average.
 *     It costs references to weights that the peer had anyway; they stay in memory until the peer
 *     has made its next update, one set of sent models for each peer.
 * @param answered peers that were sent that update in answer to a message of theirs, one entry for
 *     each time
 * @param timedOut whether the round timeout has passed, so that the peer waits no longer
 * @param sharedTick when the peer sent its update of this round
 * @param latencies how long the last neighbours took to send their updates
 * @param search the search for partners; empty where the topology decides
 * @param askers peers that wait for an update that this peer has not made yet
 */
@Buildable
public record GossipState(
    int round,
    Phase phase,
    LocalState localState,
    LocalState draftState,
    List<PeerId> neighbours,
    List<StoredUpdate> storedUpdates,
    List<StoredAnnouncement> storedAnnouncements,
    List<PeerId> merged,
    List<PeerId> merging,
    int degree,
    int lastSharedRound,
    Optional<ModelUpdate> sharedUpdate,
    List<PeerId> answered,
    boolean timedOut,
    long sharedTick,
    List<Long> latencies,
    Optional<PeerSearchState> search,
    List<Asker> askers)
    implements PeerSearchState.Holder {
  /**
   * How often a peer sends one neighbour an update in answer to messages: once, and once more for a
   * neighbour that has restarted. A small announcement would otherwise fetch a whole model as often
   * as a neighbour sends it.
   */
  private static final int MAX_ANSWERS = 2;

  /** What a peer is doing. */
  public enum Phase {
    WORKING,
    SEARCHING,
    WAITING,
    CHECKING,
    MERGING,
    COMPLETING_ROUND,
    FINISHING,
    DONE
  }

  /**
   * An update received from another peer.
   *
   * @param degree number of neighbours of that peer
   * @param version the version that the peer named, 0 for a neighbour
   * @param checked whether discovery was told what the update is
   */
  @Buildable
  public record StoredUpdate(
      PeerId from, int round, int degree, long version, ModelUpdate update, boolean checked) {}

  /** A peer that waits for an update of a round or of a later one. */
  public record Asker(PeerId peer, int round) {}

  /** The slots of a neighbour's update of a round, as the neighbour announced them. */
  public record StoredAnnouncement(PeerId from, int round, Ints slots) {}

  /** The state at the beginning of a phase. */
  GossipState inPhase(Phase next, LocalState newState) {
    return GossipStateBuilder.from(this)
        .phase(next)
        .localState(newState)
        .draftState(newState)
        .merging(List.of())
        .degree(0)
        .build();
  }

  /** The state with the update that the peer sends in this round. */
  GossipState sharing(ModelUpdate update) {
    return GossipStateBuilder.from(this)
        .lastSharedRound(round)
        .sharedUpdate(Optional.of(update))
        .answered(List.of())
        .build();
  }

  /** Whether another peer may still fetch the last update by a message. */
  boolean answers(PeerId peer) {
    return Collections.frequency(answered, peer) < MAX_ANSWERS;
  }

  GossipState withAnswerTo(PeerId peer) {
    List<PeerId> more = new ArrayList<>(answered);
    more.add(peer);
    return GossipStateBuilder.from(this).answered(more).build();
  }

  /** The state with other neighbours, without what former ones have sent. */
  GossipState withNeighbours(List<PeerId> others) {
    List<StoredUpdate> kept =
        storedUpdates.stream()
            .filter(each -> others.contains(each.from()) || merging.contains(each.from()))
            .toList();
    return GossipStateBuilder.from(this)
        .neighbours(others)
        .storedUpdates(kept)
        .storedAnnouncements(
            storedAnnouncements.stream().filter(each -> others.contains(each.from())).toList())
        .answered(answered.stream().filter(others::contains).toList())
        .build();
  }

  @Override
  public Optional<PeerSearchState> searchState() {
    return search;
  }

  GossipState with(PeerSearchState other) {
    return GossipStateBuilder.from(this).search(Optional.of(other)).build();
  }

  /** The state with the partners that a search found for this round. */
  GossipState withPartners(List<PeerId> found) {
    return GossipStateBuilder.from(this).phase(Phase.WAITING).neighbours(found).build();
  }

  GossipState merging(List<PeerId> from) {
    List<PeerId> all = new ArrayList<>(merged);
    all.addAll(from);
    return GossipStateBuilder.from(this)
        .phase(Phase.MERGING)
        .merged(all)
        .merging(from)
        .degree(neighbours.size())
        .build();
  }

  GossipState atRound(int next, List<StoredUpdate> kept) {
    return GossipStateBuilder.from(this)
        .round(next)
        .storedUpdates(kept)
        .merged(List.of())
        .merging(List.of())
        .degree(0)
        .timedOut(false)
        .build();
  }

  /** Whether the peer has an update of this round to send. */
  boolean hasUpdateToShare() {
    return lastSharedRound == round && phase != Phase.WORKING;
  }

  /** Whether a message of a round comes too late for its update to be merged. */
  boolean isLate(int messageRound, int staleness) {
    return messageRound < round - staleness || phase == Phase.DONE || phase == Phase.FINISHING;
  }

  Optional<StoredUpdate> newestUpdate(PeerId neighbour, IntPredicate rounds) {
    return storedUpdates.stream()
        .filter(each -> each.from().equals(neighbour) && rounds.test(each.round()))
        .max(Comparator.comparingInt(StoredUpdate::round));
  }

  /** A neighbour's newest update up to this round that is not too old, else its newest one. */
  Optional<StoredUpdate> usableUpdate(PeerId neighbour, int staleness) {
    int oldest = round - staleness;
    return newestUpdate(neighbour, each -> each <= round && each >= oldest)
        .or(() -> newestUpdate(neighbour, each -> each > round));
  }

  /**
   * Stores an update unless one at least as new is stored; at most two for each neighbour, a bound
   * on memory. An update that is being merged is not replaced.
   */
  GossipState storing(StoredUpdate added, long tick) {
    PeerId from = added.from();
    IntPredicate sameKind = added.round() <= round ? each -> each <= round : each -> each > round;
    Optional<StoredUpdate> known = newestUpdate(from, sameKind);
    boolean taken = added.round() <= round && merging.contains(from);
    if (taken
        || (known.isPresent()
            && (known.get().round() >= added.round() || merging.contains(from)))) {
      return this;
    }
    List<StoredUpdate> updates = new ArrayList<>(storedUpdates);
    known.ifPresent(updates::remove);
    updates.add(added);
    boolean answer = phase == Phase.WAITING && added.round() == round;
    GossipStateBuilder next = GossipStateBuilder.from(this).storedUpdates(updates);
    if (answer) {
      next.latencies(TimeoutPolicy.appendLatency(latencies, tick - sharedTick));
    }
    return next.build();
  }

  Optional<StoredAnnouncement> newestAnnouncement(PeerId neighbour, IntPredicate rounds) {
    return storedAnnouncements.stream()
        .filter(each -> each.from().equals(neighbour) && rounds.test(each.round()))
        .max(Comparator.comparingInt(StoredAnnouncement::round));
  }

  /**
   * The state with a further announcement: for each neighbour the newest of a round up to this one
   * and the newest of a later one are kept, a bound on memory. A neighbour that has lost its state
   * may announce other slots for a round again.
   */
  GossipState withAnnouncement(StoredAnnouncement added) {
    PeerId from = added.from();
    List<StoredAnnouncement> kept = new ArrayList<>(storedAnnouncements);
    kept.removeIf(each -> each.from().equals(from));
    for (IntPredicate rounds : List.<IntPredicate>of(each -> each <= round, each -> each > round)) {
      Optional<StoredAnnouncement> known = newestAnnouncement(from, rounds);
      boolean isReplaced =
          rounds.test(added.round())
              && known.stream().allMatch(old -> old.round() <= added.round());
      (isReplaced ? Optional.of(added) : known).ifPresent(kept::add);
    }
    return GossipStateBuilder.from(this).storedAnnouncements(kept).build();
  }

  /** The newest round of which a neighbour has sent an update or an announcement. */
  OptionalInt reachedRound(PeerId neighbour) {
    return IntStream.concat(
            newestUpdate(neighbour, each -> true).stream().mapToInt(StoredUpdate::round),
            newestAnnouncement(neighbour, each -> true).stream()
                .mapToInt(StoredAnnouncement::round))
        .max();
  }

  /** Discards a merge that a restart interrupted, so that it runs again from the start. */
  GossipState withoutHalfMerged() {
    List<PeerId> whole = new ArrayList<>(merged);
    whole.removeAll(merging);
    return GossipStateBuilder.from(this)
        .phase(Phase.WAITING)
        .draftState(localState)
        .merged(whole)
        .merging(List.of())
        .degree(0)
        .build();
  }
}
