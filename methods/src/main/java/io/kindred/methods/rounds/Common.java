package io.kindred.methods.rounds;

import io.kindred.core.Message;
import io.kindred.methods.Method;
import java.util.List;

/** A method with common models, whose averages a server or the neighbours make. */
public interface Common extends Method {
  /** Who averages. */
  Over over();

  @Override
  default boolean hasServer() {
    return over() == Over.SERVER;
  }

  @Override
  default List<Class<? extends Message>> messages() {
    return over().messages();
  }
}
