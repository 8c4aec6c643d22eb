package io.kindred.methods.mixing;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingGroup;
import io.kindred.core.peer.Observation.Weighting;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.mixing.MixingState.Estimate;
import io.kindred.methods.mixing.MixingState.Refit;
import io.kindred.methods.rounds.Mixtures;
import io.kindred.methods.rounds.PartnerSettings;
import io.kindred.methods.rounds.RoundSettings;
import io.kindred.methods.rounds.RoundUpdates;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A few collaborators, chosen greedily (Kharrat, Canini and Horvath, 2025, DPFL): a peer starts
 * with itself and adds the neighbour whose model lowers the validation loss of the average most,
 * until its budget is used up or no neighbour lowers it. The peer keeps its collaborators for some
 * rounds. Candidates are its neighbours, and all of them send in every round, so the graph bounds
 * the traffic and not the budget. Where a search finds the candidates, they differ from round to
 * round, and the peer also chooses when there is a candidate that it has not judged.
 */
@Named(
    value = "dpfl",
    summary = "averages with a few neighbours, chosen greedily by validation loss")
public record Dpfl(
    @Setting(
            doc = "largest number of collaborators",
            fallback = "5",
            min = 1,
            max = 100_000,
            tune = "1..10")
        int budget,
    @Setting(
            doc = "rounds after which collaborators are chosen again",
            fallback = "5",
            min = 1,
            tune = "1,2,5,10")
        int every,
    @Setting(
            doc =
                "samples by which collaborators are chosen; evaluation.validation sets the share"
                    + " of validation samples",
            fallback = "validation")
        SelectionSplit selectOn,
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

  /** Samples that collaborators are chosen by: never those that the result is tested on. */
  public enum SelectionSplit {
    VALIDATION(DataView.Split.VALIDATION),
    TRAIN(DataView.Split.TRAIN);

    private final DataView.Split split;

    SelectionSplit(DataView.Split split) {
      this.split = split;
    }
  }

  @Override
  public Ticket.Train train(PeerContext context, Weights from, int round) {
    return context.training().round(from, context.self(), round);
  }

  /** Asks for the losses of the own model and of its average with each of the neighbours. */
  @Override
  public Optional<EstimateStep> startEstimate(
      MixingState state, int round, List<NeighbourModel> models) {
    List<PeerId> peers = models.stream().map(NeighbourModel::from).toList();
    boolean known =
        state
            .estimate()
            .filter(estimate -> estimate.refit().isEmpty())
            .filter(estimate -> round - estimate.round() < every)
            .filter(estimate -> !partners.isSearched() || estimate.peers().containsAll(peers))
            .isPresent();
    if (known) {
      return Optional.empty();
    }
    List<Weights> candidates = new ArrayList<>();
    candidates.add(state.weights());
    models.forEach(model -> candidates.add(model.weights()));
    Estimate noneChosen =
        new Estimate(
            round,
            peers,
            peers.stream().map(peer -> 0.0).toList(),
            true,
            Optional.of(new Refit(candidates, 0, 0, List.of())));
    List<Mixture> mixtures = new ArrayList<>();
    mixtures.add(Mixture.of(state.weights()));
    mixtures.addAll(candidateAverages(noneChosen));
    return Optional.of(new EstimateStep(noneChosen, Optional.of(losses(mixtures))));
  }

  private Ticket losses(List<Mixture> mixtures) {
    return new Ticket.Losses(mixtures, DataView.own(selectOn.split), Ticket.Detail.MEAN);
  }

  private static List<Integer> remainingCandidates(Estimate estimate) {
    List<Integer> left = new ArrayList<>();
    for (int i = 0; i < estimate.peers().size(); i++) {
      if (estimate.shares().get(i) == 0) {
        left.add(i);
      }
    }
    return left;
  }

  /** The average of the models chosen so far with each remaining candidate. */
  private static List<Mixture> candidateAverages(Estimate estimate) {
    List<Weights> models = estimate.refit().orElseThrow().components();
    List<Mixture> averages = new ArrayList<>();
    for (int candidate : remainingCandidates(estimate)) {
      List<Weights> together = new ArrayList<>();
      for (int i = 0; i < estimate.peers().size(); i++) {
        if (estimate.shares().get(i) > 0 || i == candidate) {
          together.add(models.get(i + 1));
        }
      }
      averages.add(Mixtures.mean(models.getFirst(), together));
    }
    return averages;
  }

  /**
   * The first result begins with the loss of the own model; later losses are compared with the
   * lowest so far, which is stored where other methods store responsibilities.
   */
  @Override
  public EstimateStep continueEstimate(PeerContext context, Estimate known, Result result) {
    if (!(result instanceof Result.Losses(List<Floats> answer))) {
      throw new IllegalStateException("expected losses, got " + result);
    }
    Refit refit = known.refit().orElseThrow();
    boolean first = refit.iteration() == 0;
    List<Integer> left = remainingCandidates(known);
    float lowest = first ? answer.getFirst().get(0) : refit.responsibilities().getFirst().get(0);
    int best = -1;
    for (int i = 0; i < left.size(); i++) {
      float loss = answer.get(first ? i + 1 : i).get(0);
      if (loss < lowest) {
        lowest = loss;
        best = left.get(i);
      }
    }
    if (best < 0) {
      return done(known);
    }
    List<Double> chosen = new ArrayList<>(known.shares());
    chosen.set(best, 1.0);
    Estimate next =
        EstimateBuilder.from(known)
            .shares(chosen)
            .refit(
                Optional.of(
                    new Refit(
                        refit.components(), refit.iteration() + 1, 0, List.of(Floats.of(lowest)))))
            .build();
    boolean full = refit.iteration() + 1 >= budget || left.size() == 1;
    return full ? done(next) : new EstimateStep(next, Optional.of(losses(candidateAverages(next))));
  }

  private static EstimateStep done(Estimate chosen) {
    return new EstimateStep(
        EstimateBuilder.from(chosen).refit(Optional.empty()).build(), Optional.empty());
  }

  @Override
  public Weighting mixtureWeighting() {
    return Weighting.EQUAL;
  }

  @Override
  public Mixture mixture(MixingState state, RoundUpdates updates, List<NeighbourModel> models) {
    return Mixtures.mean(
        state.weights(),
        models.stream()
            .filter(model -> state.shareOf(model.from()) > 0)
            .map(NeighbourModel::weights)
            .toList());
  }

  @Override
  public List<Ticket.Kind> mixingKinds() {
    return List.of(Ticket.Kind.TRAIN, Ticket.Kind.LOSSES, Ticket.Kind.MIX);
  }

  @Override
  public List<Class<?>> mixingRecords() {
    return List.of(MixingState.class);
  }
}
