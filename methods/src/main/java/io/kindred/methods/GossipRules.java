package io.kindred.methods;

import io.kindred.core.Component;
import io.kindred.core.Message;
import io.kindred.core.PeerId;
import io.kindred.core.peer.Layer;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Part;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.DataView;
import io.kindred.core.work.Objective;
import io.kindred.core.work.Predictor;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;
import io.kindred.methods.Gossip.Estimate;
import io.kindred.methods.Gossip.Heard;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/** What tells one gossiping method from another; {@link Gossip} does the rest. */
interface GossipRules extends Method {
  Patience patience();

  @Override
  int staleness();

  @Override
  default List<Layer<?>> layers(PeerContext context) {
    return List.of(new Layer<>(Component.METHOD, new Gossip(this, context), Gossip.State.class));
  }

  @Override
  default SortedSet<Ticket.Kind> needs() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.MIX));
  }

  @Override
  default List<Class<? extends Message>> messages() {
    return List.of(Gossip.TrainedModel.class);
  }

  /** Local training in a round. */
  Ticket.Train train(PeerContext context, Weights from, int round);

  /** Whether two neighbours exchange models. */
  default boolean exchanges(PeerId self, PeerId neighbour) {
    return true;
  }

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
  default Optional<Inquiry> inquire(Gossip.State state, List<Heard> models) {
    return Optional.empty();
  }

  /** What a result of an inquiry means: the next question, or the estimate that ends it. */
  default Inquiry answered(PeerContext context, Estimate known, Result result) {
    throw new IllegalStateException("nothing was asked");
  }

  /**
   * The models that are there, in shares that sum to one: Metropolis weights, 1 / (1 + the larger
   * degree), unless a method knows better.
   */
  default Mixture mixture(Gossip.State state, List<Heard> models) {
    int degree = state.neighbours().size();
    return withRest(state, models, heard -> 1.0 / (1 + Math.max(degree, heard.model().degree())));
  }

  /** Others in shares of their own; the rest goes to the own model. */
  static Mixture withRest(Gossip.State state, List<Heard> models, ToDoubleFunction<Heard> shares) {
    List<Part> parts = new ArrayList<>();
    double given = 0;
    for (Heard heard : models) {
      double share = shares.applyAsDouble(heard);
      parts.add(new Part(heard.model().weights(), share));
      given += share;
    }
    parts.addFirst(new Part(state.weights(), 1 - given));
    return new Mixture(parts);
  }

  /** A peer's share in the newest estimate; a model that came too late for it has none. */
  static double estimated(Gossip.State state, PeerId peer) {
    return state.estimate().map(estimate -> estimate.shareOf(peer)).orElse(0.0);
  }

  /** Training with a proximal term towards where it begins. */
  static Ticket.Train heldNear(PeerContext context, Weights from, double mu, int round) {
    return context
        .training()
        .round(
            from,
            Objective.plain().plus(new Objective.Term.Proximal(from, mu)),
            DataView.own(DataView.Split.TRAIN),
            context.self(),
            round);
  }
}
