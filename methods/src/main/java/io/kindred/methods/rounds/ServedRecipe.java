package io.kindred.methods.rounds;

import io.kindred.core.weights.Weights;
import java.util.List;

/** A recipe that can also be followed around a server, which keeps the common models. */
public interface ServedRecipe<M extends Memory> extends Recipe<M> {
  /** The models that the server starts with, slot by slot. */
  List<Weights> common();

  /** Puts the server's models in the place of the common ones that the peer remembers. */
  M adopt(M memory, List<Weights> common);
}
