package io.kindred.methods.rounds;

import io.kindred.core.compute.Result;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The algorithm of a method that runs in rounds. Each phase is a chain of steps: the first step has
 * no result, and every further step gets the result of the ticket that the previous step asked for.
 * An interrupted phase starts again from the state at its beginning.
 */
public interface RoundAlgorithm<M extends LocalState> {
  /** The context of the peer. */
  PeerContext context();

  M initial();

  Class<M> stateType();

  /** How many models a peer has. */
  default int slots() {
    return 1;
  }

  /**
   * Initial models for all slots, from number {@code first} on; equal for peers with equal numbers.
   */
  default List<Weights> startingModels(int first) {
    return IntStream.range(first, first + slots()).mapToObj(context().initialWeights()).toList();
  }

  /** The peer's own work, such as training. */
  PhaseResult<M> work(M state, int round, Optional<Result> last);

  /** The update that the peer sends after its work; a late copy is the same update. */
  ModelUpdate outgoingUpdate(M state);

  /** Whether the share of a model in an update is a number of training samples, for observers. */
  default boolean sharesAreSamples() {
    return true;
  }

  /** The layout of the peer's models. */
  default Layout layout(LocalState state) {
    return outgoingUpdate(stateType().cast(state)).models().getFirst().weights().layout();
  }

  /**
   * Whether a peer announces the slots of its update to all neighbours, and sends the update only
   * to neighbours with an update of the same round in one of these slots.
   */
  default boolean announcesSlots() {
    return false;
  }

  /** Merges the updates of neighbours: all at once, or as they arrive. */
  PhaseResult<M> merge(M state, int round, RoundUpdates updates, Optional<Result> last);

  /** The last phase of a round, after all updates are merged: deploys. */
  PhaseResult<M> completeRound(M state, int round, Optional<Result> last);

  /** After the last round: a personal phase, where there is one. */
  default PhaseResult<M> finish(M state, Optional<Result> last) {
    return PhaseResult.done(state);
  }

  /** Whether updates are merged as they arrive, instead of when all have arrived. */
  default boolean mergesOnArrival() {
    return false;
  }

  /** Whether a peer participates in a round; every peer can compute this for every other peer. */
  default boolean participates(PeerId peer, int round) {
    return true;
  }
}
