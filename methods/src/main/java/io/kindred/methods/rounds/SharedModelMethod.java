package io.kindred.methods.rounds;

import io.kindred.core.peer.Message;
import io.kindred.methods.contract.Method;
import java.util.List;

/** A method with common models, which a server or the neighbours average. */
public interface SharedModelMethod extends Method {
  /** Whether a server or the neighbours average. */
  Aggregation over();

  /** How long peers wait, how many clients take part in a round, and how old a model may be. */
  RoundSettings rounds();

  @Override
  default int staleness() {
    return rounds().staleness();
  }

  @Override
  default boolean hasServer() {
    return over() == Aggregation.SERVER;
  }

  @Override
  default List<Class<? extends Message>> messages() {
    return over().messages();
  }

  @Override
  default void check(int peers) {
    rounds().check(hasServer(), peers);
  }
}
