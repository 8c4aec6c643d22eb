package io.kindred.methods.rounds;

import io.kindred.core.peer.Message;
import io.kindred.methods.contract.Method;
import java.util.List;

/** A method with common models, whose averages a server or the neighbours make. */
public interface SharedModelMethod extends Method {
  /** Who averages. */
  Aggregation over();

  @Override
  default boolean hasServer() {
    return over() == Aggregation.SERVER;
  }

  @Override
  default List<Class<? extends Message>> messages() {
    return over().messages();
  }
}
