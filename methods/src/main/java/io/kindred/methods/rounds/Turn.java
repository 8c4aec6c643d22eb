package io.kindred.methods.rounds;

import io.kindred.core.Observation;
import io.kindred.core.work.Ticket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One turn of a recipe: what it remembers now, what it reports, and the work whose result it wants
 * to see next. Without work the phase is over.
 */
public record Turn<M extends Memory>(
    M memory, List<Observation> observations, Optional<Ticket> work) {
  public Turn {
    observations = List.copyOf(observations);
  }

  public static <M extends Memory> Turn<M> done(M memory, Observation... observations) {
    return new Turn<>(memory, List.of(observations), Optional.empty());
  }

  public static <M extends Memory> Turn<M> ask(M memory, Ticket work) {
    return new Turn<>(memory, List.of(), Optional.of(work));
  }

  /** The same, with more to report before. */
  public Turn<M> reporting(List<Observation> before) {
    List<Observation> all = new ArrayList<>(before);
    all.addAll(observations);
    return new Turn<>(memory, all, work);
  }
}
