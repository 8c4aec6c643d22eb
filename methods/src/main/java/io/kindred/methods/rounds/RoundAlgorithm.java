package io.kindred.methods.rounds;

import io.kindred.core.compute.Result;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What is particular to a method that goes in rounds. Each phase is a chain of turns: it begins
 * without a result, and every further turn gets the result of the work that the last one asked for.
 * A phase that was cut off begins again from what was remembered when it first began.
 */
public interface RoundAlgorithm<M extends LocalState> {
  /** What the peer knows of its surroundings. */
  PeerContext context();

  M initial();

  Class<M> stateType();

  /** How many models a peer has. */
  default int slots() {
    return 1;
  }

  /** So many of the starting points that are the same for everybody who counts from there. */
  default List<Weights> startingModels(int first) {
    return IntStream.range(first, first + slots()).mapToObj(context().initialWeights()).toList();
  }

  /** The peer's own work, such as training. */
  PhaseResult<M> work(M memory, int round, Optional<Result> last);

  /** What it hands over after its work, or what it has to offer at any other time. */
  ModelUpdate outgoingUpdate(M memory);

  /** Takes in what neighbours handed over: all at once, or as they come. */
  PhaseResult<M> merge(M memory, int round, RoundUpdates updates, Optional<Result> last);

  /** What is left to do once everything of the round is taken in: to deploy. */
  PhaseResult<M> completeRound(M memory, int round, Optional<Result> last);

  /** After the last round: a personal phase, where there is one. */
  default PhaseResult<M> finish(M memory, Optional<Result> last) {
    return PhaseResult.done(memory);
  }

  /** Whether models are taken in as they come, instead of when all are there. */
  default boolean mergesOnArrival() {
    return false;
  }

  /** Whether a peer works in a round; everybody can tell it of everybody. */
  default boolean participates(PeerId peer, int round) {
    return true;
  }
}
