package io.kindred.methods.clustered;

import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.rounds.LocalState;
import io.kindred.methods.rounds.Mixtures;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.PhaseResult;
import io.kindred.methods.rounds.RoundUpdates;
import io.kindred.methods.rounds.ServerRoundAlgorithm;
import io.kindred.methods.rounds.SlotModel;
import java.util.List;
import java.util.Optional;

/**
 * Every peer holds all models, finds the one that fits its data best, trains that one and sends it;
 * received models are averaged into the model of the same cluster (DFCA, section 3; IFCA with a
 * server).
 *
 * @param localStart whether every peer draws initial models of its own
 * @param runningAverage whether models are averaged as they arrive
 * @param participation share of the peers that take part in a round
 */
record HardClusters(
    PeerContext context,
    int slots,
    boolean localStart,
    boolean runningAverage,
    double participation)
    implements ServerRoundAlgorithm<HardClusters.ClusterModels> {
  /** A line about more models than peers, each of which trains one model a round. */
  static List<String> warnings(int clusters, int peers) {
    if (clusters <= peers) {
      return List.of();
    }
    return List.of(
        "'method.clusters': "
            + clusters
            + " models for "
            + peers
            + " peers, each of which trains one model, so that at least "
            + (clusters - peers)
            + " stay untrained in every round; choose at most "
            + peers);
  }

  /**
   * State of a peer.
   *
   * @param ownCluster the cluster of the peer, -1 before it has compared losses
   * @param trained the cluster whose model the peer trained last
   * @param counts how many models each running average of this round holds beside the own one
   * @param currentSlot the slot that is being averaged
   */
  @Named("clusters/hard")
  @Buildable
  record ClusterModels(
      List<Weights> models, int ownCluster, int trained, Ints counts, int currentSlot)
      implements LocalState {
    ClusterModels with(int slot, Weights weights) {
      return ClusterModelsBuilder.from(this)
          .models(ModelSlots.replace(models, slot, weights))
          .build();
    }

    ClusterModels inCluster(int cluster) {
      return ClusterModelsBuilder.from(this).ownCluster(cluster).build();
    }

    ClusterModels withCurrentSlot(int next) {
      return ClusterModelsBuilder.from(this).currentSlot(next).build();
    }

    ClusterModels withCount(int slot, int arrived) {
      int[] more = counts.copy();
      more[slot] += arrived;
      return ClusterModelsBuilder.from(this).counts(Ints.wrap(more)).build();
    }

    /** The model of the own cluster is trained, and no received model is averaged into any yet. */
    ClusterModels trained(Weights weights) {
      return new ClusterModels(
          ModelSlots.replace(models, ownCluster, weights),
          ownCluster,
          ownCluster,
          Ints.wrap(new int[models.size()]),
          0);
    }
  }

  @Override
  public ClusterModels initial() {
    int first = localStart ? slots * (1 + (int) context.self().number()) : 0;
    List<Weights> models = startingModels(first);
    return new ClusterModels(models, -1, 0, Ints.wrap(new int[slots]), 0);
  }

  @Override
  public Class<ClusterModels> stateType() {
    return ClusterModels.class;
  }

  @Override
  public ClusterModels adopt(ClusterModels state, List<Weights> common) {
    return ClusterModelsBuilder.from(state).models(common).build();
  }

  @Override
  public boolean mergesOnArrival() {
    return runningAverage;
  }

  @Override
  public boolean participates(PeerId peer, int round) {
    return participation >= 1
        || context.streams().stream(Purpose.PARTICIPANTS, peer.number(), round).nextDouble()
            < participation;
  }

  @Override
  public PhaseResult<ClusterModels> work(ClusterModels state, int round, Optional<Result> last) {
    if (last.isPresent() && last.get() instanceof Result.Trained trained) {
      return PhaseResult.done(
          state.trained(trained.weights()),
          Observation.Deployed.of(round, Stage.TRAINED, trained.weights()));
    }
    if (last.isPresent() && last.get() instanceof Result.Losses losses) {
      return train(state.inCluster(ModelSlots.lowestLoss(losses.perMixture(), 0)), round);
    }
    return state.ownCluster() < 0
        ? PhaseResult.compute(state, lossTicket(state))
        : train(state, round);
  }

  private static Ticket lossTicket(ClusterModels state) {
    return ModelSlots.losses(state.models(), Ticket.Detail.MEAN);
  }

  private PhaseResult<ClusterModels> train(ClusterModels state, int round) {
    Weights from = state.models().get(state.ownCluster());
    return PhaseResult.compute(
        state, context.training().round(from, context.self(), round).ofModel(state.ownCluster()));
  }

  @Override
  public boolean sharesAreSamples() {
    return false;
  }

  /**
   * All models count the same, however many samples they were trained on: the server of IFCA takes
   * the plain mean of a cluster (Ghosh et al., 2020, algorithm 1, model averaging), and so do
   * equations 7 and 8 of DFCA.
   */
  @Override
  public ModelUpdate outgoingUpdate(ClusterModels state) {
    int slot = state.trained();
    return ModelUpdate.of(new SlotModel(slot, state.models().get(slot), 1));
  }

  /**
   * Equations 7 and 8, with r counting from one: slot by slot, the mean of the own model and of all
   * models received for the slot. Models that arrive during a merge are merged together afterwards;
   * so neither the order of arrival nor this grouping changes the result.
   */
  @Override
  public PhaseResult<ClusterModels> merge(
      ClusterModels state, int round, RoundUpdates updates, Optional<Result> last) {
    ClusterModels next = state.withCurrentSlot(0);
    if (last.isPresent() && last.get() instanceof Result.Mixed mixed) {
      int slot = state.currentSlot();
      next =
          state
              .with(slot, mixed.weights())
              .withCount(slot, updates.models(slot).size())
              .withCurrentSlot(slot + 1);
    }
    for (int slot = next.currentSlot(); slot < slots; slot++) {
      List<Weights> arrived = updates.models(slot).stream().map(SlotModel::weights).toList();
      if (!arrived.isEmpty()) {
        Mixture mean = Mixtures.mean(next.models().get(slot), 1 + next.counts().get(slot), arrived);
        return PhaseResult.mix(next.withCurrentSlot(slot), slot, Observation.Weighting.EQUAL, mean);
      }
    }
    return PhaseResult.done(next.withCurrentSlot(0));
  }

  @Override
  public PhaseResult<ClusterModels> completeRound(
      ClusterModels state, int round, Optional<Result> last) {
    if (last.isPresent() && last.get() instanceof Result.Losses losses) {
      int own = ModelSlots.lowestLoss(losses.perMixture(), 0);
      return PhaseResult.done(
              state.inCluster(own),
              new Observation.Measured(round, Observation.Measured.CLUSTER, own),
              Observation.Deployed.of(round, Stage.MIXED, state.models().get(own)))
          .withObservations(ModelSlots.modelsHeld(context, round, state.models()));
    }
    return PhaseResult.compute(state, lossTicket(state));
  }
}
