package io.kindred.simulator.sketches;

import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Observation.Audience;
import io.kindred.core.peer.Observation.Deployed;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.methods.contract.Method;
import java.util.Arrays;
import java.util.SortedSet;
import java.util.TreeSet;

/** The common part of all sketches: they may need any ticket, and deploy for themselves. */
interface Sketch extends Method {
  @Override
  default SortedSet<Ticket.Kind> ticketKinds() {
    return new TreeSet<>(Arrays.asList(Ticket.Kind.values()));
  }

  static Effect deploy(int round, Predictor predictor) {
    return new Effect.Observe(new Deployed(round, Stage.MIXED, predictor, Audience.SELF));
  }
}
