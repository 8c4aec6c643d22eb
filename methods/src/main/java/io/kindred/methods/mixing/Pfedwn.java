package io.kindred.methods.mixing;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.config.SettingGroup;
import io.kindred.core.peer.Observation.Weighting;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.mixing.MixingState.Estimate;
import io.kindred.methods.mixing.MixingState.Refit;
import io.kindred.methods.rounds.PartnerSettings;
import io.kindred.methods.rounds.RoundSettings;
import io.kindred.methods.rounds.RoundUpdates;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Personalized learning over device-to-device radio (Ni, Ghazikor and Hashemi, pFedWN): a target
 * mixes its neighbours' models in shares that follow from how well each explains the target's data,
 * found by expectation-maximization over its samples (equations 8 to 10), keeps a share alpha of
 * its own model, and trains on (algorithm 2). The links determine whose models arrive.
 *
 * <p>Models that did not arrive are left out and the others' shares grow in proportion. A model
 * that has no share yet triggers a new estimate. A peer deploys the model after training, with
 * which a round of algorithm 2 ends.
 *
 * <p>Algorithm 1 selects neighbours by their links alone. Where a search finds the peers, it finds
 * them by their models alone: a peer cannot measure links to peers outside its topology. Each
 * message then meets the link between the two peers as it is, and models that a bad link loses are
 * left out as above.
 */
@Named(
    value = "pfedwn",
    summary = "mixes neighbours' models with shares estimated by expectation-maximization")
public record Pfedwn(
    @Setting(
            doc = "share of its own model that a peer keeps",
            fallback = "0.5",
            min = 0,
            max = 1,
            tune = "0.1..0.9")
        double alpha,
    @Setting(
            doc = "the only peer that mixes; all others train and send; -1 lets every peer mix",
            fallback = "-1",
            min = -1)
        int target,
    @Setting(
            doc =
                "the model that a peer which mixes sends: the `mixed` one, or a second one that it"
                    + " trains `alone` and never mixes, so that its neighbours mix models of peers"
                    + " that do not mix",
            fallback = "mixed")
        Sends sends,
    @Setting(doc = "how shares are estimated", fallback = "{}") Estimation em,
    @Setting(doc = "how long a peer waits for the other peers' models", fallback = "{}")
        TimeoutPolicy timeout,
    @Setting(
            doc = "rounds that a received model may lag behind and still be averaged",
            fallback = "0",
            min = 0,
            max = 1000)
        int staleness,
    @SettingGroup PartnerSettings partners)
    implements PartnerMethod {
  @Override
  public RoundSettings rounds() {
    return new RoundSettings(timeout, 0, staleness);
  }

  /** How the shares of neighbours are estimated. */
  public record Estimation(
      @Setting(
              doc = "rounds after which shares are estimated again; 0 keeps the first estimate",
              fallback = "0",
              min = 0)
          int every,
      @Setting(doc = "largest number of steps", fallback = "100", min = 1, max = 100_000)
          int iterations,
      @Setting(
              doc = "change of a share below which the estimation stops",
              fallback = "1e-4",
              min = 0)
          double tolerance,
      @Setting(
              doc =
                  "number of times that copies of the models are fitted to the peer's samples"
                      + " between steps (equation 11); 0 leaves received models unchanged",
              fallback = "0",
              min = 0,
              max = 1000)
          int refits,
      @Setting(
              doc =
                  "`estimated` by expectation-maximization; to see what the estimate is worth,"
                      + " `equal` for all models, or `labels` by how much the label frequencies of"
                      + " both peers have in common, for which peers send their label counts",
              fallback = "estimated")
          Shares shares) {
    /** How models are weighted. */
    public enum Shares {
      /** By how well they explain the peer's samples. */
      ESTIMATED,
      /** By the common part of the label frequencies. */
      LABELS,
      /** All alike. */
      EQUAL
    }
  }

  @Override
  public void check(int peers) {
    if (target >= peers) {
      throw new SettingException(
          "method.target",
          "there is no peer " + target + " among " + peers,
          "choose at most " + (peers - 1));
    }
  }

  @Override
  public boolean mixes(PeerId self) {
    return target < 0 || self.number() == target;
  }

  /** The model that a peer sends. */
  public enum Sends {
    /** The model that it also mixes and deploys. */
    MIXED,
    /** A model that it trains on its own samples only. */
    ALONE
  }

  @Override
  public boolean sendsLabels() {
    return em.shares() == Estimation.Shares.LABELS;
  }

  @Override
  public boolean sendsLoneModel() {
    return sends == Sends.ALONE;
  }

  @Override
  public boolean deploysTrained() {
    return true;
  }

  @Override
  public Ticket.Train train(PeerContext context, Weights from, int round) {
    return context.training().round(from, context.self(), round);
  }

  @Override
  public Optional<EstimateStep> startEstimate(
      MixingState state, int round, List<NeighbourModel> models) {
    List<PeerId> peers = models.stream().map(NeighbourModel::from).toList();
    boolean known =
        state
            .estimate()
            .filter(estimate -> estimate.refit().isEmpty())
            .filter(estimate -> estimate.peers().containsAll(peers))
            .filter(estimate -> em.every() == 0 || round - estimate.round() < em.every())
            .isPresent();
    if (known || alpha == 1) {
      return Optional.empty();
    }
    if (em.shares() != Estimation.Shares.ESTIMATED) {
      List<Double> shares =
          em.shares() == Estimation.Shares.LABELS
              ? labelShares(models)
              : ExpectationMaximization.uniform(peers.size());
      return Optional.of(
          new EstimateStep(
              new Estimate(round, peers, shares, true, Optional.empty()), Optional.empty()));
    }
    List<Weights> components = models.stream().map(NeighbourModel::weights).toList();
    return Optional.of(
        new EstimateStep(
            new Estimate(
                round,
                peers,
                ExpectationMaximization.uniform(peers.size()),
                false,
                Optional.of(new Refit(components, 0, 0, List.of()))),
            Optional.of(losses(components))));
  }

  /** Equal shares if no neighbour has a label in common with the peer. */
  private static List<Double> labelShares(List<NeighbourModel> models) {
    double sum = models.stream().mapToDouble(NeighbourModel::labelOverlap).sum();
    return sum > 0
        ? models.stream().map(model -> model.labelOverlap() / sum).toList()
        : ExpectationMaximization.uniform(models.size());
  }

  private static Ticket losses(List<Weights> components) {
    return new Ticket.Losses(
        components.stream().map(Mixture::of).toList(),
        DataView.own(DataView.Split.TRAIN),
        Ticket.Detail.PER_SAMPLE);
  }

  @Override
  public EstimateStep continueEstimate(PeerContext context, Estimate estimate, Result result) {
    Refit refit = estimate.refit().orElseThrow();
    return switch (result) {
      case Result.Losses losses ->
          new EstimateStep(
              estimate,
              Optional.of(
                  new Ticket.Call(
                      new FitShares(
                          losses.perMixture(),
                          estimate.shares(),
                          em.iterations(),
                          em.tolerance()))));
      case Result.Answered answered when answered.answer() instanceof FitShares.Fitted fitted ->
          fitted(context, estimate, refit, fitted);
      case Result.Trained trained -> refitted(context, estimate, refit, trained.weights());
      case Result.Mixed _, Result.Outputs _, Result.Answered _ ->
          throw new IllegalStateException("expected shares, got " + result);
    };
  }

  private EstimateStep fitted(
      PeerContext context, Estimate estimate, Refit refit, FitShares.Fitted fitted) {
    boolean settled =
        ExpectationMaximization.largestChange(estimate.shares(), fitted.shares()) <= em.tolerance();
    if (refit.iteration() >= em.refits() || (settled && refit.iteration() > 0)) {
      return new EstimateStep(
          EstimateBuilder.from(estimate)
              .shares(fitted.shares())
              .converged(isConverged(fitted))
              .refit(Optional.empty())
              .build(),
          Optional.empty());
    }
    List<Floats> responsibilities = fitted.responsibilities();
    Refit next = new Refit(refit.components(), refit.iteration() + 1, 0, responsibilities);
    return new EstimateStep(
        EstimateBuilder.from(estimate).shares(fitted.shares()).refit(Optional.of(next)).build(),
        Optional.of(refitTicket(context, estimate.round(), next)));
  }

  /** Whether one more step would change no share by more than the tolerance. */
  private boolean isConverged(FitShares.Fitted fitted) {
    List<Double> next = ExpectationMaximization.shares(fitted.responsibilities());
    return ExpectationMaximization.largestChange(fitted.shares(), next) <= em.tolerance();
  }

  /** Fits one component to the samples, weighted by its responsibilities. */
  private static Ticket refitTicket(PeerContext context, int round, Refit refit) {
    DataView.Selection share =
        new DataView.Selection.Weighted(refit.responsibilities().get(refit.nextComponent()));
    return context
        .training()
        .round(
            refit.components().get(refit.nextComponent()),
            Objective.plain(),
            DataView.own(DataView.Split.TRAIN).select(share),
            context.self(),
            round)
        .ofModel(Ticket.Train.TEMPORARY);
  }

  private static EstimateStep refitted(
      PeerContext context, Estimate estimate, Refit refit, Weights trained) {
    List<Weights> components = new ArrayList<>(refit.components());
    components.set(refit.nextComponent(), trained);
    Refit next =
        RefitBuilder.from(refit)
            .components(components)
            .nextComponent(refit.nextComponent() + 1)
            .build();
    return new EstimateStep(
        EstimateBuilder.from(estimate).refit(Optional.of(next)).build(),
        Optional.of(
            next.nextComponent() < components.size()
                ? refitTicket(context, estimate.round(), next)
                : losses(components)));
  }

  @Override
  public Weighting mixtureWeighting() {
    return Weighting.ESTIMATED;
  }

  @Override
  public Mixture mixture(MixingState state, RoundUpdates updates, List<NeighbourModel> models) {
    double known = 0;
    for (NeighbourModel model : models) {
      known += state.shareOf(model.from());
    }
    if (known <= 0 || alpha == 1) {
      return Mixture.of(state.weights());
    }
    List<MixturePart> parts = new ArrayList<>();
    parts.add(new MixturePart(state.weights(), alpha));
    for (NeighbourModel model : models) {
      double share = (1 - alpha) * state.shareOf(model.from()) / known;
      parts.add(new MixturePart(model.weights(), share));
    }
    return new Mixture(parts);
  }

  @Override
  public List<Ticket.Kind> mixingKinds() {
    return List.of(Ticket.Kind.TRAIN, Ticket.Kind.LOSSES, Ticket.Kind.CALL, Ticket.Kind.MIX);
  }

  @Override
  public List<Class<?>> mixingRecords() {
    return List.of(MixingState.class, FitShares.class, FitShares.Fitted.class);
  }
}
