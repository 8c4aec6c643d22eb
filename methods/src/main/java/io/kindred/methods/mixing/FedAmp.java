package io.kindred.methods.mixing;

import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.peer.Observation.Weighting;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.mixing.MixingState.Estimate;
import io.kindred.methods.rounds.RoundSettings;
import io.kindred.methods.rounds.RoundUpdates;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Attentive message passing (Huang et al., 2021, FedAMP), between neighbours instead of through a
 * server: the nearer a neighbour's model is to the peer's own, the larger is its share in the
 * mixture, and training is held near that mixture. A peer deploys the trained model.
 */
@Named(
    value = "fedamp",
    summary =
        "mixes neighbours' models with larger shares for models that are nearer to the"
            + " peer's own")
public record FedAmp(
    @Setting(
            doc = "total share of the neighbours' models if all of them equalled the peer's own",
            fallback = "0.9",
            min = 0,
            max = 1,
            tune = "0.5..1")
        double attention,
    @Setting(
            doc =
                "squared distance at which attention falls to about a third, in multiples of the"
                    + " median squared distance",
            fallback = "1",
            above = 0,
            tune = "0.1..10 log")
        double sigma,
    @Setting(
            doc = "strength of the pull of training towards the mixture",
            fallback = "0.01",
            min = 0,
            tune = "0.001..1 log")
        double pull,
    @Setting(doc = "how long a peer waits for the other peers' models", fallback = "{}")
        TimeoutPolicy timeout,
    @Setting(
            doc = "rounds that a received model may lag behind and still be averaged",
            fallback = "0",
            min = 0,
            max = 1000)
        int staleness)
    implements MixingMethod {
  @Override
  public RoundSettings rounds() {
    return new RoundSettings(timeout, 0, staleness);
  }

  @Override
  public Ticket.Train train(PeerContext context, Weights from, int round) {
    return MixingMethod.proximalTraining(context, from, pull, round);
  }

  @Override
  public boolean deploysTrained() {
    return true;
  }

  @Override
  public Optional<EstimateStep> startEstimate(
      MixingState state, int round, List<NeighbourModel> models) {
    List<PeerId> peers = models.stream().map(NeighbourModel::from).toList();
    List<Weights> others = models.stream().map(NeighbourModel::weights).toList();
    return Optional.of(
        new EstimateStep(
            new Estimate(round, peers, List.of(), true, Optional.empty()),
            Optional.of(
                new Ticket.Call(new Attention(state.weights(), others, attention, sigma)))));
  }

  @Override
  public EstimateStep continueEstimate(PeerContext context, Estimate asked, Result result) {
    if (result instanceof Result.Answered answered
        && answered.answer() instanceof Attention.AttentionShares(List<Double> shares)) {
      return new EstimateStep(
          EstimateBuilder.from(asked).shares(shares).refit(Optional.empty()).build(),
          Optional.empty());
    }
    throw new IllegalStateException("expected attention shares, got " + result);
  }

  @Override
  public Weighting mixtureWeighting() {
    return Weighting.ESTIMATED;
  }

  @Override
  public Mixture mixture(MixingState state, RoundUpdates updates, List<NeighbourModel> models) {
    List<MixturePart> parts = new ArrayList<>();
    double given = 0;
    for (NeighbourModel model : models) {
      double share = state.shareOf(model.from());
      parts.add(new MixturePart(model.weights(), share));
      given += share;
    }
    parts.addFirst(new MixturePart(state.weights(), 1 - given));
    return new Mixture(parts);
  }

  @Override
  public SortedSet<Ticket.Kind> ticketKinds() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.CALL, Ticket.Kind.MIX));
  }

  @Override
  public List<Class<?>> otherRecords() {
    return List.of(MixingState.class, Attention.class, Attention.AttentionShares.class);
  }
}
