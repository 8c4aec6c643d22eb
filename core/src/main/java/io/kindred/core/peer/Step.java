package io.kindred.core.peer;

import java.util.ArrayList;
import java.util.List;

/** The result of one event for a machine: its new state and the effects it requests. */
public record Step<S>(S state, List<Effect> effects) {
  public Step {
    effects = List.copyOf(effects);
  }

  public static <S> Step<S> of(S state, Effect... effects) {
    return new Step<>(state, List.of(effects));
  }

  /** The same step with other effects before its effects. */
  public Step<S> precededBy(List<Effect> first) {
    List<Effect> all = new ArrayList<>(first);
    all.addAll(effects);
    return new Step<>(state, all);
  }

  /** The same step with another effect before its effects. */
  public Step<S> precededBy(Effect first) {
    return precededBy(List.of(first));
  }
}
