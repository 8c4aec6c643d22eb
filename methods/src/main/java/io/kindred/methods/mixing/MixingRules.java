package io.kindred.methods.mixing;

import io.kindred.core.PeerId;
import io.kindred.core.peer.Layer;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.DataView;
import io.kindred.core.work.Objective;
import io.kindred.core.work.Predictor;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;
import io.kindred.methods.Patience;
import io.kindred.methods.PeerContext;
import io.kindred.methods.mixing.OneModel.Estimate;
import io.kindred.methods.rounds.Common;
import io.kindred.methods.rounds.Exchange;
import io.kindred.methods.rounds.Mixtures;
import io.kindred.methods.rounds.Over;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** What tells methods apart that mix one model with their neighbours'; the rounds are common. */
public interface MixingRules extends Common {
  /** How long a peer waits for others. */
  default Patience patience() {
    return Patience.of(600);
  }

  /** Neighbours do unless a method leaves the choice. */
  @Override
  default Over over() {
    return Over.GRAPH;
  }

  @Override
  default List<Layer<?>> layers(PeerContext context) {
    return over().layers(new MixingRounds(this, context), patience(), staleness(), 0);
  }

  @Override
  default SortedSet<Ticket.Kind> needs() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.MIX));
  }

  @Override
  default List<Class<?>> otherRecords() {
    return List.of(OneModel.class);
  }

  /** Local training in a round. */
  Ticket.Train train(PeerContext context, Weights from, int round);

  /** Whether a peer changes its model by those of others. */
  default boolean mixes(PeerId self) {
    return true;
  }

  /** Whether what is deployed is the model after training, and not the one after mixing. */
  default boolean deploysTrained() {
    return false;
  }

  /** How a mixed model is used. */
  default Predictor deployed(PeerContext context, Weights mixed, int round) {
    return new Predictor.Single(mixed);
  }

  /** What is known so far, and what is to be worked out next; the last one asks nothing. */
  record Inquiry(Estimate estimate, Optional<Ticket> next) {}

  /** What has to be worked out about models before they are mixed; nothing where it is known. */
  default Optional<Inquiry> inquire(OneModel memory, int round, List<Heard> models) {
    return Optional.empty();
  }

  /** What a result of an inquiry means: the next question, or the estimate that ends it. */
  default Inquiry answered(PeerContext context, Estimate known, Result result) {
    throw new IllegalStateException("nothing was asked");
  }

  /** The models that are there, in shares that sum to one: Metropolis weights where not said. */
  default Mixture mixture(OneModel memory, Exchange exchange, List<Heard> models) {
    return Mixtures.metropolis(memory.weights(), 0, exchange);
  }

  /** Training with a proximal term towards where it begins; without one where mu is zero. */
  static Ticket.Train heldNear(PeerContext context, Weights from, double mu, int round) {
    return context
        .training()
        .round(
            from,
            mu == 0
                ? Objective.plain()
                : Objective.plain().plus(new Objective.Term.Proximal(from, mu)),
            DataView.own(DataView.Split.TRAIN),
            context.self(),
            round);
  }
}
