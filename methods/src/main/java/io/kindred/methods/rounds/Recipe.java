package io.kindred.methods.rounds;

import io.kindred.core.PeerId;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.Result;
import io.kindred.methods.PeerContext;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What is particular to a method that goes in rounds. Each phase is a chain of turns: it begins
 * without a result, and every further turn gets the result of the work that the last one asked for.
 * A phase that was cut off begins again from what was remembered when it first began.
 */
public interface Recipe<M extends Memory> {
  /** What the peer knows of its surroundings. */
  PeerContext context();

  M initial();

  Class<M> memoryType();

  /** How many models a peer has. */
  default int slots() {
    return 1;
  }

  /** So many of the starting points that are the same for everybody who counts from there. */
  default List<Weights> startingAt(int first) {
    return IntStream.range(first, first + slots()).mapToObj(context().initialWeights()).toList();
  }

  /** The peer's own work, such as training. */
  Turn<M> work(M memory, int round, Optional<Result> last);

  /** What it hands over after its work, or what it has to offer at any other time. */
  Parcel parcel(M memory);

  /** Takes in what neighbours handed over: all at once, or as they come. */
  Turn<M> merge(M memory, int round, Exchange exchange, Optional<Result> last);

  /** What is left to do once everything of the round is taken in: to deploy. */
  Turn<M> settle(M memory, int round, Optional<Result> last);

  /** After the last round: a personal phase, where there is one. */
  default Turn<M> finish(M memory, Optional<Result> last) {
    return Turn.done(memory);
  }

  /** Whether models are taken in as they come, instead of when all are there. */
  default boolean asTheyCome() {
    return false;
  }

  /** Whether a peer works in a round; everybody can tell it of everybody. */
  default boolean takesPart(PeerId peer, int round) {
    return true;
  }
}
