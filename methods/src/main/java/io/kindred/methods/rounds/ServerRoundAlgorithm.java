package io.kindred.methods.rounds;

import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.PureFunction;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Weights;
import java.util.List;
import java.util.Optional;

/** A round algorithm that can also run with a server, which keeps the common models. */
public interface ServerRoundAlgorithm<M extends LocalState> extends RoundAlgorithm<M> {
  /** The models that the server starts with, slot by slot, or one for each client. */
  default List<Weights> commonModels() {
    return startingModels(0);
  }

  /** Replaces the common models in the peer's state by the server's models. */
  M adopt(M state, List<Weights> common);

  /** Whether the server keeps one model for each client instead of common models. */
  default boolean hasModelPerClient() {
    return false;
  }

  /**
   * The ticket that computes for each client the shares in which the server mixes the delivered
   * models; answered with {@link MixingShares}. Only for personal models.
   */
  default Ticket computeShares(List<SlotModel> delivered) {
    throw new IllegalStateException("common models are averaged by the shares that they come with");
  }

  /** A row for each client that delivered a model, with a share for each delivered model. */
  @Named("rounds/mixing-shares")
  record MixingShares(List<List<Double>> shares) implements PureFunction.Answer {}

  /**
   * How a client that takes no part in the next round predicts with the server's new models, or
   * empty if that depends on the client's own state. The server reports it for the client, which
   * does not receive these models.
   */
  default Optional<Predictor> clientPredictor(PeerId client, int round, List<Weights> models) {
    return Optional.empty();
  }

  /** The server's models that a client receives. */
  default List<Weights> modelsFor(int place, List<Weights> models) {
    return hasModelPerClient() ? List.of(models.get(place)) : models;
  }
}
