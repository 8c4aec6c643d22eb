package io.kindred.methods.clustered;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerLayer;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.StreamKey;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.contract.Training;
import io.kindred.methods.rounds.Gossip;
import io.kindred.methods.rounds.LocalState;
import io.kindred.methods.rounds.Mixtures;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.PhaseResult;
import io.kindred.methods.rounds.RoundAlgorithm;
import io.kindred.methods.rounds.RoundUpdates;
import io.kindred.methods.rounds.SlotModel;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Soft clustering on a graph (FedSPD, section 4, algorithm 1): every sample of a peer belongs to
 * the cluster whose center has the lowest loss on it. In a round a peer draws a cluster by its
 * share of the samples, trains that center on them, sends it, and averages it with the centers of
 * neighbours that trained the same cluster. After the last round the sum of the centers, weighted
 * by shares, is trained on all samples of the peer.
 */
@Named(
    value = "fedspd",
    summary =
        "soft clusters on a graph: a peer trains one center in each round, and its"
            + " personal model at the end")
public record FedSpd(
    @Setting(doc = "centers, one for each cluster", fallback = "2", min = 1, max = 1000)
        int clusters,
    @Setting(
            doc = "epochs of the final, personal training",
            fallback = "10",
            min = 0,
            tune = "0..15")
        int finalEpochs,
    @Setting(
            doc =
                "whether received centers are matched to a peer's own centers by cosine"
                    + " similarity, not by their number",
            fallback = "true")
        boolean matching,
    @Setting(
            doc =
                "which centers of a peer change in a round: only the one that it trained"
                    + " (`trained`), or also those that its neighbours sent (`received`)",
            fallback = "trained")
        Update update,
    @Setting(
            doc =
                "whether the centers start from different weights (`apart`) or from the same"
                    + " (`together`); all peers start alike",
            fallback = "apart")
        Start start,
    @Setting(doc = "noise on the models that a peer sends", fallback = "{}")
        PrivacySettings privacy,
    @Setting(doc = "how long a peer waits for the other peers' models", fallback = "{}")
        TimeoutPolicy timeout,
    @Setting(
            doc = "rounds that a received center may lag behind and still be averaged",
            fallback = "0",
            min = 0,
            max = 1000)
        int staleness)
    implements Method {
  private static final Purpose FIRST_ASSIGNMENT = new Purpose("first-assignment");
  private static final Purpose CLUSTER_CHOICE = new Purpose("cluster-choice");
  private static final Purpose PRIVACY = new Purpose("privacy");

  /** Whether centers start from different weights or from the same; the paper does not say. */
  public enum Start {
    APART,
    TOGETHER
  }

  /**
   * Which centers change in a round. Line 24 of algorithm 1 lets a peer change only the center that
   * it trained; by the sentence under equation 1 a center stays unchanged only if no neighbour
   * trained it either.
   */
  public enum Update {
    TRAINED,
    RECEIVED
  }

  /**
   * State of a peer.
   *
   * @param sampleClusters the cluster of each training sample
   * @param trainedCluster the cluster whose center the peer trained last
   * @param released the trained center as it may be sent, if privacy changes it
   * @param receivedClusters the own cluster of each center received in this round
   * @param currentSlot the center that is being averaged
   */
  @Named("fedspd/centers")
  @Buildable
  public record Centers(
      List<Weights> models,
      Ints sampleClusters,
      int trainedCluster,
      Optional<Weights> released,
      Ints receivedClusters,
      int currentSlot)
      implements LocalState {
    static Centers of(List<Weights> models, int[] assigned) {
      return new Centers(models, Ints.wrap(assigned), 0, Optional.empty(), Ints.of(), 0);
    }

    Centers with(int slot, Weights center) {
      return CentersBuilder.from(this).models(ModelSlots.replace(models, slot, center)).build();
    }

    Centers withTrainedCluster(int slot) {
      return CentersBuilder.from(this)
          .trainedCluster(slot)
          .released(Optional.empty())
          .receivedClusters(Ints.of())
          .currentSlot(0)
          .build();
    }

    Centers withSampleClusters(int[] clusters) {
      return CentersBuilder.from(this).sampleClusters(Ints.wrap(clusters)).build();
    }

    Centers withReleased(Weights center) {
      return CentersBuilder.from(this).released(Optional.of(center)).build();
    }

    Centers withReceivedClusters(Ints clusters) {
      return CentersBuilder.from(this).receivedClusters(clusters).currentSlot(0).build();
    }

    Centers withCurrentSlot(int slot) {
      return CentersBuilder.from(this).currentSlot(slot).build();
    }

    /** How many neighbours trained the same cluster in this round. */
    long sameClusterNeighbours() {
      return Arrays.stream(receivedClusters.shared())
          .filter(cluster -> cluster == trainedCluster)
          .count();
    }

    double[] shares() {
      return ModelSlots.shares(sampleClusters.copy(), models.size());
    }
  }

  @Override
  public List<PeerLayer<?>> layers(PeerContext context) {
    return new Gossip<>(new Algorithm(this, context), timeout, staleness).singleLayer();
  }

  @Override
  public SortedSet<Ticket.Kind> ticketKinds() {
    return new TreeSet<>(
        List.of(Ticket.Kind.TRAIN, Ticket.Kind.LOSSES, Ticket.Kind.MIX, Ticket.Kind.CALL));
  }

  @Override
  public List<Class<? extends Message>> messages() {
    return List.of(Gossip.NeighbourUpdate.class);
  }

  @Override
  public List<Class<?>> otherRecords() {
    return List.of(
        Centers.class,
        MatchCenters.class,
        MatchCenters.MatchedSlots.class,
        PrivacySettings.GaussianRelease.class,
        PrivacySettings.ReleasedWeights.class);
  }

  @Override
  public Stage lastStage() {
    return finalEpochs > 0 ? Stage.FINAL : Stage.MIXED;
  }

  private record Algorithm(FedSpd method, PeerContext context) implements RoundAlgorithm<Centers> {
    @Override
    public Centers initial() {
      var random = context.streams().stream(FIRST_ASSIGNMENT, context.self().number(), 0);
      int[] assigned =
          IntStream.range(0, context.samples()).map(_ -> random.nextInt(slots())).toArray();
      return Centers.of(initialCenters(), assigned);
    }

    private List<Weights> initialCenters() {
      return switch (method.start()) {
        case APART -> startingModels(0);
        case TOGETHER -> Collections.nCopies(slots(), context.initialWeights().apply(0));
      };
    }

    @Override
    public Class<Centers> stateType() {
      return Centers.class;
    }

    @Override
    public int slots() {
      return method.clusters();
    }

    /** Step 1; the first round trains twice as long (appendix B.1.1). */
    @Override
    public PhaseResult<Centers> work(Centers state, int round, Optional<Result> last) {
      if (last.isEmpty()) {
        double uniform =
            context.streams().stream(CLUSTER_CHOICE, context.self().number(), round).nextDouble();
        int chosen = ModelSlots.draw(state.shares(), uniform);
        Training training = context.training();
        Training longer = round == 1 ? training.withEpochs(2 * training.epochs()) : training;
        return PhaseResult.compute(
            state.withTrainedCluster(chosen),
            longer.round(
                state.models().get(chosen),
                Objective.plain(),
                DataView.own(DataView.Split.TRAIN).select(samplesOf(state, chosen)),
                context.self(),
                round));
      }
      return switch (last.get()) {
        case Result.Trained trained -> trained(state, round, trained.weights());
        case Result.Answered(PrivacySettings.ReleasedWeights releasedWeights) ->
            PhaseResult.done(withRelease(state, releasedWeights.weights()));
        case Result.Answered _, Result.Losses _, Result.Mixed _, Result.Outputs _ ->
            PhaseResult.done(state);
      };
    }

    /**
     * The next change is measured from this center, so the center may hold nothing that was not
     * released: the peer's own part of the average is the released center.
     */
    private Centers withRelease(Centers state, Weights sent) {
      return switch (method.privacy().clipTarget()) {
        case WEIGHTS -> state.withReleased(sent);
        case CHANGE -> state.with(state.trainedCluster(), sent).withReleased(sent);
      };
    }

    private static DataView.Selection samplesOf(Centers state, int cluster) {
      int[] indices =
          IntStream.range(0, state.sampleClusters().size())
              .filter(sample -> state.sampleClusters().get(sample) == cluster)
              .toArray();
      return indices.length == 0
          ? new DataView.Selection.All()
          : new DataView.Selection.Subset(Ints.wrap(indices));
    }

    private PhaseResult<Centers> trained(Centers state, int round, Weights weights) {
      Observation deployed = Observation.Deployed.of(round, Stage.TRAINED, weights);
      Centers next = state.with(state.trainedCluster(), weights);
      PrivacySettings privacySettings = method.privacy();
      if (!privacySettings.isEnabled()) {
        return PhaseResult.done(next, deployed);
      }
      Weights origin =
          switch (privacySettings.clipTarget()) {
            case WEIGHTS -> Weights.wrap(weights.layout(), new float[weights.size()]);
            case CHANGE -> state.models().get(state.trainedCluster());
          };
      double deviation = privacySettings.noiseDeviation(context.samples());
      Ticket release =
          new Ticket.Call(
              new PrivacySettings.GaussianRelease(
                  weights,
                  origin,
                  privacySettings.clip(),
                  deviation,
                  context.streams().seed(),
                  new StreamKey(PRIVACY, context.self().number(), round)));
      return PhaseResult.compute(next, release)
          .withObservations(
              List.of(
                  new Observation.Measured(round, "noiseDeviation", deviation),
                  new Observation.Measured(
                      round, "epsilonOfRound", privacySettings.spentEpsilon(1)),
                  new Observation.Measured(
                      round, "epsilonSoFar", privacySettings.spentEpsilon(round)),
                  deployed));
    }

    /** Step 2: sends only the trained center. */
    @Override
    public ModelUpdate outgoingUpdate(Centers state) {
      Weights center = state.released().orElse(state.models().get(state.trainedCluster()));
      return ModelUpdate.of(new SlotModel(state.trainedCluster(), center, context.samples()));
    }

    /** Step 3, equation 1. */
    @Override
    public PhaseResult<Centers> merge(
        Centers state, int round, RoundUpdates updates, Optional<Result> last) {
      List<SlotModel> models =
          updates.updates().stream().flatMap(each -> each.update().models().stream()).toList();
      if (last.isEmpty()) {
        return method.matching() && slots() > 1 && !models.isEmpty()
            ? PhaseResult.compute(
                state,
                new Ticket.Call(
                    new MatchCenters(
                        state.models(), models.stream().map(SlotModel::weights).toList())))
            : averageNext(state.withReceivedClusters(slotNumbers(models)), models);
      }
      return switch (last.get()) {
        case Result.Answered(MatchCenters.MatchedSlots matchedSlots) ->
            averageNext(state.withReceivedClusters(matchedSlots.slots()), models);
        case Result.Mixed mixed ->
            averageNext(
                state
                    .with(state.currentSlot(), mixed.weights())
                    .withCurrentSlot(state.currentSlot() + 1),
                models);
        case Result.Answered _, Result.Losses _, Result.Trained _, Result.Outputs _ ->
            PhaseResult.done(state);
      };
    }

    private static Ints slotNumbers(List<SlotModel> models) {
      return Ints.wrap(models.stream().mapToInt(SlotModel::slot).toArray());
    }

    /** Averages the next center that changes, from the current slot on. */
    private PhaseResult<Centers> averageNext(Centers state, List<SlotModel> models) {
      for (int slot = state.currentSlot(); slot < slots(); slot++) {
        if (slot != state.trainedCluster() && method.update() == Update.TRAINED) {
          continue;
        }
        int cluster = slot;
        List<Weights> same =
            IntStream.range(0, models.size())
                .filter(item -> state.receivedClusters().get(item) == cluster)
                .mapToObj(item -> models.get(item).weights())
                .toList();
        if (!same.isEmpty()) {
          return PhaseResult.compute(
              state.withCurrentSlot(slot), new Ticket.Mix(clusterMean(state, slot, same)));
        }
      }
      return PhaseResult.done(state);
    }

    /** The mean over all peers that trained the center, which may include this one. */
    private static Mixture clusterMean(Centers state, int slot, List<Weights> others) {
      return slot == state.trainedCluster()
          ? Mixtures.mean(state.models().get(slot), others)
          : Mixture.mean(others);
    }

    /** Step 4, and equation 2 for the model that the peer would deploy now. */
    @Override
    public PhaseResult<Centers> completeRound(Centers state, int round, Optional<Result> last) {
      if (last.isEmpty()) {
        return PhaseResult.compute(
            state, ModelSlots.losses(state.models(), Ticket.Detail.PER_SAMPLE));
      }
      return switch (last.get()) {
        case Result.Losses losses -> {
          Centers next =
              state.sampleClusters().size() == 0
                  ? state
                  : state.withSampleClusters(ModelSlots.lowestLoss(losses.perMixture()));
          yield PhaseResult.compute(next, weightedMixture(next));
        }
        case Result.Mixed mixed -> {
          double[] shares = state.shares();
          yield PhaseResult.done(
                  state,
                  new Observation.Measured(
                      round, Observation.Measured.CLUSTER, ModelSlots.largest(shares)),
                  new Observation.Measured(
                      round, "largestShare", shares[ModelSlots.largest(shares)]),
                  // Section 6.3: a multicast sends one model a round, point to point it takes
                  // one for every neighbour that trained the same cluster.
                  new Observation.Measured(
                      round, "pointToPointModels", state.sameClusterNeighbours()),
                  Observation.Deployed.of(round, Stage.MIXED, mixed.weights()))
              .withObservations(samplesClustered(state, round))
              .withObservations(ModelSlots.modelsHeld(context, round, state.models()));
        }
        case Result.Answered _, Result.Trained _, Result.Outputs _ -> PhaseResult.done(state);
      };
    }

    private List<Observation> samplesClustered(Centers state, int round) {
      return round == context.rounds()
          ? List.of(new Observation.SamplesClustered(round, state.sampleClusters()))
          : List.of();
    }

    private static Ticket weightedMixture(Centers state) {
      double[] shares = state.shares();
      // A peer without samples has no shares either, and takes the first center.
      return new Ticket.Mix(
          shares[ModelSlots.largest(shares)] > 0
              ? ModelSlots.weightedMixture(state.models(), shares)
              : Mixture.of(state.models().getFirst()));
    }

    /** The last step: the weighted sum, trained on all samples. */
    @Override
    public PhaseResult<Centers> finish(Centers state, Optional<Result> last) {
      if (method.finalEpochs() == 0) {
        return PhaseResult.done(state);
      }
      if (last.isEmpty()) {
        return PhaseResult.compute(state, weightedMixture(state));
      }
      return switch (last.get()) {
        case Result.Mixed mixed ->
            PhaseResult.compute(
                state,
                context
                    .training()
                    .withEpochs(method.finalEpochs())
                    .round(mixed.weights(), context.self(), context.rounds() + 1));
        case Result.Trained trained ->
            PhaseResult.done(
                state, Observation.Deployed.of(context.rounds(), Stage.FINAL, trained.weights()));
        case Result.Answered _, Result.Losses _, Result.Outputs _ -> PhaseResult.done(state);
      };
    }
  }
}
