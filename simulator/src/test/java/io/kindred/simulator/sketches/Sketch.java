package io.kindred.simulator.sketches;

import io.kindred.core.Effect;
import io.kindred.core.Observation.Audience;
import io.kindred.core.Observation.Deployed;
import io.kindred.core.Observation.Stage;
import io.kindred.core.work.Predictor;
import io.kindred.core.work.Ticket;
import io.kindred.methods.Method;
import java.util.Arrays;
import java.util.SortedSet;
import java.util.TreeSet;

/** What all sketches share: they may need any ticket, and deploy for themselves. */
interface Sketch extends Method {
  @Override
  default SortedSet<Ticket.Kind> needs() {
    return new TreeSet<>(Arrays.asList(Ticket.Kind.values()));
  }

  static Effect deploy(int round, Predictor predictor) {
    return new Effect.Observe(new Deployed(round, Stage.MIXED, predictor, Audience.SELF));
  }
}
