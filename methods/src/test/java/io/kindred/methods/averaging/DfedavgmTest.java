package io.kindred.methods.averaging;

import static io.kindred.methods.contract.Driver.model;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation.Audience;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.Observation.Weighting;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Timer;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.contract.ExpectedMixture;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.rounds.GossipState;
import io.kindred.methods.rounds.GossipState.Phase;
import io.kindred.methods.rounds.GossipState.StoredUpdate;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.methods.rounds.ServerMessage;
import io.kindred.methods.rounds.SlotModel;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DfedavgmTest {
  private static final Dfedavgm METHOD = new Dfedavgm(0.75, TimeoutPolicy.of(60), 0);
  private static final Weights START = Driver.weights(0, 0);
  private static final PeerId SELF = new PeerId(1);
  private static final Effect UNEXPECTED = Driver.counted("unexpected-message");
  private static final Effect LATE = Driver.counted("late-model");

  private static GossipState state(Phase phase, Weights weights, long tick, long... neighbours) {
    Dfedavgm.Model model = new Dfedavgm.Model(weights);
    return new GossipState(
        1,
        phase,
        model,
        model,
        Driver.ids(neighbours),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        0,
        phase == Phase.WORKING ? 0 : 1,
        phase == Phase.WORKING ? Optional.empty() : Optional.of(update(weights)),
        List.of(),
        false,
        tick,
        List.of(),
        Optional.empty(),
        List.of());
  }

  private static Effect train(Weights from, int round) {
    return new Effect.Compute(round, Driver.TRAINING.withMomentum(0.75).round(from, SELF, round));
  }

  private static NeighbourUpdate offer(
      int round, int degree, Weights weights, boolean asks, int attempt) {
    return new NeighbourUpdate(round, degree, update(weights), asks, attempt);
  }

  private static ModelUpdate update(Weights weights) {
    return ModelUpdate.of(new SlotModel(0, weights, Driver.SAMPLES));
  }

  private static Effect send(long to, int round, int degree, Weights weights) {
    return new Effect.Send(new PeerId(to), offer(round, degree, weights, false, 0));
  }

  private static Effect ask(long to, int round, int degree, Weights weights) {
    return new Effect.Send(new PeerId(to), offer(round, degree, weights, true, 0));
  }

  private static Effect roundTimer(int round) {
    return new Effect.SetTimer(new Timer("round-timeout", round), 60_000_000L);
  }

  private static ExpectedMixture mix(int round) {
    return ExpectedMixture.of(round, Weighting.DEGREES);
  }

  /** The mean of the own model, the one of peer 0 and the one of peer 2. */
  private static ExpectedMixture thirds(int round, int own, int left, int right) {
    return mix(round)
        .own(model(own), 1 - 2 * (1.0 / 3))
        .from(0, model(left), 1.0 / 3, Driver.SAMPLES)
        .from(2, model(right), 1.0 / 3, Driver.SAMPLES);
  }

  private static Effect deployed(int round, Stage stage, Weights weights) {
    return Driver.deployed(round, stage, weights, Audience.SELF);
  }

  private static NeighbourUpdate neighbourUpdate(int round, int degree, int number) {
    return offer(round, degree, model(number), false, 0);
  }

  /** Peer 1 in the middle of the path 0 - 1 - 2, its own model of round 1 trained. */
  private static Driver waiting() {
    Driver peer = Driver.peer(METHOD, 1);
    peer.started(0, 2);
    peer.trained(1, model(1));
    return peer;
  }

  private static Phase phase(Driver peer) {
    return ((GossipState) peer.state()).phase();
  }

  @Test
  void aPeerTrainsWithMomentumAndSendsToItsNeighbours() {
    Driver peer = Driver.peer(METHOD, 1);
    assertThat(peer.started(0, 2)).containsExactly(train(START, 1));
    assertThat(peer.trained(1, model(1)))
        .containsExactly(
            deployed(1, Stage.TRAINED, model(1)),
            send(0, 1, 2, model(1)),
            send(2, 1, 2, model(1)),
            roundTimer(1));
    assertThat(peer.state()).isEqualTo(state(Phase.WAITING, model(1), 1, 0, 2));
  }

  @Test
  void theMiddleOfAPathMixesByMetropolisWeights() {
    // On 0 - 1 - 2 the middle has degree 2 and the ends 1: each end gives 1/3, the middle keeps
    // 1/3; an end takes 1/3 and keeps 2/3.
    Driver peer = waiting();
    assertThat(peer.received(2, neighbourUpdate(1, 1, 2))).isEmpty();
    assertThat(peer.received(0, neighbourUpdate(1, 1, 7)))
        .containsExactly(thirds(1, 1, 7, 2).effects());
    assertThat(peer.mixed(1, model(5)))
        .containsExactly(deployed(1, Stage.MIXED, model(5)), train(model(5), 2));
  }

  @Test
  void theEndOfAPathMixesByMetropolisWeights() {
    Driver peer = Driver.peer(METHOD, 1);
    peer.started(0);
    peer.trained(1, model(1));
    assertThat(peer.received(0, neighbourUpdate(1, 2, 7)))
        .containsExactly(
            mix(1).own(model(1), 1 - 1.0 / 3).from(0, model(7), 1.0 / 3, Driver.SAMPLES).effects());
  }

  @Test
  void rowsSumToOneWhateverTheDegrees() {
    for (int degree = 1; degree < 40; degree++) {
      Driver peer = waiting();
      peer.received(0, neighbourUpdate(1, degree, 7));
      Effect.Compute compute =
          (Effect.Compute) peer.received(2, neighbourUpdate(1, 41 - degree, 2)).getLast();
      List<MixturePart> parts = ((Ticket.Mix) compute.work()).mixture().parts();
      assertThat(parts.stream().mapToDouble(MixturePart::coefficient).sum())
          .isCloseTo(1, within(1e-15));
      assertThat(parts).allSatisfy(part -> assertThat(part.coefficient()).isPositive());
    }
  }

  @Test
  void anEarlyModelOfTheNextRoundIsKeptForIt() {
    Driver peer = waiting();
    assertThat(peer.received(0, neighbourUpdate(2, 1, 70))).isEmpty();
    peer.received(0, neighbourUpdate(1, 1, 7));
    peer.received(2, neighbourUpdate(1, 1, 2));
    peer.mixed(1, model(5));
    assertThat(((GossipState) peer.state()).storedUpdates())
        .containsExactly(new StoredUpdate(new PeerId(0), 2, 1, 0, update(model(70)), false));
    peer.trained(2, model(6));
    assertThat(peer.received(2, neighbourUpdate(2, 1, 20)))
        .containsExactly(thirds(2, 6, 70, 20).effects());
  }

  @Test
  void modelsHeardWhileTrainingCountOnceTrained() {
    Driver peer = Driver.peer(METHOD, 1);
    peer.started(0);
    assertThat(peer.received(0, neighbourUpdate(1, 1, 7))).isEmpty();
    assertThat(peer.trained(1, model(1)))
        .endsWith(
            mix(1).own(model(1), 0.5).from(0, model(7), 0.5, Driver.SAMPLES).after(roundTimer(1)));
  }

  @Test
  void whatMakesNoSenseOrComesFromAStrangerIsCountedAndDropped() {
    Driver peer = waiting();
    Object before = peer.state();
    assertThat(peer.received(0, neighbourUpdate(4, 1, 7)))
        .as("past the last")
        .containsExactly(UNEXPECTED);
    assertThat(peer.received(0, neighbourUpdate(-1, 1, 7))).containsExactly(UNEXPECTED);
    NeighbourUpdate broken = offer(1, 1, Driver.weights(1, Float.NaN), false, 0);
    assertThat(peer.received(0, broken)).containsExactly(UNEXPECTED);
    assertThat(peer.received(9, neighbourUpdate(1, 1, 7))).containsExactly(UNEXPECTED);
    assertThat(peer.received(0, neighbourUpdate(1, 0, 7))).containsExactly(UNEXPECTED);
    Message foreign = new ServerMessage.ServerModels(1, List.of(model(7)), 0);
    assertThat(peer.received(0, foreign)).containsExactly(UNEXPECTED);
    assertThat(peer.state()).isEqualTo(before);
  }

  @Test
  void aModelOfAnotherSizeIsCountedAndDropped() {
    Driver peer = waiting();
    Object before = peer.state();
    assertThat(peer.received(0, offer(1, 1, Driver.weights(1, 2, 3), false, 0)))
        .containsExactly(UNEXPECTED);
    assertThat(peer.state()).isEqualTo(before);
  }

  @Test
  void aModelHeardTwiceCountsOnce() {
    Driver peer = waiting();
    peer.received(0, neighbourUpdate(1, 1, 7));
    Object before = peer.state();
    assertThat(peer.received(0, neighbourUpdate(1, 1, 8))).isEmpty();
    assertThat(peer.state()).isEqualTo(before);
  }

  @Test
  void whenPatienceEndsTheOwnShareGrows() {
    Driver peer = waiting();
    peer.received(2, neighbourUpdate(1, 3, 2));
    assertThat(peer.timerFired("round-timeout", 1))
        .containsExactly(
            mix(1)
                .own(model(1), 0.75)
                .from(2, model(2), 0.25, Driver.SAMPLES)
                .after(Driver.counted("patience-ended")));
    assertThat(phase(peer)).isEqualTo(Phase.MERGING);
    assertThat(peer.timerFired("round-timeout", 1)).isEmpty();
    // A model that arrives during mixing can no longer be mixed, but does no harm.
    assertThat(peer.received(0, neighbourUpdate(1, 1, 7))).isEmpty();
    assertThat(peer.mixed(1, model(4))).hasSize(2);
    assertThat(((GossipState) peer.state()).storedUpdates()).isEmpty();
  }

  @Test
  void patienceOfAnotherRoundOrWhileTrainingIsIgnored() {
    Driver peer = waiting();
    assertThat(peer.timerFired("round-timeout", 2)).isEmpty();
    assertThat(peer.timerFired("round-timeout", 0)).isEmpty();
    Driver training = Driver.peer(METHOD, 1);
    training.started(0);
    assertThat(training.timerFired("round-timeout", 1)).isEmpty();
  }

  @Test
  void aRestoredPeerTakesUpWhatItWasDoing() {
    Driver training = Driver.peer(METHOD, 1);
    training.started(0, 2);
    assertThat(training.restored(0, 2)).containsExactly(train(START, 1));

    Driver peer = waiting();
    peer.received(0, neighbourUpdate(1, 1, 7));
    assertThat(peer.restored(0, 2))
        .containsExactly(ask(0, 1, 2, model(1)), ask(2, 1, 2, model(1)), roundTimer(1));
    peer.received(2, neighbourUpdate(1, 1, 2));
    assertThat(peer.restored(0, 2))
        .containsExactly(
            thirds(1, 1, 7, 2)
                .after(ask(0, 1, 2, model(1)), ask(2, 1, 2, model(1)), roundTimer(1)));
    assertThat(phase(peer)).isEqualTo(Phase.MERGING);
  }

  @Test
  void aRestoredPeerForgetsThoseWhoAreNoLongerNeighbours() {
    Driver peer = waiting();
    peer.received(0, neighbourUpdate(1, 1, 7));
    assertThat(peer.restored(2)).containsExactly(ask(2, 1, 1, model(1)), roundTimer(1));
    assertThat(((GossipState) peer.state()).storedUpdates()).isEmpty();
  }

  @Test
  void aNeighbourThatLeftIsNotWaitedFor() {
    Driver peer = waiting();
    peer.received(0, neighbourUpdate(1, 2, 7));
    assertThat(peer.neighboursChanged(0))
        .containsExactly(
            mix(1).own(model(1), 1 - 1.0 / 3).from(0, model(7), 1.0 / 3, Driver.SAMPLES).effects());
  }

  @Test
  void aNeighbourThatCameIsWaitedFor() {
    Driver peer = waiting();
    peer.received(0, neighbourUpdate(1, 1, 7));
    assertThat(peer.neighboursChanged(0, 2, 3)).containsExactly(ask(3, 1, 3, model(1)));
    assertThat(peer.received(2, neighbourUpdate(1, 1, 2))).isEmpty();
    assertThat(peer.received(3, neighbourUpdate(1, 1, 3)))
        .containsExactly(
            mix(1)
                .own(model(1), 0.25)
                .from(0, model(7), 0.25, Driver.SAMPLES)
                .from(2, model(2), 0.25, Driver.SAMPLES)
                .from(3, model(3), 0.25, Driver.SAMPLES)
                .effects());
  }

  @Test
  void changedNeighboursMeanNothingMoreWhileTraining() {
    Driver peer = Driver.peer(METHOD, 1);
    peer.started(0, 2);
    assertThat(peer.neighboursChanged(5)).isEmpty();
    assertThat(peer.state()).isEqualTo(state(Phase.WORKING, START, 0, 5));
  }

  @Test
  void aPeerWithoutNeighboursKeepsItsOwnModel() {
    Driver peer = Driver.peer(METHOD, 1);
    peer.started();
    assertThat(peer.trained(1, model(1)))
        .containsExactly(
            mix(1).own(model(1), 1).after(deployed(1, Stage.TRAINED, model(1)), roundTimer(1)));
  }

  @Test
  void theLastRoundEndsTheRun() {
    Driver peer = Driver.peer(METHOD, 1);
    peer.started(0);
    for (int round = 1; round <= Driver.ROUNDS; round++) {
      peer.trained(round, model(round));
      peer.received(0, neighbourUpdate(round, 1, 7));
      if (round < Driver.ROUNDS) {
        peer.mixed(round, model(5));
      }
    }
    assertThat(peer.mixed(3, model(5))).containsExactly(deployed(3, Stage.MIXED, model(5)));
    assertThat(phase(peer)).isEqualTo(Phase.DONE);
    assertThat(peer.received(0, neighbourUpdate(3, 1, 7))).containsExactly(LATE);
    assertThat(peer.received(0, offer(3, 1, model(7), true, 0)))
        .as("a request of the last round is answered with the trained model, not the average")
        .containsExactly(LATE, new Effect.Send(new PeerId(0), offer(3, 1, model(3), false, 0)));
    assertThat(peer.timerFired("round-timeout", 3)).isEmpty();
    assertThat(peer.restored(0)).isEmpty();
  }

  @Test
  void staleResultsChangeNothing() {
    Driver peer = waiting();
    Object before = peer.state();
    assertThat(peer.trained(1, model(8))).isEmpty();
    assertThat(peer.mixed(1, model(8))).isEmpty();
    assertThat(peer.trained(0, model(8))).isEmpty();
    assertThat(peer.state()).isEqualTo(before);
    peer.ignoresTheRest(
        new Event.LinkMeasured(1, new PeerId(0), 1, 1, 0), new Event.LeaveRequested(1));
  }

  @Test
  void aModelThatDidNotArriveIsSentAgainAFewTimes() {
    Driver peer = waiting();
    Effect failed = Driver.counted("send-failed");
    NeighbourUpdate model = offer(1, 2, model(1), false, 0);
    for (int attempt = 1; attempt <= 5; attempt++) {
      NeighbourUpdate again = offer(1, 2, model(1), false, attempt);
      assertThat(peer.sendFailed(0, model))
          .containsExactly(failed, new Effect.Send(new PeerId(0), again));
      model = again;
    }
    assertThat(peer.sendFailed(0, model)).containsExactly(failed);
    assertThat(peer.sendFailed(0, neighbourUpdate(0, 2, 1)))
        .as("of a round that is over")
        .containsExactly(failed);
    assertThat(peer.sendFailed(9, neighbourUpdate(1, 2, 1)))
        .as("to a former neighbour")
        .containsExactly(failed);
  }

  /** Peer 1 between 0 and 2 after mixing in round 2: it trains in round 3. */
  private static Driver inRoundThree(Dfedavgm method) {
    Driver peer = Driver.peer(method, 1);
    peer.started(0, 2);
    for (int round = 1; round <= 2; round++) {
      peer.trained(round, model(round));
      peer.received(0, neighbourUpdate(round, 1, 7));
      peer.received(2, neighbourUpdate(round, 1, 2));
      peer.mixed(round, model(10 + round));
    }
    return peer;
  }

  @Test
  void whoHasFallenBehindIsAnsweredWithTheNewestModel() {
    Driver peer = inRoundThree(METHOD);
    assertThat(peer.received(0, neighbourUpdate(1, 1, 7)))
        .as("while training the newest update is the trained model of the last round")
        .containsExactly(LATE, send(0, 2, 2, model(2)));
    assertThat(peer.received(0, neighbourUpdate(2, 1, 7)))
        .as("nothing newer to say")
        .containsExactly(LATE);
    peer.trained(3, model(3));
    assertThat(peer.received(0, neighbourUpdate(2, 1, 7)))
        .containsExactly(LATE, send(0, 3, 2, model(3)));
  }

  @Test
  void whoIsFarBehindGoesOnWhereHalfOfTheNeighboursAre() {
    Driver peer = waiting();
    peer.received(0, neighbourUpdate(3, 1, 7));
    assertThat(peer.received(2, neighbourUpdate(3, 1, 2)))
        .as("models of later rounds are as good as those of this one")
        .containsExactly(
            mix(1)
                .own(model(1), 1 - 2 * (1.0 / 3))
                .from(0, 3, model(7), 1.0 / 3, Driver.SAMPLES)
                .from(2, 3, model(2), 1.0 / 3, Driver.SAMPLES)
                .effects());
    assertThat(peer.mixed(1, model(5)))
        .containsExactly(deployed(1, Stage.MIXED, model(5)), train(model(5), 3));
  }

  @Test
  void theOnlyNeighbourThatClaimsTheLastRoundDoesNotEndTheRun() {
    Driver peer = Driver.peer(METHOD, 1);
    peer.started(0);
    peer.trained(1, model(1));
    peer.received(0, neighbourUpdate(3, 1, 7));
    assertThat(peer.mixed(1, model(5)))
        .containsExactly(deployed(1, Stage.MIXED, model(5)), train(model(5), 2));
  }

  @Test
  void oneNeighbourFarAheadDoesNotMakeAPeerSkipRounds() {
    Driver peer = waiting();
    peer.received(0, neighbourUpdate(3, 1, 7));
    peer.received(2, neighbourUpdate(1, 1, 2));
    assertThat(peer.mixed(1, model(5)))
        .containsExactly(deployed(1, Stage.MIXED, model(5)), train(model(5), 2));
  }

  @Test
  void whoAsksForThisRoundIsAnsweredOnceItIsTrained() {
    Driver peer = Driver.peer(METHOD, 1);
    peer.started(0, 2);
    NeighbourUpdate asking = offer(1, 1, model(7), true, 0);
    assertThat(peer.received(0, asking)).as("it will be sent when there is something").isEmpty();
    peer.trained(1, model(1));
    assertThat(peer.received(0, asking)).containsExactly(send(0, 1, 2, model(1)));
  }

  @Test
  void aRequestBeforeTheFirstUpdateIsNotAnswered() {
    Driver peer = Driver.peer(METHOD, 1);
    peer.started(0, 2);
    assertThat(peer.received(0, offer(0, 1, model(7), true, 0)))
        .as("the initial model is no update of a round")
        .containsExactly(LATE);
  }

  @Test
  void anOlderModelIsMixedWithinTheStalenessBound() {
    Driver peer = inRoundThree(new Dfedavgm(0.75, TimeoutPolicy.of(60), 1));
    peer.trained(3, model(3));
    assertThat(peer.timerFired("round-timeout", 3))
        .as("the models of round 2 are still there")
        .containsExactly(
            mix(3)
                .own(model(3), 1 - 2 * (1.0 / 3))
                .from(0, 2, model(7), 1.0 / 3, Driver.SAMPLES)
                .from(2, 2, model(2), 1.0 / 3, Driver.SAMPLES)
                .after(Driver.counted("patience-ended")));
  }

  @Test
  void ofEachNeighbourTwoModelsAreKeptAtMost() {
    Driver peer = waiting();
    for (int repeated = 0; repeated < 10; repeated++) {
      for (int round = 1; round <= 3; round++) {
        peer.received(0, neighbourUpdate(round, 1, 7));
      }
    }
    assertThat(((GossipState) peer.state()).storedUpdates()).hasSize(2);
  }
}
