package io.kindred.methods.rounds;

import io.kindred.core.settings.Named;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.PureFunction;
import io.kindred.core.work.Ticket;
import java.util.List;

/** A recipe that can also be followed around a server, which keeps the common models. */
public interface ServedRecipe<M extends Memory> extends Recipe<M> {
  /** The models that the server starts with, slot by slot, or one for each client. */
  default List<Weights> common() {
    return startingAt(0);
  }

  /** Puts the server's models in the place of the common ones that the peer remembers. */
  M adopt(M memory, List<Weights> common);

  /** Whether the server keeps one model for each client in place of those that all have. */
  default boolean personal() {
    return false;
  }

  /**
   * The work that finds out in which shares the server mixes what clients delivered for each of
   * them; answered with {@link Weighed}. Only for personal models.
   */
  default Ticket weigh(List<Item> delivered) {
    throw new IllegalStateException("common models are averaged by the shares that they come with");
  }

  /** A row for each client that delivered, a share for each of them in there. */
  @Named("rounds/weighed")
  record Weighed(List<List<Double>> shares) implements PureFunction.Answer {}

  /** What a client gets of the server's models. */
  default List<Weights> handedTo(int place, List<Weights> models) {
    return personal() ? List.of(models.get(place)) : models;
  }
}
