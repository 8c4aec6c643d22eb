package io.kindred.methods.mixing;

import io.kindred.core.PeerId;
import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Part;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;
import io.kindred.methods.Patience;
import io.kindred.methods.PeerContext;
import io.kindred.methods.mixing.OneModel.Estimate;
import io.kindred.methods.rounds.Exchange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Attentive message passing (Huang et al., 2021, FedAMP), between neighbours instead of through a
 * server: a peer mixes the more of a neighbour's model the nearer it is to its own, and trains held
 * near that mixture. What it deploys is the trained model.
 */
@Named(
    value = "fedamp",
    summary = "mixes the more of a neighbour's model the nearer its weights are to one's own")
public record FedAmp(
    @Setting(
            doc = "share of the neighbours together if their models equalled one's own",
            fallback = "0.9",
            min = 0,
            max = 1)
        double attention,
    @Setting(
            doc = "squared distance at which attention falls to a third, in median distances",
            fallback = "1",
            above = 0)
        double sigma,
    @Setting(doc = "how strongly training is held near the mixture", fallback = "0.01", min = 0)
        double pull,
    @Setting(doc = "how long a peer waits for its neighbours", fallback = "{}") Patience patience,
    @Setting(
            doc = "rounds that a neighbour's model may lag behind and still be mixed",
            fallback = "0",
            min = 0,
            max = 1000)
        int staleness)
    implements MixingRules {
  @Override
  public Ticket.Train train(PeerContext context, Weights from, int round) {
    return MixingRules.heldNear(context, from, pull, round);
  }

  @Override
  public boolean deploysTrained() {
    return true;
  }

  @Override
  public Optional<Inquiry> inquire(OneModel memory, int round, List<Heard> models) {
    List<PeerId> peers = models.stream().map(Heard::from).toList();
    List<Weights> others = models.stream().map(Heard::weights).toList();
    return Optional.of(
        new Inquiry(
            new Estimate(round, peers, List.of(), Optional.empty()),
            Optional.of(
                new Ticket.Call(new Attention(memory.weights(), others, attention, sigma)))));
  }

  @Override
  public Inquiry answered(PeerContext context, Estimate asked, Result result) {
    if (result instanceof Result.Answered answered
        && answered.answer() instanceof Attention.Attended(List<Double> shares)) {
      return new Inquiry(
          new Estimate(asked.round(), asked.peers(), shares, Optional.empty()), Optional.empty());
    }
    throw new IllegalStateException("asked for attention, but got " + result);
  }

  @Override
  public Mixture mixture(OneModel memory, Exchange exchange, List<Heard> models) {
    List<Part> parts = new ArrayList<>();
    double given = 0;
    for (Heard heard : models) {
      double share = memory.shareOf(heard.from());
      parts.add(new Part(heard.weights(), share));
      given += share;
    }
    parts.addFirst(new Part(memory.weights(), 1 - given));
    return new Mixture(parts);
  }

  @Override
  public SortedSet<Ticket.Kind> needs() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.CALL, Ticket.Kind.MIX));
  }

  @Override
  public List<Class<?>> otherRecords() {
    return List.of(OneModel.class, Attention.class, Attention.Attended.class);
  }
}
