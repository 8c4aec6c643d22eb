package io.kindred.methods.clustered;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingGroup;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerLayer;
import io.kindred.core.random.Purpose;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.rounds.Aggregation;
import io.kindred.methods.rounds.LocalState;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.PhaseResult;
import io.kindred.methods.rounds.RoundSettings;
import io.kindred.methods.rounds.RoundUpdates;
import io.kindred.methods.rounds.ServerRoundAlgorithm;
import io.kindred.methods.rounds.SharedModelMethod;
import io.kindred.methods.rounds.SlotModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Soft clustering by proximity (FedSoft, Ruan and Joe-Wong, 2022): a peer has one model of its own,
 * trained on all its samples and drawn towards every center by the share of samples that the center
 * explains best. A center is the mean of the models of the peers that were chosen for it; a peer is
 * chosen for one center a round, with the probability of its share.
 */
@Named(
    value = "fedsoft",
    summary =
        "each peer trains its own model, pulled towards the centers of the clusters that"
            + " its data belong to")
public record FedSoft(
    @Setting(doc = "centers, one for each cluster", fallback = "2", min = 1, max = 1000)
        int clusters,
    @Setting(
            doc = "strength of the pull towards the centers",
            fallback = "0.1",
            min = 0,
            tune = "0.01..1 log")
        double lambda,
    @Setting(
            doc = "smallest share of a center in a peer's pull",
            fallback = "0.01",
            min = 0,
            max = 0.5)
        double floor,
    @Setting(
            doc = "where models are averaged: `server`, or `graph` for the neighbours",
            fallback = "graph")
        Aggregation over,
    @SettingGroup RoundSettings rounds)
    implements SharedModelMethod {
  private static final Purpose CENTER_CHOICE = new Purpose("center-choice");

  /**
   * State of a peer: the centers and its own model.
   *
   * @param chosenCenter the center that the peer's model is averaged into in this round
   * @param largestCenter the center with most of the peer's samples
   * @param currentSlot which center is being averaged
   */
  @Named("fedsoft/centers")
  @Buildable
  public record SoftClusters(
      List<Weights> centers, Weights model, int chosenCenter, int largestCenter, int currentSlot)
      implements LocalState {
    SoftClusters with(int slot, Weights center) {
      return SoftClustersBuilder.from(this)
          .centers(ModelSlots.replace(centers, slot, center))
          .build();
    }

    SoftClusters currentSlot(int slot) {
      return SoftClustersBuilder.from(this).currentSlot(slot).build();
    }

    SoftClusters trained(Weights weights) {
      return SoftClustersBuilder.from(this).model(weights).currentSlot(0).build();
    }
  }

  @Override
  public List<PeerLayer<?>> layers(PeerContext context) {
    return over.layers(new Algorithm(this, context), rounds, 0);
  }

  @Override
  public SortedSet<Ticket.Kind> ticketKinds() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.LOSSES, Ticket.Kind.MIX));
  }

  @Override
  public List<Class<?>> otherRecords() {
    return List.of(SoftClusters.class);
  }

  private record Algorithm(FedSoft method, PeerContext context)
      implements ServerRoundAlgorithm<SoftClusters> {
    @Override
    public SoftClusters initial() {
      return new SoftClusters(commonModels(), context.initialWeights().apply(0), 0, 0, 0);
    }

    @Override
    public Class<SoftClusters> stateType() {
      return SoftClusters.class;
    }

    @Override
    public int slots() {
      return method.clusters();
    }

    @Override
    public SoftClusters adopt(SoftClusters state, List<Weights> common) {
      return SoftClustersBuilder.from(state).centers(common).currentSlot(0).build();
    }

    @Override
    public PhaseResult<SoftClusters> work(SoftClusters state, int round, Optional<Result> last) {
      if (last.isEmpty()) {
        return PhaseResult.compute(
            state, ModelSlots.losses(state.centers(), Ticket.Detail.PER_SAMPLE));
      }
      return switch (last.get()) {
        case Result.Losses losses ->
            train(state, round, shares(ModelSlots.lowestLoss(losses.perMixture())));
        case Result.Trained trained ->
            PhaseResult.done(
                state.trained(trained.weights()),
                Observation.Deployed.of(round, Stage.TRAINED, trained.weights()));
        case Result.Answered _, Result.Mixed _, Result.Outputs _ -> PhaseResult.done(state);
      };
    }

    /** The shares, none below the floor, normalized to a sum of one. */
    private double[] shares(int[] assigned) {
      double[] shares = ModelSlots.shares(assigned, slots());
      Arrays.setAll(shares, slot -> Math.max(method.floor(), shares[slot]));
      double sum = Arrays.stream(shares).sum();
      Arrays.setAll(shares, slot -> sum > 0 ? shares[slot] / sum : 1.0 / shares.length);
      return shares;
    }

    private PhaseResult<SoftClusters> train(SoftClusters state, int round, double[] shares) {
      Objective objective = Objective.plain();
      for (int slot = 0; slot < slots(); slot++) {
        double pull = method.lambda() * shares[slot];
        if (pull > 0) {
          objective = objective.plus(new Objective.Term.Proximal(state.centers().get(slot), pull));
        }
      }
      double uniform =
          context.streams().stream(CENTER_CHOICE, context.self().number(), round).nextDouble();
      SoftClusters next =
          SoftClustersBuilder.from(state)
              .chosenCenter(ModelSlots.draw(shares, uniform))
              .largestCenter(ModelSlots.largest(shares))
              .currentSlot(0)
              .build();
      return PhaseResult.compute(
          next,
          context
              .training()
              .round(
                  state.model(),
                  objective,
                  DataView.own(DataView.Split.TRAIN),
                  context.self(),
                  round));
    }

    @Override
    public ModelUpdate outgoingUpdate(SoftClusters state) {
      return ModelUpdate.of(new SlotModel(state.chosenCenter(), state.model(), context.samples()));
    }

    @Override
    public PhaseResult<SoftClusters> merge(
        SoftClusters state, int round, RoundUpdates updates, Optional<Result> last) {
      SoftClusters next = state.currentSlot(0);
      if (last.isPresent() && last.get() instanceof Result.Mixed mixed) {
        next =
            state.with(state.currentSlot(), mixed.weights()).currentSlot(state.currentSlot() + 1);
      }
      for (int slot = next.currentSlot(); slot < slots(); slot++) {
        List<Weights> chosen =
            new ArrayList<>(updates.models(slot).stream().map(SlotModel::weights).toList());
        if (slot == next.chosenCenter()) {
          chosen.addFirst(next.model());
        }
        if (!chosen.isEmpty()) {
          return PhaseResult.mix(
              next.currentSlot(slot), slot, Observation.Weighting.EQUAL, Mixture.mean(chosen));
        }
      }
      return PhaseResult.done(next.currentSlot(0));
    }

    @Override
    public PhaseResult<SoftClusters> completeRound(
        SoftClusters state, int round, Optional<Result> last) {
      return PhaseResult.done(
              state,
              new Observation.Measured(round, Observation.Measured.CLUSTER, state.largestCenter()),
              Observation.Deployed.of(round, Stage.MIXED, state.model()))
          .withObservations(ModelSlots.modelsHeld(context, round, state.centers()));
    }
  }
}
