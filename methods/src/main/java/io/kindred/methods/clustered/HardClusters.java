package io.kindred.methods.clustered;

import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
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
 * Every peer holds all models, finds the one that fits its data best, trains that one and hands it
 * over; all of them take in what arrives for them (DFCA, section 3; IFCA with a server).
 *
 * @param localStart whether every peer draws starting points of its own
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
  /**
   * What a peer remembers.
   *
   * @param ownCluster the cluster it is in, -1 before it has looked
   * @param trained the cluster whose model it trained last
   * @param counts how many models each running average of this round holds beside the own one
   * @param currentSlot the slot that is being averaged
   */
  @Named("clusters/hard")
  record ClusterModels(
      List<Weights> models, int ownCluster, int trained, Ints counts, int currentSlot)
      implements LocalState {
    ClusterModels with(int slot, Weights weights) {
      return new ClusterModels(
          ModelSlots.replace(models, slot, weights), ownCluster, trained, counts, currentSlot);
    }

    ClusterModels inCluster(int cluster) {
      return new ClusterModels(models, cluster, trained, counts, currentSlot);
    }

    ClusterModels withCurrentSlot(int next) {
      return new ClusterModels(models, ownCluster, trained, counts, next);
    }

    ClusterModels withCount(int slot, int arrived) {
      int[] more = counts.copy();
      more[slot] += arrived;
      return new ClusterModels(models, ownCluster, trained, Ints.wrap(more), currentSlot);
    }

    /** Its own model is trained, and nothing averaged into any yet. */
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
  public ClusterModels adopt(ClusterModels memory, List<Weights> common) {
    return new ClusterModels(
        common, memory.ownCluster(), memory.trained(), memory.counts(), memory.currentSlot());
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
  public PhaseResult<ClusterModels> work(ClusterModels memory, int round, Optional<Result> last) {
    if (last.isPresent() && last.get() instanceof Result.Trained trained) {
      return PhaseResult.done(
          memory.trained(trained.weights()),
          Observation.Deployed.of(round, Stage.TRAINED, trained.weights()));
    }
    if (last.isPresent() && last.get() instanceof Result.Losses losses) {
      return train(memory.inCluster(ModelSlots.lowestLoss(losses.perMixture(), 0)), round);
    }
    return memory.ownCluster() < 0
        ? PhaseResult.compute(memory, lossTicket(memory))
        : train(memory, round);
  }

  private static Ticket lossTicket(ClusterModels memory) {
    return ModelSlots.losses(memory.models(), Ticket.Detail.MEAN);
  }

  private PhaseResult<ClusterModels> train(ClusterModels memory, int round) {
    Weights from = memory.models().get(memory.ownCluster());
    return PhaseResult.compute(memory, context.training().round(from, context.self(), round));
  }

  @Override
  public ModelUpdate outgoingUpdate(ClusterModels memory) {
    int slot = memory.trained();
    return ModelUpdate.of(new SlotModel(slot, memory.models().get(slot), context.samples()));
  }

  /**
   * Equations 7 and 8, with r counting from one: slot by slot, the mean of the own model and of all
   * that has come for it. What came while the last was being taken in is taken in together; so the
   * order of arrival makes no difference, nor whether they come one by one.
   */
  @Override
  public PhaseResult<ClusterModels> merge(
      ClusterModels memory, int round, RoundUpdates updates, Optional<Result> last) {
    ClusterModels next = memory.withCurrentSlot(0);
    if (last.isPresent() && last.get() instanceof Result.Mixed mixed) {
      int slot = memory.currentSlot();
      next =
          memory
              .with(slot, mixed.weights())
              .withCount(slot, updates.models(slot).size())
              .withCurrentSlot(slot + 1);
    }
    for (int slot = next.currentSlot(); slot < slots; slot++) {
      List<Weights> arrived = updates.models(slot).stream().map(SlotModel::weights).toList();
      if (!arrived.isEmpty()) {
        Mixture mean = Mixtures.mean(next.models().get(slot), 1 + next.counts().get(slot), arrived);
        return PhaseResult.compute(next.withCurrentSlot(slot), new Ticket.Mix(mean));
      }
    }
    return PhaseResult.done(next.withCurrentSlot(0));
  }

  @Override
  public PhaseResult<ClusterModels> completeRound(
      ClusterModels memory, int round, Optional<Result> last) {
    if (last.isPresent() && last.get() instanceof Result.Losses losses) {
      int own = ModelSlots.lowestLoss(losses.perMixture(), 0);
      return PhaseResult.done(
              memory.inCluster(own),
              new Observation.Measured(round, Observation.Measured.CLUSTER, own),
              Observation.Deployed.of(round, Stage.MIXED, memory.models().get(own)))
          .withObservations(ModelSlots.modelsHeld(context, round, memory.models()));
    }
    return PhaseResult.compute(memory, lossTicket(memory));
  }
}
