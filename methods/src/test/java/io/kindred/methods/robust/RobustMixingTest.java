package io.kindred.methods.robust;

import static io.kindred.methods.robust.Inputs.weights;
import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.MixedModel;
import io.kindred.core.peer.Observation.MixedModel.Treatment;
import io.kindred.core.peer.Observation.Weighting;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.peer.Timer;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.StreamKey;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RobustMixingTest {
  private static final PeerId ONE = new PeerId(1);
  private static final PeerId TWO = new PeerId(2);
  private static final Weights OWN = weights(1, 1);
  private static final Weights FRIENDLY = weights(1, 2);
  private static final Weights HOSTILE = weights(500, -500);

  private record Update(Weights model) implements Message {}

  private RobustMixing mixing = new RobustMixing(new CoordinateMedian(), Optional.empty(), 0);
  private RobustMixingState state = RobustMixingState.NONE;

  /**
   * A step of a machine that answers the event with these effects; returns what leaves the peer.
   */
  private List<Effect> step(Event event, Effect... effects) {
    List<Effect> requested =
        mixing.beforeStep(state, event).isPresent() ? List.of(effects) : List.of();
    Step<RobustMixingState> step = mixing.afterStep(state, event, requested);
    state = step.state();
    return step.effects();
  }

  private void receive(PeerId from, Weights model) {
    step(new Event.Received(1, from, new Update(model)));
  }

  private static Effect mix(Weights... models) {
    return new Effect.Compute(7, new Ticket.Mix(Mixture.mean(List.of(models))));
  }

  private static RobustMixture computed(List<Effect> effects) {
    assertThat(effects).hasSize(1);
    Effect.Compute compute = (Effect.Compute) effects.getFirst();
    assertThat(compute.ticket()).isEqualTo(7);
    return ((MixRobustly) ((Ticket.Call) compute.work()).function()).apply();
  }

  private static Event answered(RobustMixture mixture) {
    return new Event.Computed(2, 7, new Result.Answered(mixture));
  }

  @Test
  void theMachineGetsTheMixtureOfTheRuleAsIfItWereItsOwn() {
    receive(ONE, FRIENDLY);
    receive(TWO, HOSTILE);
    RobustMixture mixture =
        computed(step(new Event.TimerFired(1, new Timer("t", 1)), mix(OWN, FRIENDLY, HOSTILE)));
    assertThat(mixture.weights()).isEqualTo(weights(1, 1));
    assertThat(mixing.beforeStep(state, answered(mixture)))
        .contains(new Event.Computed(2, 7, new Result.Mixed(weights(1, 1))));
    step(answered(mixture));
    assertThat(mixing.beforeStep(state, answered(mixture)))
        .as("the ticket is done")
        .contains(answered(mixture));
  }

  @Test
  void aMixtureWithoutAReceivedModelStaysAsItIs() {
    Effect own = mix(OWN, weights(3, 3));
    assertThat(step(new Event.Started(1, List.of()), own)).containsExactly(own);
  }

  @Test
  void modelsOfTheServerAreTrusted() {
    mixing = new RobustMixing(new CoordinateMedian(), Optional.of(ONE), 0);
    receive(ONE, FRIENDLY);
    assertThat(step(new Event.Started(1, List.of()), mix(OWN, FRIENDLY)))
        .containsExactly(mix(OWN, FRIENDLY));
  }

  @Test
  void theOwnUpdateIsThatOfTheLastTraining() {
    mixing = new RobustMixing(new NormClip(1), Optional.empty(), 0);
    Ticket.Train train =
        new Ticket.Train(
            weights(1, 0),
            Objective.plain(),
            DataView.own(DataView.Split.TRAIN),
            new Optimizer(new Optimizer.Rule.Sgd(0, false), 0.1, 0, 0),
            1,
            new Ticket.Duration.Steps(1),
            new StreamKey(Purpose.BATCHES, 0, 1));
    step(new Event.Started(1, List.of()), new Effect.Compute(7, train));
    step(new Event.Computed(1, 7, new Result.Trained(OWN, 0, 1)));
    receive(ONE, weights(5, 1));
    RobustMixture mixture =
        computed(step(new Event.Started(1, List.of()), mix(OWN, weights(5, 1))));
    assertThat(mixture.weights()).as("a step of four is cut to one").isEqualTo(weights(1.5f, 1));
  }

  @Test
  void theHeldOutGateKeepsTheOwnModelIfTheMixtureIsWorse() {
    mixing = new RobustMixing(new HeldOutGate(0.1), Optional.empty(), 20);
    for (double loss : List.of(1.05, 1.2, Double.NaN)) {
      state = RobustMixingState.NONE;
      receive(ONE, FRIENDLY);
      RobustMixture mixture = computed(step(new Event.Started(1, List.of()), mix(OWN, FRIENDLY)));
      assertThat(mixing.beforeStep(state, answered(mixture))).as("losses come first").isEmpty();
      List<Effect> asked = step(answered(mixture));
      assertThat(asked)
          .containsExactly(
              new Effect.Compute(
                  7,
                  new Ticket.Losses(
                      List.of(Mixture.of(OWN), Mixture.of(mixture.weights())),
                      DataView.own(DataView.Split.VALIDATION),
                      Ticket.Detail.MEAN)));
      Event losses =
          new Event.Computed(
              3, 7, new Result.Losses(List.of(Floats.of(1f), Floats.of((float) loss))));
      Weights taken = loss < 1.1 ? mixture.weights() : OWN;
      assertThat(mixing.beforeStep(state, losses))
          .contains(new Event.Computed(3, 7, new Result.Mixed(taken)));
      assertThat(step(losses)).hasSize(loss < 1.1 ? 0 : 1);
    }
  }

  @Test
  void aPeerWithoutHeldOutSamplesTakesTheMixture() {
    mixing = new RobustMixing(new HeldOutGate(0), Optional.empty(), 0);
    receive(ONE, FRIENDLY);
    RobustMixture mixture = computed(step(new Event.Started(1, List.of()), mix(OWN, FRIENDLY)));
    assertThat(mixing.beforeStep(state, answered(mixture)))
        .contains(new Event.Computed(2, 7, new Result.Mixed(weights(1, 1.5f))));
  }

  @Test
  void refusedModelsAreCountedAndReportedAsDropped() {
    mixing = new RobustMixing(new CosineGate(0, 0), Optional.empty(), 0);
    state =
        RobustMixingStateBuilder.from(state)
            .update(Optional.of(new RobustInput.Update(weights(0, 0), OWN)))
            .build();
    receive(ONE, FRIENDLY);
    receive(TWO, weights(-4, -4));
    MixedModel friendly = new MixedModel(ONE, 3, 0.4, 10, Treatment.FULL);
    MixedModel hostile = new MixedModel(TWO, 3, 0.4, 10, Treatment.FULL);
    RobustMixture mixture =
        computed(
            step(
                new Event.Started(1, List.of()),
                new Effect.Observe(
                    new Observation.ModelsMixed(
                        3, 0, Weighting.SAMPLES, 0.2, List.of(friendly, hostile))),
                mix(OWN, FRIENDLY, weights(-4, -4))));
    List<Effect> observed = step(answered(mixture));
    assertThat(observed)
        .containsExactly(
            new Effect.Observe(new Observation.Counted("robust-refused")),
            new Effect.Observe(
                new Observation.ModelsMixed(
                    3,
                    0,
                    Weighting.ESTIMATED,
                    1 - 1 / 3.0,
                    List.of(
                        new MixedModel(ONE, 3, 1 / 3.0, 10, Treatment.FULL),
                        new MixedModel(TWO, 3, 0, 10, Treatment.DROPPED)))));
  }

  @Test
  void mixturesThatNoTicketOfTheSameStepComputesAreObservedAtOnce() {
    Effect first = mixedOf(1);
    Effect second = mixedOf(2);
    assertThat(step(new Event.Started(1, List.of()), first, second)).containsExactly(first, second);
  }

  private static Effect mixedOf(int slot) {
    return new Effect.Observe(
        new Observation.ModelsMixed(3, slot, Weighting.SAMPLES, 1, List.of()));
  }

  @Test
  void equalModelsOfTwoPeersAreToldApartByTheirNumbers() {
    receive(TWO, FRIENDLY);
    receive(ONE, FRIENDLY);
    step(new Event.Started(1, List.of()), mix(OWN, FRIENDLY, FRIENDLY));
    assertThat(state.pending(7).senders()).containsExactly(ONE, TWO);
  }

  @Test
  void workOfBeforeARestartIsForgotten() {
    receive(ONE, FRIENDLY);
    step(new Event.Started(1, List.of()), mix(OWN, FRIENDLY));
    step(new Event.Restored(2, List.of()));
    assertThat(state.pending()).isEmpty();
  }

  @Test
  void severalOwnModelsCountAsOne() {
    receive(ONE, FRIENDLY);
    Effect three =
        new Effect.Compute(
            7,
            new Ticket.Mix(
                new Mixture(
                    List.of(
                        new MixturePart(weights(0, 0), 0.25),
                        new MixturePart(weights(2, 2), 0.25),
                        new MixturePart(FRIENDLY, 0.5)))));
    assertThat(computed(step(new Event.Started(1, List.of()), three)).weights())
        .isEqualTo(weights(1, 1.5f));
  }
}
