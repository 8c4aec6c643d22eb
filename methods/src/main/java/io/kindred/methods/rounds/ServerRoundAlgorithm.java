package io.kindred.methods.rounds;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.weights.Weights;
import java.util.List;

/** A recipe that can also be followed around a server, which keeps the common models. */
public interface ServerRoundAlgorithm<M extends LocalState> extends RoundAlgorithm<M> {
  /** The models that the server starts with, slot by slot, or one for each client. */
  default List<Weights> commonModels() {
    return startingModels(0);
  }

  /** Puts the server's models in the place of the common ones that the peer remembers. */
  M adopt(M memory, List<Weights> common);

  /** Whether the server keeps one model for each client in place of those that all have. */
  default boolean hasModelPerClient() {
    return false;
  }

  /**
   * The work that finds out in which shares the server mixes what clients delivered for each of
   * them; answered with {@link MixingShares}. Only for personal models.
   */
  default Ticket computeShares(List<SlotModel> delivered) {
    throw new IllegalStateException("common models are averaged by the shares that they come with");
  }

  /** A row for each client that delivered, a share for each of them in there. */
  @Named("rounds/weighed")
  record MixingShares(List<List<Double>> shares) implements PureFunction.Answer {}

  /** What a client gets of the server's models. */
  default List<Weights> modelsFor(int place, List<Weights> models) {
    return hasModelPerClient() ? List.of(models.get(place)) : models;
  }
}
