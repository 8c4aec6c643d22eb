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
 * share of the samples, trains that center on them, sends it, and averages it with those of the
 * neighbours who trained the same. In the end the sum of the centers, weighted by shares, is
 * trained on all samples of the peer.
 */
@Named(
    value = "fedspd",
    summary = "soft clusters on a graph: one center a round, a personal phase at the end")
public record FedSpd(
    @Setting(doc = "centers, one for each cluster", fallback = "2", min = 1, max = 1000)
        int clusters,
    @Setting(doc = "epochs of the last, personal phase", fallback = "10", min = 0) int finalEpochs,
    @Setting(
            doc = "whether received centers are matched to the own ones by cosine, not by number",
            fallback = "true")
        boolean matching,
    @Setting(
            doc =
                "which centers change in a round: only the one that the peer trained itself, or"
                    + " every one that it received, too",
            fallback = "trained")
        Update update,
    @Setting(
            doc =
                "whether every center starts at a point of its own (apart), or all at the same one"
                    + " (together); both are common to all peers",
            fallback = "apart")
        Start start,
    @Setting(doc = "noise on what is sent", fallback = "{}") PrivacySettings privacy,
    @Setting(doc = "how long a peer waits for its neighbours", fallback = "{}")
        TimeoutPolicy timeout,
    @Setting(
            doc = "rounds that a neighbour's center may lag behind and still be averaged",
            fallback = "0",
            min = 0,
            max = 1000)
        int staleness)
    implements Method {
  private static final Purpose FIRST_ASSIGNMENT = new Purpose("first-assignment");
  private static final Purpose CLUSTER_CHOICE = new Purpose("cluster-choice");
  private static final Purpose PRIVACY = new Purpose("privacy");

  /** Where centers start: the paper does not say. */
  public enum Start {
    APART,
    TOGETHER
  }

  /**
   * Which centers change. Line 24 of algorithm 1 lets a peer change only the one that it trained;
   * the sentence under equation 1 has a center stay as it is only where nobody around trained it.
   */
  public enum Update {
    TRAINED,
    RECEIVED
  }

  /**
   * What a peer remembers.
   *
   * @param sampleClusters the cluster of each of its training samples
   * @param trainedCluster the cluster it trained last
   * @param released that center as it may be sent, where that is something else
   * @param receivedClusters the own cluster of each center that arrived in this round
   * @param currentSlot the center that is being averaged
   */
  @Named("fedspd/centers")
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
      return new Centers(
          ModelSlots.replace(models, slot, center),
          sampleClusters,
          trainedCluster,
          released,
          receivedClusters,
          currentSlot);
    }

    Centers withTrainedCluster(int slot) {
      return new Centers(models, sampleClusters, slot, Optional.empty(), Ints.of(), 0);
    }

    Centers withSampleClusters(int[] clusters) {
      return new Centers(
          models, Ints.wrap(clusters), trainedCluster, released, receivedClusters, currentSlot);
    }

    Centers withReleased(Weights veiled) {
      return new Centers(
          models,
          sampleClusters,
          trainedCluster,
          Optional.of(veiled),
          receivedClusters,
          currentSlot);
    }

    Centers withReceivedClusters(Ints clusters) {
      return new Centers(models, sampleClusters, trainedCluster, released, clusters, 0);
    }

    Centers withCurrentSlot(int slot) {
      return new Centers(models, sampleClusters, trainedCluster, released, receivedClusters, slot);
    }

    /** How many neighbours trained the same in this round. */
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
    public PhaseResult<Centers> work(Centers memory, int round, Optional<Result> last) {
      if (last.isEmpty()) {
        double lot =
            context.streams().stream(CLUSTER_CHOICE, context.self().number(), round).nextDouble();
        int chosen = ModelSlots.draw(memory.shares(), lot);
        Training training = context.training();
        Training longer = round == 1 ? training.withEpochs(2 * training.epochs()) : training;
        return PhaseResult.compute(
            memory.withTrainedCluster(chosen),
            longer.round(
                memory.models().get(chosen),
                Objective.plain(),
                DataView.own(DataView.Split.TRAIN).select(samplesOf(memory, chosen)),
                context.self(),
                round));
      }
      return switch (last.get()) {
        case Result.Trained trained -> trained(memory, round, trained.weights());
        case Result.Answered(PrivacySettings.ReleasedWeights releasedWeights) ->
            PhaseResult.done(withRelease(memory, releasedWeights.weights()));
        case Result.Answered _, Result.Losses _, Result.Mixed _, Result.Outputs _ ->
            PhaseResult.done(memory);
      };
    }

    /**
     * The next change is told from what this one leaves, so nothing may be left in there that
     * nobody was told: the own part of the average is what was sent.
     */
    private Centers withRelease(Centers memory, Weights sent) {
      return switch (method.privacy().clipTarget()) {
        case WEIGHTS -> memory.withReleased(sent);
        case CHANGE -> memory.with(memory.trainedCluster(), sent).withReleased(sent);
      };
    }

    private static DataView.Selection samplesOf(Centers memory, int cluster) {
      int[] indices =
          IntStream.range(0, memory.sampleClusters().size())
              .filter(sample -> memory.sampleClusters().get(sample) == cluster)
              .toArray();
      return indices.length == 0
          ? new DataView.Selection.All()
          : new DataView.Selection.Subset(Ints.wrap(indices));
    }

    private PhaseResult<Centers> trained(Centers memory, int round, Weights weights) {
      Observation deployed = Observation.Deployed.of(round, Stage.TRAINED, weights);
      Centers next = memory.with(memory.trainedCluster(), weights);
      PrivacySettings privacySettings = method.privacy();
      if (!privacySettings.isEnabled()) {
        return PhaseResult.done(next, deployed);
      }
      Weights origin =
          switch (privacySettings.clipTarget()) {
            case WEIGHTS -> Weights.wrap(weights.layout(), new float[weights.size()]);
            case CHANGE -> memory.models().get(memory.trainedCluster());
          };
      double deviation = privacySettings.noiseDeviation(context.samples());
      Ticket veil =
          new Ticket.Call(
              new PrivacySettings.GaussianRelease(
                  weights,
                  origin,
                  privacySettings.clip(),
                  deviation,
                  context.streams().seed(),
                  new StreamKey(PRIVACY, context.self().number(), round)));
      return PhaseResult.compute(next, veil)
          .withObservations(
              List.of(
                  new Observation.Measured(round, "noiseDeviation", deviation),
                  new Observation.Measured(
                      round, "epsilonOfRound", privacySettings.spentEpsilon(1)),
                  new Observation.Measured(
                      round, "epsilonSoFar", privacySettings.spentEpsilon(round)),
                  deployed));
    }

    /** Step 2: only the center that was trained. */
    @Override
    public ModelUpdate outgoingUpdate(Centers memory) {
      Weights center = memory.released().orElse(memory.models().get(memory.trainedCluster()));
      return ModelUpdate.of(new SlotModel(memory.trainedCluster(), center, context.samples()));
    }

    /** Step 3, equation 1. */
    @Override
    public PhaseResult<Centers> merge(
        Centers memory, int round, RoundUpdates updates, Optional<Result> last) {
      List<SlotModel> models =
          updates.updates().stream().flatMap(each -> each.update().models().stream()).toList();
      if (last.isEmpty()) {
        return method.matching() && slots() > 1 && !models.isEmpty()
            ? PhaseResult.compute(
                memory,
                new Ticket.Call(
                    new MatchCenters(
                        memory.models(), models.stream().map(SlotModel::weights).toList())))
            : averageNext(memory.withReceivedClusters(slotNumbers(models)), models);
      }
      return switch (last.get()) {
        case Result.Answered(MatchCenters.MatchedSlots matchedSlots) ->
            averageNext(memory.withReceivedClusters(matchedSlots.slots()), models);
        case Result.Mixed mixed ->
            averageNext(
                memory
                    .with(memory.currentSlot(), mixed.weights())
                    .withCurrentSlot(memory.currentSlot() + 1),
                models);
        case Result.Answered _, Result.Losses _, Result.Trained _, Result.Outputs _ ->
            PhaseResult.done(memory);
      };
    }

    private static Ints slotNumbers(List<SlotModel> models) {
      return Ints.wrap(models.stream().mapToInt(SlotModel::slot).toArray());
    }

    /** Goes through the centers that change, from where it is. */
    private PhaseResult<Centers> averageNext(Centers memory, List<SlotModel> models) {
      for (int slot = memory.currentSlot(); slot < slots(); slot++) {
        if (slot != memory.trainedCluster() && method.update() == Update.TRAINED) {
          continue;
        }
        int cluster = slot;
        List<Weights> same =
            IntStream.range(0, models.size())
                .filter(item -> memory.receivedClusters().get(item) == cluster)
                .mapToObj(item -> models.get(item).weights())
                .toList();
        if (!same.isEmpty()) {
          return PhaseResult.compute(
              memory.withCurrentSlot(slot), new Ticket.Mix(clusterMean(memory, slot, same)));
        }
      }
      return PhaseResult.done(memory);
    }

    /** The mean over those who trained the center; the peer is one of them or is not. */
    private static Mixture clusterMean(Centers memory, int slot, List<Weights> others) {
      return slot == memory.trainedCluster()
          ? Mixtures.mean(memory.models().get(slot), others)
          : Mixture.mean(others);
    }

    /** Step 4, and equation 2 for what the peer would deploy now. */
    @Override
    public PhaseResult<Centers> completeRound(Centers memory, int round, Optional<Result> last) {
      if (last.isEmpty()) {
        return PhaseResult.compute(
            memory, ModelSlots.losses(memory.models(), Ticket.Detail.PER_SAMPLE));
      }
      return switch (last.get()) {
        case Result.Losses losses -> {
          Centers next =
              memory.sampleClusters().size() == 0
                  ? memory
                  : memory.withSampleClusters(ModelSlots.lowestLoss(losses.perMixture()));
          yield PhaseResult.compute(next, weightedMixture(next));
        }
        case Result.Mixed mixed -> {
          double[] shares = memory.shares();
          yield PhaseResult.done(
                  memory,
                  new Observation.Measured(
                      round, Observation.Measured.CLUSTER, ModelSlots.largest(shares)),
                  new Observation.Measured(
                      round, "largestShare", shares[ModelSlots.largest(shares)]),
                  // Section 6.3: a multicast sends one model a round, point to point it takes
                  // one for every neighbour that trained the same cluster.
                  new Observation.Measured(
                      round, "pointToPointModels", memory.sameClusterNeighbours()),
                  Observation.Deployed.of(round, Stage.MIXED, mixed.weights()))
              .withObservations(samplesClustered(memory, round))
              .withObservations(ModelSlots.modelsHeld(context, round, memory.models()));
        }
        case Result.Answered _, Result.Trained _, Result.Outputs _ -> PhaseResult.done(memory);
      };
    }

    private List<Observation> samplesClustered(Centers memory, int round) {
      return round == context.rounds()
          ? List.of(new Observation.SamplesClustered(round, memory.sampleClusters()))
          : List.of();
    }

    private static Ticket weightedMixture(Centers memory) {
      double[] shares = memory.shares();
      // Who has no samples has no shares either, and takes the first center.
      return new Ticket.Mix(
          shares[ModelSlots.largest(shares)] > 0
              ? ModelSlots.weightedMixture(memory.models(), shares)
              : Mixture.of(memory.models().getFirst()));
    }

    /** The last step: the weighted sum, trained on all samples. */
    @Override
    public PhaseResult<Centers> finish(Centers memory, Optional<Result> last) {
      if (method.finalEpochs() == 0) {
        return PhaseResult.done(memory);
      }
      if (last.isEmpty()) {
        return PhaseResult.compute(memory, weightedMixture(memory));
      }
      return switch (last.get()) {
        case Result.Mixed mixed ->
            PhaseResult.compute(
                memory,
                context
                    .training()
                    .withEpochs(method.finalEpochs())
                    .round(mixed.weights(), context.self(), context.rounds() + 1));
        case Result.Trained trained ->
            PhaseResult.done(
                memory, Observation.Deployed.of(context.rounds(), Stage.FINAL, trained.weights()));
        case Result.Answered _, Result.Losses _, Result.Outputs _ -> PhaseResult.done(memory);
      };
    }
  }
}
