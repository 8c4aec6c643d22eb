package io.kindred.simulator.invariants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.MixedModel;
import io.kindred.core.peer.Observation.Weighting;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerState;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.core.peer.Ticks;
import io.kindred.core.peer.Timer;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.StreamKey;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.environment.fault.FaultEvent;
import io.kindred.methods.contract.Conduct;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.methods.rounds.SlotModel;
import io.kindred.simulator.StepListener;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The checkers of mixtures accept what is right and reject what is wrong. */
class MixtureInvariantsTest {
  private static final PeerId PEER = new PeerId(0);
  private static final PeerId ONE = new PeerId(1);
  private static final PeerId OTHER = new PeerId(2);
  private static final Event ANY = new Event.LeaveRequested(5);
  private static final Weights OWN = weights(1);
  private static final Weights OF_ONE = weights(2);
  private static final Weights OF_OTHER = weights(3);

  private final DeliveredModels delivered = new DeliveredModels();

  private static Weights weights(float value) {
    return Weights.copyOf(Layout.builder().add("all", 1).build(), new float[] {value});
  }

  private static PeerStep step(Effect... effects) {
    return new PeerStep(
        new PeerState(List.of()),
        Arrays.stream(effects).map(each -> new Tagged<>(Component.METHOD, each)).toList());
  }

  private static NeighbourUpdate update(int round, int degree, Weights weights, double share) {
    return new NeighbourUpdate(
        round, degree, ModelUpdate.of(new SlotModel(0, weights, share)), false, 0);
  }

  private void receive(PeerId from, int round, int degree, Weights weights, double share) {
    delivered.stepped(
        1, PEER, new Event.Received(1, from, update(round, degree, weights, share)), step());
  }

  private static MixedModel model(PeerId from, int round, double weight, int samples) {
    return new MixedModel(from, round, weight, samples, MixedModel.Treatment.FULL);
  }

  private static MixturePart part(Weights weights, double share) {
    return new MixturePart(weights, share);
  }

  /** A mixture of round 3, of which the parts beside the observed models are the own ones. */
  private static PeerStep mixing(
      Weighting weighting, List<MixturePart> parts, MixedModel... models) {
    double own =
        parts.stream().mapToDouble(MixturePart::coefficient).sum()
            - Arrays.stream(models).mapToDouble(MixedModel::weight).sum();
    return step(
        new Effect.Observe(new Observation.ModelsMixed(3, 0, weighting, own, List.of(models))),
        new Effect.Compute(3, new Ticket.Mix(new Mixture(parts))));
  }

  private static void violates(Class<? extends StepListener> checker, ThrowingCallable wrong) {
    assertThatThrownBy(wrong)
        .isInstanceOfSatisfying(
            Violation.class,
            violation -> assertThat(violation.invariant()).isEqualTo(checker.getSimpleName()));
  }

  @Test
  void aMixedModelWasReceivedFromItsOwnerInItsRound() {
    receive(ONE, 3, 1, OF_ONE, 1);
    OnlyReceivedModelsAreMixed checker = new OnlyReceivedModelsAreMixed(delivered);
    List<MixturePart> parts = List.of(part(OWN, 0.5), part(OF_ONE, 0.5));
    checker.stepped(2, PEER, ANY, mixing(Weighting.EQUAL, parts, model(ONE, 3, 0.5, 0)));
    violates(
        OnlyReceivedModelsAreMixed.class,
        () -> checker.stepped(2, PEER, ANY, mixing(Weighting.EQUAL, parts, model(ONE, 2, 0.5, 0))));
    violates(
        OnlyReceivedModelsAreMixed.class,
        () ->
            checker.stepped(2, PEER, ANY, mixing(Weighting.EQUAL, parts, model(OTHER, 3, 0.5, 0))));
    violates(
        OnlyReceivedModelsAreMixed.class,
        () -> checker.stepped(2, PEER, ANY, mixing(Weighting.EQUAL, parts, model(ONE, 3, 0.4, 0))));
  }

  @Test
  void aMixtureOfReceivedModelsIsObserved() {
    receive(ONE, 3, 1, OF_ONE, 1);
    OnlyReceivedModelsAreMixed checker = new OnlyReceivedModelsAreMixed(delivered);
    PeerStep unobserved =
        step(
            new Effect.Compute(
                3, new Ticket.Mix(new Mixture(List.of(part(OWN, 0.5), part(OF_ONE, 0.5))))));
    violates(OnlyReceivedModelsAreMixed.class, () -> checker.stepped(2, PEER, ANY, unobserved));
    checker.stepped(3, PEER, new Event.Computed(3, 3, new Result.Mixed(OF_ONE)), step());
    assertThatCode(() -> checker.stepped(4, PEER, ANY, unobserved)).doesNotThrowAnyException();
  }

  @Test
  void aFormerNeighbourIsNotWeighedByItsNumberOfNeighbours() {
    receive(ONE, 3, 1, OF_ONE, 1);
    OnlyNeighboursAreWeighed checker = new OnlyNeighboursAreWeighed(delivered);
    List<MixturePart> parts = List.of(part(OWN, 0.5), part(OF_ONE, 0.5));
    PeerStep byDegree = mixing(Weighting.DEGREES, parts, model(ONE, 3, 0.5, 0));
    checker.stepped(1, PEER, new Event.Started(1, List.of(ONE, OTHER)), step());
    checker.stepped(2, PEER, ANY, byDegree);
    checker.stepped(3, PEER, new Event.NeighboursChanged(3, List.of(OTHER)), step());
    // The second model of the same round.
    checker.stepped(4, PEER, ANY, byDegree);
    checker.stepped(5, PEER, new Event.Restored(5, List.of(OTHER)), step());
    checker.stepped(6, PEER, ANY, mixing(Weighting.ESTIMATED, parts, model(ONE, 3, 0.5, 0)));
    violates(OnlyNeighboursAreWeighed.class, () -> checker.stepped(7, PEER, ANY, byDegree));
    checker.stepped(8, PEER, new Event.Restored(8, List.of(ONE)), step());
    assertThatCode(() -> checker.stepped(9, PEER, ANY, byDegree)).doesNotThrowAnyException();
  }

  @Test
  void aModelIsMixedOnceBetweenTwoTrainings() {
    receive(ONE, 3, 1, OF_ONE, 1);
    NothingMixedTwice checker = new NothingMixedTwice(delivered, 3);
    PeerStep once =
        mixing(Weighting.EQUAL, List.of(part(OWN, 0.5), part(OF_ONE, 0.5)), model(ONE, 3, 0.5, 0));
    checker.stepped(2, PEER, ANY, once);
    violates(NothingMixedTwice.class, () -> checker.stepped(3, PEER, ANY, once));
    checker.stepped(4, PEER, ANY, step(training(4, 1, OWN)));
    checker.stepped(5, PEER, ANY, once);
    checker.stepped(6, PEER, new Event.Restored(6, List.of()), step());
    checker.stepped(7, PEER, ANY, once);
    PeerStep twice =
        mixing(
            Weighting.EQUAL,
            List.of(part(OF_ONE, 0.5), part(OF_ONE, 0.5)),
            model(ONE, 3, 0.5, 0),
            model(ONE, 3, 0.5, 0));
    violates(
        NothingMixedTwice.class,
        () -> new NothingMixedTwice(delivered, 3).stepped(8, PEER, ANY, twice));
  }

  /** Peer 0 is the server of no peers, so that its training does not matter. */
  @Test
  void aServerMixesAModelOnceForAllRounds() {
    receive(ONE, 3, 1, OF_ONE, 1);
    NothingMixedTwice checker = new NothingMixedTwice(delivered, 0);
    PeerStep once = mixing(Weighting.EQUAL, List.of(part(OF_ONE, 1)), model(ONE, 3, 1, 0));
    checker.stepped(2, PEER, ANY, once);
    checker.stepped(4, PEER, ANY, step(training(4, 1, OWN)));
    violates(NothingMixedTwice.class, () -> checker.stepped(5, PEER, ANY, once));
  }

  @Test
  void weightsFollowTheSamplesThatTheOwnersHold() {
    receive(ONE, 3, 1, OF_ONE, 30);
    receive(OTHER, 3, 1, OF_OTHER, 10);
    WeightsAsDeclared checker =
        new WeightsAsDeclared(delivered, 3, peer -> List.of(40, 30, 10).get(peer));
    List<MixturePart> parts = List.of(part(OWN, 0.5), part(OF_ONE, 0.375), part(OF_OTHER, 0.125));
    checker.stepped(
        2,
        PEER,
        ANY,
        mixing(Weighting.SAMPLES, parts, model(ONE, 3, 0.375, 30), model(OTHER, 3, 0.125, 10)));
    violates(
        WeightsAsDeclared.class,
        () ->
            checker.stepped(
                2,
                PEER,
                ANY,
                mixing(
                    Weighting.SAMPLES,
                    parts,
                    model(ONE, 3, 0.375, 29),
                    model(OTHER, 3, 0.125, 10))));
    List<MixturePart> equal = List.of(part(OWN, 0.5), part(OF_ONE, 0.25), part(OF_OTHER, 0.25));
    violates(
        WeightsAsDeclared.class,
        () ->
            checker.stepped(
                2,
                PEER,
                ANY,
                mixing(
                    Weighting.SAMPLES, equal, model(ONE, 3, 0.25, 30), model(OTHER, 3, 0.25, 10))));
  }

  /** Metropolis weights of a peer with two neighbours: 1/(1+4) and 1/(1+2). */
  @Test
  void weightsFollowTheLargerNumberOfNeighbours() {
    receive(ONE, 3, 4, OF_ONE, 1);
    receive(OTHER, 3, 1, OF_OTHER, 1);
    WeightsAsDeclared checker = new WeightsAsDeclared(delivered, 3, peer -> -1);
    double third = 1 / 3.0;
    checker.stepped(
        2,
        PEER,
        ANY,
        mixing(
            Weighting.DEGREES,
            List.of(part(OWN, 0.8 - third), part(OF_ONE, 0.2), part(OF_OTHER, third)),
            model(ONE, 3, 0.2, 0),
            model(OTHER, 3, third, 0)));
    violates(
        WeightsAsDeclared.class,
        () ->
            checker.stepped(
                2,
                PEER,
                ANY,
                mixing(
                    Weighting.DEGREES,
                    List.of(part(OWN, 0.5), part(OF_ONE, 0.25), part(OF_OTHER, 0.25)),
                    model(ONE, 3, 0.25, 0),
                    model(OTHER, 3, 0.25, 0))));
  }

  @Test
  void modelsThatCountTheSameHaveEqualWeights() {
    receive(ONE, 3, 1, OF_ONE, 1);
    receive(OTHER, 3, 1, OF_OTHER, 1);
    WeightsAsDeclared checker = new WeightsAsDeclared(delivered, 3, peer -> -1);
    checker.stepped(
        2,
        PEER,
        ANY,
        mixing(
            Weighting.EQUAL,
            List.of(part(OWN, 0.5), part(OF_ONE, 0.25), part(OF_OTHER, 0.25)),
            model(ONE, 3, 0.25, 0),
            model(OTHER, 3, 0.25, 0)));
    violates(
        WeightsAsDeclared.class,
        () ->
            checker.stepped(
                2,
                PEER,
                ANY,
                mixing(
                    Weighting.EQUAL,
                    List.of(part(OWN, 0.5), part(OF_ONE, 0.2), part(OF_OTHER, 0.3)),
                    model(ONE, 3, 0.2, 0),
                    model(OTHER, 3, 0.3, 0))));
    violates(
        WeightsAsDeclared.class,
        () ->
            checker.stepped(
                2,
                PEER,
                ANY,
                mixing(
                    Weighting.EQUAL,
                    List.of(part(OWN, 0.6), part(OF_ONE, 0.4)),
                    model(ONE, 3, 0.4, 0))));
  }

  /** Of two neighbours one is missing: 2/3 of the own mass 1 stay, and 1.5 / 3 arrives. */
  @Test
  void massIsWhatStaysAndWhatArrives() {
    receive(ONE, 3, 2, OF_ONE, 1.5);
    MassIsConserved checker = new MassIsConserved(delivered, Conduct.Hostility.NONE);
    double whole = 2 / 3.0 + 0.5;
    double arrived = 0.5 / whole;
    PeerStep mixture =
        mixing(
            Weighting.MASS,
            List.of(part(OWN, 1 - arrived), part(OF_ONE, arrived)),
            model(ONE, 3, arrived, 0));
    checker.stepped(1, PEER, ANY, step(new Effect.Send(ONE, update(3, 2, OWN, 1))));
    checker.stepped(2, PEER, ANY, mixture);
    checker.stepped(3, PEER, ANY, step(new Effect.Send(ONE, update(4, 2, OWN, whole))));

    MassIsConserved kept = new MassIsConserved(delivered, Conduct.Hostility.NONE);
    kept.stepped(1, PEER, ANY, step(new Effect.Send(ONE, update(3, 2, OWN, 1))));
    kept.stepped(2, PEER, ANY, mixture);
    violates(
        MassIsConserved.class,
        () -> kept.stepped(3, PEER, ANY, step(new Effect.Send(ONE, update(4, 2, OWN, 1)))));

    MassIsConserved lost = new MassIsConserved(delivered, Conduct.Hostility.NONE);
    lost.stepped(1, PEER, ANY, step(new Effect.Send(ONE, update(3, 2, OWN, 1))));
    double more = 0.5 / (1 / 3.0 + 0.5);
    violates(
        MassIsConserved.class,
        () ->
            lost.stepped(
                2,
                PEER,
                ANY,
                mixing(
                    Weighting.MASS,
                    List.of(part(OWN, 1 - more), part(OF_ONE, more)),
                    model(ONE, 3, more, 0))));
  }

  private static Effect training(long round, long counter, Weights from) {
    return new Effect.Compute(
        round,
        new Ticket.Train(
            from,
            Objective.plain(),
            DataView.own(DataView.Split.TRAIN),
            new Optimizer(0.1, 0, 0),
            16,
            new Ticket.Duration.Epochs(1),
            new StreamKey(Purpose.BATCHES, 0, counter)));
  }

  @Test
  void theOwnPartOfAMixtureIsTheTrainedModel() {
    receive(ONE, 3, 1, OF_ONE, 1);
    TrainedModelsAreMixed checker = new TrainedModelsAreMixed(delivered);
    checker.stepped(1, PEER, ANY, step(training(3, 3, OWN)));
    Result trained = new Result.Trained(weights(7), 0, 1, Optional.empty());
    checker.stepped(2, PEER, new Event.Computed(2, 3, trained), step());
    MixedModel received = model(ONE, 3, 0.5, 0);
    checker.stepped(
        3,
        PEER,
        ANY,
        mixing(Weighting.EQUAL, List.of(part(weights(7), 0.5), part(OF_ONE, 0.5)), received));
    violates(
        TrainedModelsAreMixed.class,
        () ->
            checker.stepped(
                3,
                PEER,
                ANY,
                mixing(Weighting.EQUAL, List.of(part(OWN, 0.5), part(OF_ONE, 0.5)), received)));
  }

  @Test
  void everyRoundShufflesAnew() {
    ShufflesDiffer checker = new ShufflesDiffer();
    checker.stepped(1, PEER, ANY, step(training(1, 1, OWN), training(1, 1, OWN)));
    checker.stepped(2, PEER, ANY, step(training(2, 2, OWN)));
    violates(ShufflesDiffer.class, () -> checker.stepped(3, PEER, ANY, step(training(3, 2, OWN))));
    checker.stepped(4, PEER, new Event.Restored(4, List.of()), step(training(3, 2, OWN)));
  }

  @Test
  void timersAndResultsBelongToTheIncarnationThatAskedForThem() {
    OnlyOwnWorkReturns checker = new OnlyOwnWorkReturns();
    Timer timer = new Timer("round", 1);
    Event fired = new Event.TimerFired(3, timer);
    checker.stepped(1, PEER, ANY, step(new Effect.SetTimer(timer, 2), training(1, 1, OWN)));
    checker.stepped(3, PEER, fired, step());
    violates(OnlyOwnWorkReturns.class, () -> checker.stepped(4, PEER, fired, step()));
    checker.stepped(5, PEER, new Event.Restored(5, List.of()), step());
    Event trained = new Event.Computed(6, 1, new Result.Mixed(OWN));
    violates(OnlyOwnWorkReturns.class, () -> checker.stepped(6, PEER, trained, step()));
  }

  private static Effect deployed(int round, Observation.Stage stage, Weights weights) {
    return new Effect.Observe(
        new Observation.Deployed(
            round, stage, new Predictor.Single(weights), Observation.Audience.SELF));
  }

  @Test
  void noPeerIsTwoRoundsAheadOfAllOthers() {
    RoundsGoForward checker = new RoundsGoForward(Conduct.Hostility.NONE);
    checker.stepped(1, PEER, ANY, step(deployed(1, Observation.Stage.MIXED, OWN)));
    checker.stepped(2, ONE, ANY, step(deployed(2, Observation.Stage.TRAINED, OWN)));
    violates(
        RoundsGoForward.class,
        () -> checker.stepped(3, PEER, ANY, step(deployed(4, Observation.Stage.MIXED, OWN))));
  }

  @Test
  void clientsAreOneRoundAheadOfTheirServerAtMost() {
    ClientsFollowServer checker = new ClientsFollowServer();
    checker.stepped(1, ONE, ANY, step(deployed(1, Observation.Stage.TRAINED, OWN)));
    checker.stepped(2, PEER, ANY, step(new Effect.Observe(new Observation.RoundCompleted(1))));
    checker.stepped(3, ONE, ANY, step(deployed(2, Observation.Stage.TRAINED, OWN)));
    violates(
        ClientsFollowServer.class,
        () -> checker.stepped(4, ONE, ANY, step(deployed(3, Observation.Stage.TRAINED, OWN))));
  }

  @Test
  void someModelChangesInFiveRounds() {
    ModelsChange checker = new ModelsChange(2);
    PeerStep same = step(deployed(1, Observation.Stage.MIXED, OWN));
    for (int i = 0; i < 10; i++) {
      checker.stepped(i, i % 2 == 0 ? PEER : ONE, ANY, same);
    }
    checker.stepped(10, PEER, ANY, step(deployed(1, Observation.Stage.MIXED, OF_ONE)));
    for (int i = 0; i < 9; i++) {
      checker.stepped(11 + i, ONE, ANY, same);
    }
    violates(ModelsChange.class, () -> checker.stepped(20, ONE, ANY, same));
  }

  @Test
  void roundsAreCompletedWhileMostPeersAreUp() {
    RoundsAreCompleted checker = new RoundsAreCompleted(3, 9, 10);
    long second = Ticks.ofSeconds(1);
    checker.stepped(0, PEER, ANY, step(deployed(1, Observation.Stage.MIXED, OWN)));
    checker.stepped(10 * second, PEER, ANY, step());
    violates(RoundsAreCompleted.class, () -> checker.stepped(11 * second, PEER, ANY, step()));

    RoundsAreCompleted excused = new RoundsAreCompleted(3, 9, 10);
    excused.stepped(0, PEER, ANY, step(deployed(1, Observation.Stage.MIXED, OWN)));
    excused.faultOccurred(new FaultEvent.Crash(1, 3, false));
    excused.stepped(11 * second, PEER, ANY, step());
    excused.faultOccurred(new FaultEvent.Return(11 * second, 3));
    excused.stepped(12 * second, PEER, ANY, step());
    excused.stepped(22 * second, PEER, ANY, step());
    violates(RoundsAreCompleted.class, () -> excused.stepped(23 * second, PEER, ANY, step()));
  }
}
