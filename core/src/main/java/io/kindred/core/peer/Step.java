package io.kindred.core.peer;

import java.util.ArrayList;
import java.util.List;

/** Where a machine went and what it wants done, returned once. */
public record Step<S>(S state, List<Effect> effects) {
  public Step {
    effects = List.copyOf(effects);
  }

  public static <S> Step<S> of(S state, Effect... effects) {
    return new Step<>(state, List.of(effects));
  }

  /** The same, with something to do before. */
  public Step<S> precededBy(Effect first) {
    List<Effect> all = new ArrayList<>(effects);
    all.addFirst(first);
    return new Step<>(state, all);
  }
}
