package io.kindred.methods.kin;

import static io.kindred.methods.contract.Driver.weights;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Deployed;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.VectorKernels;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.kin.KinMessage.ModelReply;
import io.kindred.methods.kin.KinMessage.ModelRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * One peer, one event at a time, in a run of three rounds: the personal model and the scores begin
 * in round 1, scores are combined in round 2, and round 3 chooses.
 */
class KinMachineTest {
  private static final ModelReply NOTHING_YET =
      new ModelReply(
          0, 0, Optional.empty(), 30, Optional.empty(), Optional.empty(), Optional.empty(), 0);

  private Driver peer;
  private List<Ticket> computed;
  private long lastComputedRound;

  @BeforeEach
  void aPeerWithTwoNeighbours() {
    restartWith(KinFixture.settings());
  }

  private void restartWith(KinSettings settings) {
    peer = Driver.peer(new Kin(settings), 1);
    computed = new ArrayList<>();
    lastComputedRound = Long.MAX_VALUE;
  }

  private static ModelReply reply(int round, float... values) {
    return new ModelReply(
        round,
        round,
        Optional.of(weights(values)),
        30,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0);
  }

  /**
   * Computes every ticket up to the last computed round, and the tickets that follow from the
   * results; returns all effects.
   */
  private List<Effect> compute(List<Effect> effects) {
    List<Effect> all = new ArrayList<>(effects);
    for (Effect effect : effects) {
      if (effect instanceof Effect.Compute(long ticket, Ticket work)
          && ticket <= lastComputedRound) {
        computed.add(work);
        all.addAll(compute(peer.feed(new Event.Computed(0, ticket, resultOf(work)))));
      }
    }
    return all;
  }

  /** Training adds one to the first weight; the loss of a model is its second weight. */
  private static Result resultOf(Ticket work) {
    return switch (work) {
      case Ticket.Train train ->
          new Result.Trained(
              weights(train.from().get(0) + 1, train.from().get(1)),
              0.5,
              30,
              train.returnsVelocity() ? Optional.of(weights(7, 7)) : Optional.empty());
      case Ticket.Mix mix -> new Result.Mixed(VectorKernels.mix(mix.mixture()));
      case Ticket.Call call -> new Result.Answered(call.function().apply());
      case Ticket.Losses losses ->
          new Result.Losses(
              losses.mixtures().stream()
                  .map(each -> Floats.of(each.parts().getFirst().weights().get(1)))
                  .toList());
      case Ticket.Outputs _ -> throw new AssertionError("kin asks for no outputs");
    };
  }

  private List<Effect> begun() {
    peer.started(2, 3);
    peer.received(2, NOTHING_YET);
    return compute(peer.received(3, NOTHING_YET));
  }

  private List<Effect> answeredBy(ModelReply first, ModelReply second) {
    peer.received(2, first);
    return compute(peer.received(3, second));
  }

  private static Stream<Message> sent(List<Effect> effects) {
    return effects.stream()
        .filter(Effect.Send.class::isInstance)
        .map(effect -> ((Effect.Send) effect).message());
  }

  private static Predictor deployed(List<Effect> effects) {
    return effects.stream()
        .filter(
            effect ->
                effect instanceof Effect.Observe(Deployed each) && each.stage() == Stage.MIXED)
        .map(effect -> ((Deployed) ((Effect.Observe) effect).observation()).predictor())
        .reduce((_, last) -> last)
        .orElseThrow();
  }

  private KinState state() {
    return peer.state(KinState.class);
  }

  @Test
  void beforeItsFirstRoundAPeerAsksWhetherTheNetworkHasBegun() {
    assertThat(sent(peer.started(2, 3)))
        .containsExactly(new ModelRequest(0, 0), new ModelRequest(0, 0));
    assertThat(peer.received(2, NOTHING_YET)).isEmpty();
    assertThat(peer.received(3, NOTHING_YET).getFirst()).isInstanceOf(Effect.Compute.class);
    assertThat(state().round()).isEqualTo(1);
  }

  @Test
  void aPeerReportsWhichModelsItMixed() {
    begun();
    List<Effect> effects = answeredBy(reply(1, 1, 0), reply(1, -1, 0));
    Observation.ModelsMixed mixed =
        effects.stream()
            .filter(Effect.Observe.class::isInstance)
            .map(effect -> ((Effect.Observe) effect).observation())
            .filter(Observation.ModelsMixed.class::isInstance)
            .map(Observation.ModelsMixed.class::cast)
            .findFirst()
            .orElseThrow();
    assertThat(mixed.round()).isEqualTo(1);
    assertThat(mixed.models())
        .extracting(each -> each.peer().number() + " " + each.round() + " " + each.samples())
        .containsExactly("2 1 30", "3 1 30");
    assertThat(mixed.models().get(1).weight()).isZero();
    assertThat(mixed.models().get(1).treatment())
        .isEqualTo(Observation.MixedModel.Treatment.DROPPED);
    assertThat(mixed.models().getFirst().weight()).isPositive();
  }

  @Test
  void aPeerWithoutNeighboursBeginsAtOnce() {
    assertThat(peer.started().getFirst()).isInstanceOf(Effect.Compute.class);
  }

  @Test
  void aNetworkThatDoesNotAnswerIsNotWaitedForLongerThanTheShortestTimeout() {
    peer.started(2, 3);
    assertThat(peer.timerFired(KinPull.PULL, 0))
        .anyMatch(Effect.Compute.class::isInstance)
        .contains(Driver.counted("patience-ended"));
  }

  /** Shared, personal and lone model train in this order, and the pull begins before the second. */
  @Test
  void aRoundTrainsThreeModelsWhileModelsArePulled() {
    List<Effect> effects = begun();
    assertThat(computed).extracting(each -> ((Ticket.Train) each).model()).containsExactly(0, 1, 2);
    assertThat(sent(effects)).containsExactly(new ModelRequest(1, 0), new ModelRequest(1, 0));
    computed.clear();
    answeredBy(reply(1, 1, 1), reply(1, 1, 3));
    assertThat(computed.get(0)).isInstanceOf(Ticket.Call.class);
    List<MixturePart> parts = ((Ticket.Mix) computed.get(1)).mixture().parts();
    assertThat(parts).extracting(MixturePart::weights).contains(weights(1, 0), weights(1, 1));
    assertThat(parts.stream().mapToDouble(MixturePart::coefficient).sum())
        .isEqualTo(1, within(1e-9));
    assertThat(computed.get(2)).isInstanceOf(Ticket.Call.class);
    assertThat(computed.get(3)).isInstanceOf(Ticket.Losses.class);
  }

  @Test
  void heldOutSamplesAreTrainedOnOnlyAfterTheChoiceAndTheStepsStayTheSame() {
    begun();
    Ticket.Train first = (Ticket.Train) computed.getFirst();
    assertThat(first.view().selection())
        .isInstanceOfSatisfying(
            DataView.Selection.Subset.class,
            // At least four of 30 samples are held out.
            subset -> assertThat(subset.indices().size()).isEqualTo(26));
    // Two epochs of 30 samples in batches of 8.
    assertThat(first.duration()).isEqualTo(new Ticket.Duration.Steps(8));
    answeredBy(reply(1, 1, 1), reply(1, 1, 1));
    answeredBy(reply(2, 1, 1), reply(2, 1, 1));
    Ticket.Train last = newestTraining(0);
    assertThat(last.view()).isEqualTo(DataView.own(DataView.Split.TRAIN));
    assertThat(last.duration()).isEqualTo(new Ticket.Duration.Steps(8));
  }

  /** The velocity of round 1 is the own one; from round 2 on it is the mean step of the mix. */
  @Test
  void theVelocityOfTheSharedModelIsThatOfTheMixedModelFromAFifthOfTheHorizonOn() {
    begun();
    answeredBy(reply(1, 1, 0), reply(1, 1, 0));
    assertThat(newestTraining(0).velocity()).contains(weights(7, 7));
    assertThat(newestTraining(0).from()).isEqualTo(weights(1, 0));
    answeredBy(reply(2, 2, 0), reply(2, 2, 0));
    // From 1 to 2 with learning rate 0.1 in two epochs of four steps.
    assertThat(newestTraining(0).velocity().orElseThrow().get(0))
        .isEqualTo(-1 / (0.1f * 8), within(1e-5f));
    assertThat(newestTraining(2).velocity()).contains(weights(7, 7));
  }

  private Ticket.Train newestTraining(int model) {
    return computed.stream()
        .filter(Ticket.Train.class::isInstance)
        .map(Ticket.Train.class::cast)
        .filter(each -> each.model() == model)
        .reduce((_, later) -> later)
        .orElseThrow();
  }

  @Test
  void thePersonalModelMovesAFifthOfTheWayToTheSharedModelBeforeItTrains() {
    begun();
    computed.clear();
    answeredBy(reply(1, 1, 5), reply(1, 1, 5));
    Weights shared = state().models().shared().weights();
    assertThat(computed)
        .filteredOn(Ticket.Mix.class::isInstance)
        .last()
        .extracting(each -> ((Ticket.Mix) each).mixture().parts())
        .isEqualTo(List.of(new MixturePart(weights(1, 0), 0.8), new MixturePart(shared, 0.2)));
  }

  private static ModelReply scored(int round, Scores own) {
    return ModelReplyBuilder.from(reply(round, 1, 1)).scores(Optional.of(own)).build();
  }

  private static ModelReply scored(int round, Scores own, Scores combined) {
    return ModelReplyBuilder.from(scored(round, own)).combinedScores(Optional.of(combined)).build();
  }

  private static Scores scores(double... values) {
    return new Scores(Arrays.stream(values).boxed().toList(), 4);
  }

  /** Runs to the choice; in the second round peers have these scores, in the third these means. */
  private List<Effect> chosen(Scores own, Scores combined) {
    begun();
    answeredBy(reply(1, 1, 1), reply(1, 1, 1));
    answeredBy(scored(2, own), scored(2, own));
    return answeredBy(scored(3, own, combined), scored(3, own, combined));
  }

  @Test
  void theScoresOfThePeersDecide() {
    List<Effect> effects = chosen(scores(0, 0, 0, 0), scores(0.5, -0.5, 0.5, 0.5));
    assertThat(state().choice().choice()).contains(Choice.PERSONAL);
    assertThat(deployed(effects)).isInstanceOf(Predictor.Single.class);
    assertThat(state().models().alone()).isEmpty();
    assertThat(state().models().personal()).isPresent();
  }

  /** Own scores of four samples and two peers of four samples each with the same scores. */
  @Test
  void theFirstHopIsTheMeanOfThePeerAndThePulledPeers() {
    begun();
    answeredBy(reply(1, 1, 1), reply(1, 1, 1));
    Scores own = state().choice().scores().orElseThrow().centred();
    answeredBy(scored(2, scores(0.3, 0, 0, -0.3)), scored(2, scores(0.3, 0, 0, -0.3)));
    double expected =
        (own.samples() * own.values().get(0) + 4 * 0.3 + 4 * 0.3) / (own.samples() + 8);
    assertThat(state().choice().combined().orElseThrow().values().get(0))
        .isEqualTo(expected, within(1e-9));
  }

  @Test
  void aPeerThatChoseItsLoneModelAnswersEveryRequestWithItsLastSharedModel() {
    KinSettings longer = KinSettingsBuilder.from(KinFixture.settings()).horizon(2).build();
    restartWith(longer);
    begun();
    answeredBy(
        scored(1, scores(0, 0, 0, 0), scores(0.5, 0.5, -0.5, 0.5)),
        scored(1, scores(0, 0, 0, 0), scores(0.5, 0.5, -0.5, 0.5)));
    answeredBy(
        scored(2, scores(0, 0, 0, 0), scores(0.5, 0.5, -0.5, 0.5)),
        scored(2, scores(0, 0, 0, 0), scores(0.5, 0.5, -0.5, 0.5)));
    assertThat(state().choice().choice()).contains(Choice.ALONE);
    assertThat(sent(peer.received(2, new ModelRequest(3, 0))))
        .singleElement()
        .isInstanceOfSatisfying(ModelReply.class, each -> assertThat(each.round()).isEqualTo(2));
  }

  @Test
  void withoutAnyScoreThePeerDeploysTheEnsemble() {
    restartWith(
        KinSettingsBuilder.from(KinFixture.settings())
            .choice(ChoiceSettingsBuilder.from(KinFixture.CHOICE).heldOut(0).build())
            .build());
    begun();
    answeredBy(reply(1, 1, 1), reply(1, 1, 1));
    answeredBy(reply(2, 1, 1), reply(2, 1, 1));
    assertThat(deployed(answeredBy(reply(3, 1, 1), reply(3, 1, 1))))
        .isInstanceOfSatisfying(
            Predictor.Ensemble.class, each -> assertThat(each.members().parts()).hasSize(3));
    assertThat(state().choice().choice()).contains(Choice.ENSEMBLE);
  }

  @Test
  void aVetoOfTheOwnScoresReplacesTheChoiceOfThePeers() {
    ChoiceSettings vetoed = ChoiceSettingsBuilder.from(KinFixture.CHOICE).veto(1).build();
    Scores own = new Scores(List.of(2.5, 2.5, 1.0, 2.0), 4);
    KinMachine machine =
        new KinMachine(
            KinSettingsBuilder.from(KinFixture.settings()).choice(vetoed).build(),
            Driver.peerContext(1));
    KinState state =
        KinStateBuilder.from(machine.initial())
            .round(3)
            .choice(
                new KinState.ChoiceState(
                    Optional.of(own),
                    Optional.of(scores(-0.5, 0.5, 0.5, 0.5)),
                    Optional.empty(),
                    Optional.empty(),
                    false))
            .build();
    assertThat(new Choosing(machine.rules()).endOfRound(state).choice().choice())
        .contains(Choice.ALONE);
    KinMachine lenient = new KinMachine(KinFixture.settings(), Driver.peerContext(1));
    assertThat(new Choosing(lenient.rules()).endOfRound(state).choice().choice())
        .contains(Choice.SHARED);
  }

  @Test
  void aNewcomerStartsFromTheModelThatSuitsItsSamplesAndTakesTheChoiceOfItsPeers() {
    peer.started(2, 3);
    peer.received(
        2, ModelReplyBuilder.from(reply(2, 1, 1)).choice(Optional.of(Choice.ALONE)).build());
    ModelReply better =
        new ModelReply(
            3,
            3,
            Optional.of(weights(8, 0.25f)),
            30,
            Optional.empty(),
            Optional.empty(),
            Optional.of(Choice.ENSEMBLE),
            0);
    compute(peer.received(3, better));
    assertThat(computed.getFirst()).isInstanceOf(Ticket.Losses.class);
    assertThat(((Ticket.Train) computed.get(1)).from()).isEqualTo(weights(8, 0.25f));
    assertThat(state().round()).isEqualTo(2);
    // Peers that deploy a lone model or an ensemble have trained a model that a newcomer lacks.
    assertThat(state().choice().choice()).contains(Choice.PERSONAL);
    assertThat(state().models().alone()).isEmpty();
  }

  @Test
  void aPeerThatReturnsMixesBeforeItTrains() {
    lastComputedRound = 1;
    begun();
    answeredBy(reply(1, 1, 1), reply(1, 1, 1));
    assertThat(state().tasks()).startsWith(KinState.Task.TRAIN_SHARED);
    lastComputedRound = Long.MAX_VALUE;
    computed.clear();
    List<Effect> asked = peer.restored(2, 3);
    assertThat(sent(asked)).containsExactly(new ModelRequest(0, 0), new ModelRequest(0, 0));
    compute(peer.received(2, reply(3, 4, 4)));
    compute(peer.received(3, reply(3, 4, 4)));
    assertThat(computed.get(1)).isInstanceOf(Ticket.Mix.class);
    assertThat(state().round()).isEqualTo(3);
  }

  @Test
  void aNewcomerThatStopsBeforeItsFirstTrainingChoosesItsStartAgain() {
    peer.started(2, 3);
    peer.received(2, reply(2, 1, 1));
    List<Effect> selected = peer.received(3, reply(2, 8, 0.25f));
    // The peer adopted a start and stopped while it trained that start.
    Effect.Compute losses =
        selected.stream()
            .filter(Effect.Compute.class::isInstance)
            .map(Effect.Compute.class::cast)
            .findFirst()
            .orElseThrow();
    peer.feed(new Event.Computed(0, losses.ticket(), resultOf(losses.work())));
    assertThat(state().tasks()).startsWith(KinState.Task.TRAIN_SHARED);
    peer.restored(2, 3);
    compute(peer.received(2, reply(3, 2, 0.5f)));
    compute(peer.received(3, reply(3, 2, 0.75f)));
    assertThat(((Ticket.Train) computed.get(1)).from()).isEqualTo(weights(2, 0.5f));
    assertThat(computed.stream().noneMatch(Ticket.Mix.class::isInstance)).isTrue();
  }

  @Test
  void aPeerThatMissedNothingGoesOnWithItsOwnModel() {
    peer.started(2, 3);
    peer.received(2, NOTHING_YET);
    peer.received(3, NOTHING_YET);
    peer.restored(2, 3);
    peer.received(2, NOTHING_YET);
    compute(peer.received(3, NOTHING_YET));
    assertThat(((Ticket.Train) computed.getFirst()).from()).isEqualTo(weights(0, 0));
  }

  @Test
  void aRequestWaitsForItsRound() {
    begun();
    assertThat(sent(peer.received(3, new ModelRequest(1, 0)))).hasSize(1);
    assertThat(sent(peer.received(3, new ModelRequest(2, 0)))).isEmpty();
    List<Effect> next = answeredBy(reply(1, 1, 1), reply(1, 1, 1));
    assertThat(next)
        .anyMatch(
            effect ->
                effect instanceof Effect.Send send
                    && send.message() instanceof ModelReply reply
                    && reply.round() == 2);
  }

  @Test
  void invalidAndUnexpectedRepliesChangeNothing() {
    begun();
    KinState before = state();
    for (ModelReply bad :
        List.of(
            reply(-1, 1, 1),
            reply(99, 1, 1),
            reply(1, 1, 1, 1),
            reply(1, Float.NaN, 1),
            ModelReplyBuilder.from(reply(1, 1, 1)).round(0).build())) {
      assertThat(peer.received(2, bad)).containsExactly(Driver.counted("unexpected-message"));
    }
    assertThat(peer.received(9, reply(1, 1, 1))).containsExactly(Driver.counted("late-model"));
    assertThat(state()).isEqualTo(before);
  }

  @Test
  void aPeerThatCannotBeReachedIsGivenUpAfterFiveRetries() {
    begun();
    peer.received(2, reply(1, 1, 1));
    for (int attempt = 0; attempt < 5; attempt++) {
      assertThat(sent(peer.sendFailed(3, new ModelRequest(1, attempt))))
          .containsExactly(new ModelRequest(1, attempt + 1));
    }
    assertThat(peer.sendFailed(3, new ModelRequest(1, 5)))
        .anyMatch(Effect.Compute.class::isInstance);
  }

  @Test
  void whatAPeerMeasuresExplainsItsChoice() {
    List<Effect> effects = chosen(scores(0, 0, 0, 0), scores(0.5, -0.5, 0.5, 0.5));
    assertThat(effects)
        .filteredOn(effect -> effect instanceof Effect.Observe(Observation.Measured _))
        .extracting(
            effect -> ((Observation.Measured) ((Effect.Observe) effect).observation()).name())
        .contains("choice", "scoreShared", "scorePersonal", "scoreAlone", "scoreEnsemble");
  }

  @Test
  void aFixedChoiceTrainsOnlyWhatItNeeds() {
    restartWith(KinFixture.deploying(Choice.ALONE));
    peer.started();
    assertThat(state().tasks()).containsExactly(KinState.Task.TRAIN_ALONE, KinState.Task.FINISH);
    restartWith(KinFixture.deploying(Choice.SHARED));
    peer.started();
    assertThat(state().tasks())
        .doesNotContain(KinState.Task.TRAIN_ALONE, KinState.Task.TRAIN_PERSONAL);
  }

  @Test
  void aPeerWithoutASharedModelKeepsItsLoneModelAfterARestart() {
    restartWith(KinFixture.deploying(Choice.ALONE));
    lastComputedRound = 1;
    compute(peer.started());
    computed.clear();
    compute(peer.restored());
    assertThat(computed).isEmpty();
    assertThat(state().round()).isEqualTo(2);
    assertThat(state().models().alone().orElseThrow().weights()).isEqualTo(weights(1, 0));
  }
}
