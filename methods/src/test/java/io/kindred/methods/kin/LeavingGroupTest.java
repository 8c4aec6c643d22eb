package io.kindred.methods.kin;

import static io.kindred.methods.contract.Driver.weights;
import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation.Deployed;
import io.kindred.core.peer.Observation.MixedModel;
import io.kindred.core.peer.Observation.ModelsMixed;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.kin.GuardModels.PulledModel;
import io.kindred.methods.kin.KinState.KeptModel;
import io.kindred.methods.kin.KinState.KeptModels;
import io.kindred.methods.kin.KinState.PullRound;
import io.kindred.methods.kin.KinState.Task;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** A peer whose shared model suits its held-out samples far less than its lone model. */
class LeavingGroupTest {
  private static final Weights SHARED = weights(5, 5);
  private static final Weights ALONE = weights(1, 2);
  private static final Weights VELOCITY_ALONE = weights(3, 4);
  private static final Effect LEFT = Driver.counted("left-group");

  private static KeptModel kept(Weights weights, Weights velocity) {
    return new KeptModel(weights, Optional.of(velocity), Optional.of(weights), 9);
  }

  /** The last task of the first round is computed: losses of one held-out sample, as before. */
  private static Step<KinState> scored(double leave, double shared, double alone) {
    KinMachine machine =
        new KinMachine(
            KinSettingsBuilder.from(KinFixture.settings())
                .choice(ChoiceSettingsBuilder.from(KinFixture.CHOICE).leave(leave).build())
                .build(),
            Driver.peerContext(1));
    KinState state =
        machine
            .initial()
            .withModels(
                new KeptModels(
                    kept(SHARED, weights(7, 7)),
                    Optional.of(kept(weights(6, 6), weights(7, 7))),
                    Optional.of(kept(ALONE, VELOCITY_ALONE))))
            .withChoice(
                new KinState.ChoiceState(
                    Optional.of(new Scores(List.of(shared, 1.0, alone, 1.0), 1)),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    false))
            .withTasks(List.of(Task.SCORE));
    return machine.step(
        state,
        new Event.Computed(
            0,
            1,
            new Result.Losses(
                List.of(Floats.of((float) shared), Floats.of(1f), Floats.of((float) alone)))));
  }

  private static Ticket.Train nextTraining(Step<KinState> step) {
    return step.effects().stream()
        .filter(Effect.Compute.class::isInstance)
        .map(effect -> (Ticket.Train) ((Effect.Compute) effect).work())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void itsSharedModelBeginsAgainAsTheLoneOneWithItsVelocity() {
    Step<KinState> step = scored(0.5, 1.6, 1.0);
    assertThat(step.effects()).contains(LEFT);
    assertThat(nextTraining(step).from()).isEqualTo(ALONE);
    assertThat(nextTraining(step).velocity()).contains(VELOCITY_ALONE);
    KeptModels models = step.state().models();
    assertThat(models.shared().average()).isEmpty();
    assertThat(models.shared().rounds()).isZero();
    assertThat(models.alone()).contains(kept(ALONE, VELOCITY_ALONE));
  }

  /** Other peers must not hear what was measured of a model that does not exist any more. */
  @Test
  void itForgetsTheScoresOfTheOldModel() {
    assertThat(scored(0.5, 1.6, 1.0).state().choice().scores()).isEmpty();
  }

  @Test
  void untilItsNewSharedModelIsMixedItDeploysTheOtherTwo() {
    assertThat(scored(0.5, 1.6, 1.0).effects())
        .filteredOn(each -> each instanceof Effect.Observe(Deployed _))
        .singleElement()
        .extracting(each -> ((Deployed) ((Effect.Observe) each).observation()).predictor())
        .isInstanceOfSatisfying(
            Predictor.Ensemble.class, each -> assertThat(each.members().parts()).hasSize(2));
  }

  @Test
  void aSmallerDifferenceChangesNothing() {
    Step<KinState> step = scored(0.5, 1.4, 1.0);
    assertThat(step.effects()).doesNotContain(LEFT);
    assertThat(nextTraining(step).from()).isEqualTo(SHARED);
    assertThat(step.state().choice().scores()).isPresent();
  }

  private static PulledModel pulled(long peer, float... values) {
    return new PulledModel(new PeerId(peer), weights(values), 30, 0);
  }

  /** In the round after it has left, with two pulled models whose losses are given. */
  private static KinState adopted(float first, float second) {
    KinMachine machine = new KinMachine(KinFixture.settings(), Driver.peerContext(1));
    List<PulledModel> models = List.of(pulled(2, 8, 8), pulled(3, 9, 9));
    KinState state =
        machine
            .initial()
            .withChoice(
                new KinState.ChoiceState(
                    Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), true))
            .withTasks(List.of(Task.ADOPT, Task.MIX, Task.FINISH));
    PullRound pull =
        PullRoundBuilder.from(PullRound.NONE)
            .answers(models.stream().map(LeavingGroupTest::answer).toList())
            .guarded(
                Optional.of(
                    new GuardModels(
                            KinFixture.MIX,
                            weights(0, 0),
                            weights(8, 9),
                            30,
                            models,
                            Optional.empty())
                        .apply()))
            .build();
    return machine
        .rules()
        .adopted(state.withPull(pull), List.of(Floats.of(first), Floats.of(second)));
  }

  private static KinState.Answer answer(PulledModel model) {
    return new KinState.Answer(
        model.peer(),
        new KinMessage.ModelReply(
            1,
            1,
            Optional.of(model.weights()),
            model.samples(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            0));
  }

  @Test
  void inTheNextRoundItTakesThePulledModelThatSuitsItsSamplesBest() {
    KinState state = adopted(0.9f, 0.2f);
    assertThat(state.pull().guarded().orElseThrow().ownWeight()).isZero();
    assertThat(state.pull().guarded().orElseThrow().contributions())
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.peer()).isEqualTo(new PeerId(3));
              assertThat(each.weight()).isEqualTo(1);
            });
  }

  /** The step from the lone model to that of another peer is no step of training. */
  @Test
  void anAdoptedModelBeginsWithoutAVelocity() {
    KinRound rules = new KinMachine(KinFixture.settings(), Driver.peerContext(1)).rules();
    KinState adopted = adopted(0.9f, 0.2f);
    KinState state =
        adopted.withPull(
            PullRoundBuilder.from(adopted.pull()).mixed(Optional.of(weights(9, 9))).build());
    FinishRound finish = rules.finish(state);
    assertThat(finish.velocity()).isEmpty();
    KinState next = rules.finished(state, finish.apply());
    assertThat(next.models().shared().weights()).isEqualTo(weights(9, 9));
    assertThat(next.models().shared().velocity()).isEmpty();
    assertThat(next.choice().leaving()).isFalse();
  }

  /** A mixture with one part, so that it is reported and checked as any other mixture. */
  @Test
  void theAdoptedModelIsMixedAlone() {
    KinMachine machine = new KinMachine(KinFixture.settings(), Driver.peerContext(1));
    KinState state = adopted(0.9f, 0.2f);
    assertThat(((Ticket.Mix) machine.rules().mix(state)).mixture().parts())
        .containsExactly(new MixturePart(weights(9, 9), 1));
    assertThat(machine.perform(state, 1).effects())
        .filteredOn(each -> each instanceof Effect.Observe(ModelsMixed _))
        .singleElement()
        .extracting(each -> ((ModelsMixed) ((Effect.Observe) each).observation()).models())
        .asInstanceOf(InstanceOfAssertFactories.list(MixedModel.class))
        .extracting(MixedModel::peer)
        .containsExactly(new PeerId(3));
  }

  @Test
  void withoutAUsablePulledModelItKeepsItsOwnAndTriesAgain() {
    KinState state = adopted(Float.NaN, Float.POSITIVE_INFINITY);
    assertThat(state.tasks()).containsExactly(Task.FINISH);
    assertThat(state.pull().guarded()).isEmpty();
    assertThat(state.choice().leaving()).isTrue();
  }

  @Test
  void theRoundAfterItLeftAdoptsBeforeItMixes() {
    assertThat(scored(0.5, 1.6, 1.0).state().tasks()).containsSubsequence(Task.ADOPT, Task.MIX);
    assertThat(scored(0.5, 1.4, 1.0).state().tasks()).contains(Task.MIX).doesNotContain(Task.ADOPT);
  }

  @Test
  void zeroTurnsLeavingOff() {
    assertThat(nextTraining(scored(0, 9, 1.0)).from()).isEqualTo(SHARED);
  }
}
