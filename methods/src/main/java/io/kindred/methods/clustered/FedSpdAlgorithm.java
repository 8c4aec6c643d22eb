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
import io.kindred.methods.rounds.ReceivedUpdate;
import io.kindred.methods.rounds.RoundAlgorithm;
import io.kindred.methods.rounds.RoundUpdates;
import io.kindred.methods.rounds.SlotModel;
import java.util.ArrayList;
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

  private boolean released() {
    return method.variant() == FedSpd.Variant.RELEASED;
  }

  private Training training() {
    return released() ? ReleasedCode.training(context.training()) : context.training();
  }

  private List<Weights> initialCenters() {
    if (released()) {
      return startingModels(slots() * (1 + (int) context.self().number()));
    }
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
      Centers next =
          released() && round == 1
              ? state.withAllTrained()
              : state.withTrainedCluster(chooseCluster(state, round));
      return train(next, next.trainedCluster(), round);
    }
    return switch (last.get()) {
      case Result.Trained trained ->
          state.allTrained()
              ? trainedOneOfAll(state, round, trained.weights())
              : trained(state, round, trained.weights());
      case Result.Answered(PrivacySettings.ReleasedWeights releasedWeights) ->
          PhaseResult.done(withRelease(state, releasedWeights.weights()));
      case Result.Answered _, Result.Losses _, Result.Mixed _, Result.Outputs _ ->
          PhaseResult.done(state);
    };
  }

  /**
   * By its share of the samples, or uniformly: the released code divides all peers evenly among the
   * clusters by a central draw.
   */
  private int chooseCluster(Centers state, int round) {
    var random = context.streams().stream(CLUSTER_CHOICE, context.self().number(), round);
    return released()
        ? random.nextInt(slots())
        : ModelSlots.draw(state.shares(), random.nextDouble());
  }

  private PhaseResult<Centers> train(Centers state, int cluster, int round) {
    Training training = training();
    Training longer = round == 1 ? training.withEpochs(2 * training.epochs()) : training;
    return PhaseResult.compute(
        state,
        longer
            .round(
                state.models().get(cluster),
                Objective.plain(),
                DataView.own(DataView.Split.TRAIN).select(samplesOf(state, cluster)),
                context.self(),
                round)
            .ofModel(cluster));
  }

  private PhaseResult<Centers> trainedOneOfAll(Centers state, int round, Weights weights) {
    int next = state.currentSlot() + 1;
    Centers trained = state.with(state.currentSlot(), weights).withCurrentSlot(next);
    return next < slots()
        ? train(trained, next, round)
        : PhaseResult.done(
            trained,
            Observation.Deployed.of(
                round, Stage.TRAINED, trained.models().get(ModelSlots.largest(trained.shares()))));
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

  /** Step 2: sends only what was trained: one center, or all centers in the same update. */
  @Override
  public ModelUpdate outgoingUpdate(Centers state) {
    if (state.allTrained()) {
      return new ModelUpdate(
          IntStream.range(0, slots())
              .mapToObj(slot -> new SlotModel(slot, state.models().get(slot), context.samples()))
              .toList());
    }
    Weights center = state.released().orElse(state.models().get(state.trainedCluster()));
    return ModelUpdate.of(new SlotModel(state.trainedCluster(), center, context.samples()));
  }

  @Override
  public boolean announcesSlots() {
    return method.sendTo() == FedSpd.SendTo.SAME_CLUSTER;
  }

  /** Step 3, equation 1. */
  @Override
  public PhaseResult<Centers> merge(
      Centers state, int round, RoundUpdates updates, Optional<Result> last) {
    List<SlotModel> models =
        updates.updates().stream().flatMap(each -> each.update().models().stream()).toList();
    if (last.isEmpty()) {
      return matches(state) && !models.isEmpty()
          ? PhaseResult.compute(state, matching(state, models))
          : averageNext(state.withReceivedClusters(ownClusters(state, updates)), round, models);
    }
    return switch (last.get()) {
      case Result.Answered(MatchCenters.MatchedSlots matchedSlots) ->
          released()
              ? PhaseResult.done(state.withLabels(labels(state, updates, matchedSlots.slots())))
              : averageNext(state.withReceivedClusters(matchedSlots.slots()), round, models);
      case Result.Mixed mixed ->
          averageNext(
              state
                  .with(state.currentSlot(), mixed.weights())
                  .withCurrentSlot(state.currentSlot() + 1),
              round,
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
    return method.matching() && slots() > 1 && !released() && !state.coincided();
  }

  private static Ticket matching(Centers state, List<SlotModel> received) {
    return new Ticket.Call(
        new MatchCenters(state.models(), received.stream().map(SlotModel::weights).toList()));
  }

  private static Ints ownClusters(Centers state, RoundUpdates updates) {
    return Ints.wrap(
        updates.updates().stream()
            .flatMapToInt(
                update ->
                    update.update().models().stream()
                        .mapToInt(model -> state.ownCluster(update.from(), model.slot())))
            .toArray());
  }

  /**
   * The released code numbers the centers of all peers anew, at one place. Here a peer keeps its
   * numbers and notes which of them the neighbours' numbers mean, until the next matching. A
   * neighbour's cluster that was not received this time keeps its last label.
   */
  private static List<Centers.Label> labels(Centers state, RoundUpdates updates, Ints matched) {
    List<Centers.Label> labels = new ArrayList<>();
    int next = 0;
    for (ReceivedUpdate update : updates.updates()) {
      List<Integer> received = new ArrayList<>();
      for (SlotModel model : update.update().models()) {
        labels.add(new Centers.Label(update.from(), model.slot(), matched.get(next)));
        received.add(model.slot());
        next++;
      }
      state.labels().stream()
          .filter(known -> known.neighbour().equals(update.from()))
          .filter(known -> !received.contains(known.cluster()))
          .forEach(labels::add);
    }
    return List.copyOf(labels);
  }

  /** Averages the next center that changes, from the current slot on. */
  private PhaseResult<Centers> averageNext(Centers state, int round, List<SlotModel> models) {
    for (int slot = state.currentSlot(); slot < slots(); slot++) {
      if (!state.trained(slot) && method.update() == FedSpd.Update.TRAINED) {
        continue;
      }
      int cluster = slot;
      List<Weights> same =
          IntStream.range(0, models.size())
              .filter(item -> state.receivedClusters().get(item) == cluster)
              .mapToObj(item -> models.get(item).weights())
              .toList();
      if (!same.isEmpty()) {
        return PhaseResult.mix(
            state.withCurrentSlot(slot),
            slot,
            Observation.Weighting.EQUAL,
            clusterMean(state, slot, same));
      }
    }
    return released()
            && method.matching()
            && slots() > 1
            && !models.isEmpty()
            && ReleasedCode.matchesAfter(round)
        ? PhaseResult.compute(state, matching(state, models))
        : PhaseResult.done(state);
  }

  /** The mean over all peers that trained the center, which may include this one. */
  private static Mixture clusterMean(Centers state, int slot, List<Weights> others) {
    return state.trained(slot)
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
                : state.withSampleClusters(sampleClusters(losses));
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

  private int[] sampleClusters(Result.Losses losses) {
    int[] lowest = ModelSlots.lowestLoss(losses.perMixture());
    return released() ? ReleasedCode.withLeastSamples(lowest, slots()) : lowest;
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
    FinalPhase settings = method.finalPhase();
    FinalPhase phase =
        released() && settings.learningRate() == 0
            ? ReleasedCode.finalPhase(context.training())
            : settings;
    int done = state.finalEpochs();
    int epochs = method.finalEpochs();
    return PhaseResult.compute(
        state.withFinalEpochs(done + phase.nextEpochs(epochs - done)),
        // The number after those of the centers, so that the final model has its own velocity.
        phase.next(context, training(), from, epochs, done).ofModel(slots()));
  }
}
