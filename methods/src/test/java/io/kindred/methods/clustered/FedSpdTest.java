package io.kindred.methods.clustered;

import static io.kindred.methods.contract.Driver.model;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Audience;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.Observation.Weighting;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.StreamKey;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.contract.ExpectedMixture;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.contract.Training;
import io.kindred.methods.rounds.GossipState;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.methods.rounds.SlotModel;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FedSpdTest {
  private static final PrivacySettings OPEN =
      new PrivacySettings(0, 0.01, 1, 1, PrivacySettings.ClipTarget.WEIGHTS);

  private static final Training DECAYING =
      new Training(
          2,
          8,
          Training.Rule.SGD,
          0.1,
          0.25,
          false,
          0.01,
          0.9,
          1,
          0,
          false,
          Training.Velocity.RESET);

  private static FedSpd method(boolean matching) {
    return method(matching, FedSpd.Update.TRAINED);
  }

  private static FedSpd method(boolean matching, FedSpd.Update update) {
    return new FedSpd(
        2,
        FedSpd.Variant.PAPER,
        4,
        FinalPhase.asInRounds(),
        matching,
        update,
        FedSpd.Start.APART,
        FedSpd.SendTo.ALL,
        OPEN,
        TimeoutPolicy.of(60),
        0);
  }

  private static FedSpd together(int clusters) {
    return new FedSpd(
        clusters,
        FedSpd.Variant.PAPER,
        4,
        FinalPhase.asInRounds(),
        true,
        FedSpd.Update.TRAINED,
        FedSpd.Start.TOGETHER,
        FedSpd.SendTo.ALL,
        OPEN,
        TimeoutPolicy.of(60),
        0);
  }

  private static Centers memory(Driver peer) {
    return (Centers) ((GossipState) peer.state()).localState();
  }

  private static Centers draft(Driver peer) {
    return (Centers) ((GossipState) peer.state()).draftState();
  }

  private static NeighbourUpdate offer(int slot, Weights weights) {
    return new NeighbourUpdate(1, 2, ModelUpdate.of(new SlotModel(slot, weights, 10)), false, 0);
  }

  private static List<Effect> computed(Driver peer, Result result) {
    return peer.feed(new Event.Computed(9, 1, result));
  }

  /** Per-sample losses under which the first so many samples belong to the first center. */
  private static Result.Losses firstTakes(int count) {
    float[] first = new float[Driver.SAMPLES];
    float[] second = new float[Driver.SAMPLES];
    Arrays.fill(first, 0.1f);
    Arrays.fill(second, 0.5f);
    Arrays.fill(first, count, Driver.SAMPLES, 0.9f);
    return new Result.Losses(List.of(Floats.wrap(first), Floats.wrap(second)));
  }

  @Test
  void theFirstRoundTrainsTheChosenCenterOnItsSamplesTwiceAsLong() {
    Driver peer = Driver.peer(method(false), 1);
    List<Effect> effects = peer.started(0);
    Centers draft = draft(peer);
    Ticket.Train train = (Ticket.Train) ((Effect.Compute) effects.getFirst()).work();
    assertThat(train.from()).isEqualTo(draft.models().get(draft.trainedCluster()));
    assertThat(train.duration())
        .isEqualTo(new Ticket.Duration.Epochs(2 * Driver.TRAINING.epochs()));
    int[] chosen = ((DataView.Selection.Subset) train.view().selection()).indices().copy();
    assertThat(Arrays.stream(chosen).map(sample -> draft.sampleClusters().get(sample)))
        .isNotEmpty()
        .containsOnly(draft.trainedCluster());
    assertThat(chosen)
        .hasSize((int) Math.round(Driver.SAMPLES * draft.shares()[draft.trainedCluster()]));
  }

  @Test
  void onlyTheCenterThatWasTrainedChangesAndOnlyByThoseWhoTrainedTheSame() {
    Driver peer = Driver.peer(method(false), 1);
    peer.started(0, 2);
    int own = draft(peer).trainedCluster();
    Weights other = draft(peer).models().get(1 - own);
    peer.trained(1, model(1));
    peer.received(0, offer(own, model(3)));
    assertThat(peer.received(2, offer(1 - own, model(9))))
        .containsExactly(
            ExpectedMixture.of(1, own, Weighting.EQUAL)
                .own(model(1), 0.5)
                .from(0, model(3), 0.5, 10)
                .effects());
    peer.mixed(1, model(2));
    assertThat(memory(peer).models().get(own)).isEqualTo(model(2));
    assertThat(memory(peer).models().get(1 - own)).isEqualTo(other);
  }

  @Test
  void aCenterThatOthersTrainedIsTheirMeanWhereReceivedOnesCount() {
    Driver peer = Driver.peer(method(false, FedSpd.Update.RECEIVED), 1);
    peer.started(0, 2, 3);
    int own = draft(peer).trainedCluster();
    peer.trained(1, model(1));
    peer.received(0, offer(own, model(3)));
    peer.received(2, offer(1 - own, model(9)));
    ExpectedMixture mine =
        ExpectedMixture.of(1, own, Weighting.EQUAL).own(model(1), 0.5).from(0, model(3), 0.5, 10);
    ExpectedMixture theirs =
        ExpectedMixture.of(1, 1 - own, Weighting.EQUAL)
            .from(2, model(9), 0.5, 10)
            .from(3, model(7), 0.5, 10);
    List<ExpectedMixture> inOrder = own == 0 ? List.of(mine, theirs) : List.of(theirs, mine);
    assertThat(peer.received(3, offer(1 - own, model(7))))
        .containsExactly(inOrder.get(0).effects());
    assertThat(peer.mixed(1, model(20))).containsExactly(inOrder.get(1).effects());
    peer.mixed(1, model(21));
    assertThat(memory(peer).models()).containsExactly(model(20), model(21));
  }

  @Test
  void centersStartApartOrTogether() {
    assertThat(memory(Driver.peer(method(false), 1)).models()).doesNotHaveDuplicates();
    List<Weights> models = memory(Driver.peer(together(3), 1)).models();
    assertThat(models).hasSize(3).containsOnly(models.getFirst());
  }

  @Test
  void samplesGoToTheCenterWithTheLowestLossAndTheSumOfCentersIsDeployed() {
    Driver peer = Driver.peer(method(false), 1);
    peer.started();
    int own = draft(peer).trainedCluster();
    peer.trained(1, model(1));
    List<Weights> models = memory(peer).models();
    assertThat(computed(peer, firstTakes(12)))
        .containsExactly(
            new Effect.Compute(
                1,
                new Ticket.Mix(
                    new Mixture(
                        List.of(
                            new MixturePart(models.get(0), draft(peer).shares()[0]),
                            new MixturePart(models.get(1), draft(peer).shares()[1]))))));
    assertThat(draft(peer).shares()[0]).isCloseTo(0.4, within(1e-12));
    assertThat(peer.mixed(1, model(8)))
        .contains(
            new Effect.Observe(new Observation.Measured(1, "cluster", 1)),
            new Effect.Observe(new Observation.Measured(1, "pointToPointModels", 0)),
            Driver.deployed(1, Stage.MIXED, model(8), Audience.SELF));
    assertThat(own).isBetween(0, 1);
  }

  @Test
  void receivedCentersAreMatchedByCosineNotByNumber() {
    Weights left = Driver.weights(1, 0);
    Weights right = Driver.weights(0, 1);
    MatchCenters matchCenters =
        new MatchCenters(
            List.of(left, right),
            List.of(Driver.weights(0.1f, 3), Driver.weights(5, 1), Driver.weights(2, 2)));
    assertThat(matchCenters.apply().slots()).as("ties go to the first").isEqualTo(Ints.of(1, 0, 0));
    Driver peer = Driver.peer(method(true), 1);
    peer.started(0);
    peer.trained(1, model(1));
    assertThat(peer.received(0, offer(0, model(3))))
        .containsExactly(
            new Effect.Compute(
                1, new Ticket.Call(new MatchCenters(memory(peer).models(), List.of(model(3))))));
  }

  @Test
  void centersThatBeganTheRoundEqualAreMatchedByNumber() {
    Driver peer = Driver.peer(together(2), 1);
    peer.started(0, 2);
    int own = draft(peer).trainedCluster();
    peer.trained(1, Driver.weights(3, 4));
    // By cosine the first center would go to the cluster that peer 1 trained, the second to the
    // other one.
    peer.received(0, offer(1 - own, Driver.weights(3, 4)));
    assertThat(peer.received(2, offer(own, Driver.weights(-3, -4))))
        .containsExactly(
            ExpectedMixture.of(1, own, Weighting.EQUAL)
                .own(Driver.weights(3, 4), 0.5)
                .from(2, Driver.weights(-3, -4), 0.5, 10)
                .effects());
    peer.mixed(1, model(7));
    computed(peer, firstTakes(15));
    peer.mixed(1, model(8));
    peer.trained(2, model(9));
    NeighbourUpdate next =
        new NeighbourUpdate(2, 2, ModelUpdate.of(new SlotModel(0, model(3), 10)), false, 0);
    peer.received(0, next);
    assertThat(peer.received(2, next))
        .as("once the centers differ, cosines decide")
        .containsExactly(
            new Effect.Compute(
                2,
                new Ticket.Call(
                    new MatchCenters(memory(peer).models(), List.of(model(3), model(3))))));
  }

  @Test
  void theLastPhaseTrainsTheWeightedSumOnAllSamples() {
    Driver peer = Driver.peer(method(false), 1);
    peer.started();
    for (int round = 1; round <= Driver.ROUNDS; round++) {
      peer.trained(round, model(round));
      peer.feed(new Event.Computed(9, round, firstTakes(15)));
      peer.mixed(round, model(10 + round));
    }
    assertThat(peer.mixed(Driver.ROUNDS, model(20)))
        .containsExactly(
            new Effect.Compute(
                Driver.ROUNDS,
                Driver.TRAINING
                    .withEpochs(4)
                    .round(model(20), new PeerId(1), Driver.ROUNDS + 1)
                    .ofModel(2)));
    assertThat(peer.trained(Driver.ROUNDS, model(21)))
        .containsExactly(Driver.deployed(Driver.ROUNDS, Stage.FINAL, model(21), Audience.SELF));
    assertThat(((GossipState) peer.state()).phase()).isEqualTo(GossipState.Phase.DONE);
  }

  /** A peer whose training decays, just before the final phase of four epochs. */
  private static Driver beforeFinalPhase(FinalPhase finalPhase) {
    FedSpd method =
        new FedSpd(
            2,
            FedSpd.Variant.PAPER,
            4,
            finalPhase,
            false,
            FedSpd.Update.TRAINED,
            FedSpd.Start.APART,
            FedSpd.SendTo.ALL,
            OPEN,
            TimeoutPolicy.of(60),
            0);
    Driver peer = new Driver(method, Driver.peerContext(1, DECAYING));
    peer.started();
    for (int round = 1; round <= Driver.ROUNDS; round++) {
      peer.trained(round, model(round));
      peer.feed(new Event.Computed(9, round, firstTakes(15)));
      peer.mixed(round, model(10 + round));
    }
    return peer;
  }

  private static Ticket.Train finalTicket(List<Effect> effects) {
    return (Ticket.Train) ((Effect.Compute) effects.getFirst()).work();
  }

  @Test
  void theFinalPhaseContinuesWithTheDecayedStepSizeUnlessToldOtherwise() {
    Driver peer = beforeFinalPhase(FinalPhase.asInRounds());
    assertThat(finalTicket(peer.mixed(Driver.ROUNDS, model(20))))
        .isEqualTo(
            DECAYING.withEpochs(4).round(model(20), new PeerId(1), Driver.ROUNDS + 1).ofModel(2));
    assertThat(peer.trained(Driver.ROUNDS, model(21)))
        .containsExactly(Driver.deployed(Driver.ROUNDS, Stage.FINAL, model(21), Audience.SELF));
  }

  @Test
  void theFinalPhaseTakesItsOwnStepSize() {
    Driver peer = beforeFinalPhase(new FinalPhase(0.025, 1, 1));
    Ticket.Train train = finalTicket(peer.mixed(Driver.ROUNDS, model(20)));
    assertThat(train.optimizer().learningRate()).isEqualTo(0.025);
    assertThat(train.duration()).isEqualTo(new Ticket.Duration.Epochs(4));
  }

  @Test
  void theStepSizeOfTheFinalPhaseDecaysByEpochs() {
    Driver peer = beforeFinalPhase(new FinalPhase(0.025, 0.8, 3));
    Ticket.Train first = finalTicket(peer.mixed(Driver.ROUNDS, model(20)));
    assertThat(first.optimizer().learningRate()).isEqualTo(0.025);
    assertThat(first.duration()).isEqualTo(new Ticket.Duration.Epochs(3));
    Ticket.Train second = finalTicket(peer.trained(Driver.ROUNDS, model(21)));
    assertThat(second.from()).isEqualTo(model(21));
    assertThat(second.optimizer().learningRate()).isCloseTo(0.02, within(1e-16));
    assertThat(second.duration())
        .as("the last of four epochs")
        .isEqualTo(new Ticket.Duration.Epochs(1));
    assertThat(second.shuffle()).as("another order of the samples").isNotEqualTo(first.shuffle());
    assertThat(peer.trained(Driver.ROUNDS, model(22)))
        .containsExactly(Driver.deployed(Driver.ROUNDS, Stage.FINAL, model(22), Audience.SELF));
    assertThat(((GossipState) peer.state()).phase()).isEqualTo(GossipState.Phase.DONE);
  }

  /** Otherwise the next change would be measured from a center that holds unreleased data. */
  @Test
  void ofAVeiledChangeOnlyWhatWasSentIsKept() {
    PrivacySettings change =
        new PrivacySettings(10, 0.01, 0.5, 1, PrivacySettings.ClipTarget.CHANGE);
    FedSpd method =
        new FedSpd(
            2,
            FedSpd.Variant.PAPER,
            4,
            FinalPhase.asInRounds(),
            false,
            FedSpd.Update.TRAINED,
            FedSpd.Start.APART,
            FedSpd.SendTo.ALL,
            change,
            TimeoutPolicy.of(60),
            0);
    Driver peer = Driver.peer(method, 1);
    peer.started(0);
    peer.trained(1, model(5));
    computed(peer, new Result.Answered(new PrivacySettings.ReleasedWeights(model(3))));
    assertThat(memory(peer).models().get(memory(peer).trainedCluster())).isEqualTo(model(3));
  }

  private static FedSpd withPrivacy(PrivacySettings.ClipTarget target) {
    return new FedSpd(
        2,
        FedSpd.Variant.PAPER,
        4,
        FinalPhase.asInRounds(),
        false,
        FedSpd.Update.TRAINED,
        FedSpd.Start.APART,
        FedSpd.SendTo.ALL,
        new PrivacySettings(10, 0.01, 0.5, 1, target),
        TimeoutPolicy.of(60),
        0);
  }

  private static List<ModelUpdate> sentUpdates(List<Effect> effects) {
    return effects.stream()
        .filter(Effect.Send.class::isInstance)
        .map(effect -> ((NeighbourUpdate) ((Effect.Send) effect).message()).update())
        .toList();
  }

  /** Each further noise on the same center would tell more of it than the budget covers. */
  @ParameterizedTest
  @EnumSource(PrivacySettings.ClipTarget.class)
  void everyCopyOfAnUpdateIsTheOneReleasedCenter(PrivacySettings.ClipTarget target) {
    Driver peer = Driver.peer(withPrivacy(target), 1);
    peer.started(0, 2);
    int own = draft(peer).trainedCluster();
    List<Effect> noise = peer.trained(1, model(5));
    assertThat(peer.restored(0, 2)).as("the round starts again").hasSize(1);
    assertThat(peer.trained(1, model(5))).as("with the same noise").isEqualTo(noise);
    ModelUpdate released = ModelUpdate.of(new SlotModel(own, model(3), Driver.SAMPLES));
    List<Effect> first =
        computed(peer, new Result.Answered(new PrivacySettings.ReleasedWeights(model(3))));
    assertThat(sentUpdates(first)).containsExactly(released, released);
    NeighbourUpdate asking =
        new NeighbourUpdate(1, 2, ModelUpdate.of(new SlotModel(own, model(9), 10)), true, 0);
    List<List<Effect>> later =
        List.of(
            peer.neighboursChanged(0, 2, 3),
            peer.received(0, asking),
            peer.restored(0, 2, 3),
            mixing(peer),
            peer.received(0, asking));
    for (List<Effect> effects : later) {
      assertThat(sentUpdates(effects)).isNotEmpty().containsOnly(released);
      assertThat(effects)
          .noneMatch(
              effect ->
                  effect instanceof Effect.Compute compute
                      && compute.work() instanceof Ticket.Call);
    }
  }

  /** Lets the peer average, and returns what it sends to a neighbour that appears afterwards. */
  private static List<Effect> mixing(Driver peer) {
    peer.timerFired("round-timeout", 1);
    peer.mixed(1, model(6));
    return peer.neighboursChanged(0, 2, 3, 4);
  }

  @Test
  void theNoiseFollowsTheFormula() {
    // By hand: sqrt(2 ln 125) = 3.1075, times 3 exposures, times 2 * 0.5 / 200, over 10.
    PrivacySettings privacySettings =
        new PrivacySettings(10, 0.01, 0.5, 3, PrivacySettings.ClipTarget.WEIGHTS);
    assertThat(privacySettings.noiseDeviation(200))
        .isCloseTo(3.10751146 * 3 * 0.005 / 10, within(1e-9));
    assertThat(privacySettings.spentEpsilon(1)).isCloseTo(10.0 / 3, within(1e-12));
    assertThat(privacySettings.spentEpsilon(6)).isCloseTo(20, within(1e-12));
    assertThat(OPEN.isEnabled()).isFalse();
  }

  @Test
  void whatIsSentIsClippedAndNoisy() {
    StreamKey key = new StreamKey(new Purpose("privacy"), 3, 1);
    Weights long5 = Driver.weights(3, 4);
    Weights origin = Driver.weights(0, 0);
    Weights clipped =
        new PrivacySettings.GaussianRelease(long5, origin, 1, 0, 7, key).apply().weights();
    assertThat(clipped.copy()).containsExactly(new float[] {0.6f, 0.8f}, within(1e-6f));
    Weights near =
        new PrivacySettings.GaussianRelease(long5, Driver.weights(3, 3.5f), 1, 0, 7, key)
            .apply()
            .weights();
    assertThat(near).as("a change within the norm is left").isEqualTo(long5);
    float[] many = new float[20_000];
    Weights zeros = Driver.weights(many);
    float[] noise =
        new PrivacySettings.GaussianRelease(zeros, zeros, 1, 0.25, 7, key).apply().weights().copy();
    double squares = 0;
    for (float value : noise) {
      squares += (double) value * value;
    }
    // The deviation of a sample deviation is 0.25 / sqrt(2 n), here 0.00125; five of them.
    assertThat(Math.sqrt(squares / noise.length)).isCloseTo(0.25, within(0.00625));
  }
}
