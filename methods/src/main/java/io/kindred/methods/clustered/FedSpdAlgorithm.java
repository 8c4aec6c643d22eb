package io.kindred.methods.clustered;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.StreamKey;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.Training;
import io.kindred.methods.rounds.Mixtures;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.PhaseResult;
import io.kindred.methods.rounds.RoundAlgorithm;
import io.kindred.methods.rounds.RoundUpdates;
import io.kindred.methods.rounds.SlotModel;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The rounds of {@link FedSpd}, by the steps of algorithm 1. */
record FedSpdAlgorithm(FedSpd method, PeerContext context) implements RoundAlgorithm<Centers> {
  private static final Purpose FIRST_ASSIGNMENT = new Purpose("first-assignment");
  private static final Purpose CLUSTER_CHOICE = new Purpose("cluster-choice");
  private static final Purpose PRIVACY = new Purpose("privacy");

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
                new Observation.Measured(round, "epsilonOfRound", privacySettings.spentEpsilon(1)),
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
      return matches(state) && !models.isEmpty()
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

  /**
   * Not in a round that begins with equal centers: then the only center that differs is the one
   * that the peer has just trained, so cosines would assign by the direction of local training. As
   * all peers start from the same centers, the numbers are right.
   */
  private boolean matches(Centers state) {
    return method.matching() && slots() > 1 && !state.coincided();
  }

  private static Ints slotNumbers(List<SlotModel> models) {
    return Ints.wrap(models.stream().mapToInt(SlotModel::slot).toArray());
  }

  /** Averages the next center that changes, from the current slot on. */
  private PhaseResult<Centers> averageNext(Centers state, List<SlotModel> models) {
    for (int slot = state.currentSlot(); slot < slots(); slot++) {
      if (slot != state.trainedCluster() && method.update() == FedSpd.Update.TRAINED) {
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
                new Observation.Measured(round, "largestShare", shares[ModelSlots.largest(shares)]),
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
      case Result.Mixed mixed -> personalize(state, mixed.weights());
      case Result.Trained trained ->
          state.finalEpochs() < method.finalEpochs()
              ? personalize(state, trained.weights())
              : PhaseResult.done(
                  state, Observation.Deployed.of(context.rounds(), Stage.FINAL, trained.weights()));
      case Result.Answered _, Result.Losses _, Result.Outputs _ -> PhaseResult.done(state);
    };
  }

  private PhaseResult<Centers> personalize(Centers state, Weights from) {
    int done = state.finalEpochs();
    int epochs = method.finalEpochs();
    return PhaseResult.compute(
        state.withFinalEpochs(done + method.finalPhase().nextEpochs(epochs - done)),
        method.finalPhase().next(context, context.training(), from, epochs, done));
  }
}
