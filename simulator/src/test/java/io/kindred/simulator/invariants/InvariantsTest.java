package io.kindred.simulator.invariants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.InterceptedLayer;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerState;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.environment.fault.FaultEvent;
import io.kindred.methods.contract.Conduct;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.hfl.HflMessage;
import io.kindred.methods.hfl.RoundAttempt;
import io.kindred.simulator.StepListener;
import io.kindred.simulator.state.Transfer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Every checker accepts what is right and rejects what is wrong. */
class InvariantsTest {
  private static final PeerId PEER = new PeerId(1);
  private static final Event TICK = new Event.Started(5, List.of());

  @Named("test/letter")
  record TestMessage() implements Message {}

  private static Transfer transfer(long number, long sentTick) {
    return new Transfer(number, 0, 1, Component.METHOD, new TestMessage(), 10, 0, 0, sentTick);
  }

  private static Weights weights(float... values) {
    return Weights.copyOf(Layout.builder().add("all", values.length).build(), values);
  }

  private static PeerStep step(Effect... effects) {
    return new PeerStep(
        new PeerState(List.of()),
        Arrays.stream(effects).map(each -> new Tagged<>(Component.METHOD, each)).toList());
  }

  private static Effect mix(long round, MixturePart... parts) {
    return new Effect.Compute(round, new Ticket.Mix(new Mixture(List.of(parts))));
  }

  private static Effect deployed(int round, Observation.Stage stage, Weights weights) {
    return new Effect.Observe(
        new Observation.Deployed(
            round, stage, new Predictor.Single(weights), Observation.Audience.SELF));
  }

  private static void violates(Class<? extends StepListener> checker, ThrowingCallable wrong) {
    assertThatThrownBy(wrong)
        .isInstanceOfSatisfying(
            Violation.class,
            violation -> assertThat(violation.invariant()).isEqualTo(checker.getSimpleName()));
  }

  @Test
  void nothingArrivesBeforeItWasSent() {
    NothingFromTheFuture checker = new NothingFromTheFuture();
    checker.arrived(transfer(1, 4), 5);
    violates(NothingFromTheFuture.class, () -> checker.arrived(transfer(1, 5), 5));
    checker.stepped(8, PEER, TICK, step());
    violates(NothingFromTheFuture.class, () -> checker.stepped(7, PEER, TICK, step()));
  }

  @Test
  void noPeerActsWhileDownOrPaused() {
    NobodyActsWhileGone checker = new NobodyActsWhileGone(2);
    Event event = new Event.LeaveRequested(5);
    checker.faultOccurred(new FaultEvent.Pause(1, 1));
    violates(NobodyActsWhileGone.class, () -> checker.stepped(5, PEER, event, step()));
    checker.faultOccurred(new FaultEvent.Resume(2, 1));
    checker.stepped(5, PEER, event, step());
    checker.faultOccurred(new FaultEvent.Crash(3, 1, false));
    violates(NobodyActsWhileGone.class, () -> checker.arrived(transfer(1, 1), 5));
    checker.stepped(6, PEER, new Event.Restored(6, List.of()), step());
    checker.stepped(6, PEER, event, step());
  }

  @Test
  void whatArrivesWasSentAsOften() {
    TransfersAddUp checker = new TransfersAddUp();
    checker.sent(transfer(1, 0), 0);
    checker.sent(transfer(1, 0), 0);
    checker.arrived(transfer(1, 0), 3);
    checker.lost(transfer(1, 0), 4);
    violates(TransfersAddUp.class, () -> checker.arrived(transfer(1, 0), 5));
  }

  @Test
  void whatIsUnderWayIsBounded() {
    BoundedQueue checker = new BoundedQueue(1);
    checker.queued(1_000);
    violates(BoundedQueue.class, () -> checker.queued(1_001));
  }

  @Test
  void anOldModelIsNotMixed() {
    BoundedStaleness checker = new BoundedStaleness(2, Conduct.Hostility.NONE);
    Weights old = weights(1, 2);
    checker.stepped(1, PEER, TICK, step(deployed(3, Observation.Stage.TRAINED, old)));
    PeerId other = new PeerId(PEER.number() + 1);
    checker.stepped(2, other, TICK, step(mix(5, new MixturePart(old, 1))));
    checker.stepped(3, PEER, TICK, step(mix(6, new MixturePart(old, 1))));
    violates(
        BoundedStaleness.class,
        () -> checker.stepped(3, other, TICK, step(mix(6, new MixturePart(old, 1)))));
  }

  private record Sent(Weights model) implements Message {}

  /** One peer is hostile, and its messages stay as they are. */
  private record OneHostile(PeerId hostile) implements Conduct.Hostility {
    @Override
    public boolean isHostile(PeerId peer) {
      return peer.equals(hostile);
    }

    @Override
    public List<InterceptedLayer<?>> layers(PeerContext peer, List<Component> components) {
      return List.of();
    }

    @Override
    public UnaryOperator<Weights> sentForm(PeerContext peer) {
      return UnaryOperator.identity();
    }
  }

  @Test
  void theAgeOfWeightsThatAHostilePeerAlsoSentIsUnknown() {
    PeerId other = new PeerId(PEER.number() + 1);
    PeerId hostile = new PeerId(PEER.number() + 2);
    Weights constant = weights(1e6f, 1e6f);
    Weights honest = weights(1, 2);
    BoundedStaleness checker = new BoundedStaleness(2, new OneHostile(hostile));
    for (Weights each : List.of(constant, honest)) {
      checker.stepped(1, PEER, TICK, step(deployed(3, Observation.Stage.TRAINED, each)));
    }
    checker.stepped(2, hostile, TICK, step(new Effect.Send(other, new Sent(constant))));
    checker.stepped(3, other, TICK, step(mix(6, new MixturePart(constant, 1))));
    violates(
        BoundedStaleness.class,
        () -> checker.stepped(3, other, TICK, step(mix(6, new MixturePart(honest, 1)))));
  }

  @Test
  void computedWeightsAreNumbers() {
    FiniteWeights checker = new FiniteWeights();
    checker.stepped(1, PEER, new Event.Computed(1, 1, new Result.Mixed(weights(1, 2))), step());
    Event broken = new Event.Computed(1, 1, new Result.Mixed(weights(1, Float.NaN)));
    violates(FiniteWeights.class, () -> checker.stepped(1, PEER, broken, step()));
    Result.Trained endless =
        new Result.Trained(weights(1), 0, 1, Optional.of(weights(Float.POSITIVE_INFINITY)));
    Event velocity = new Event.Computed(1, 1, endless);
    violates(FiniteWeights.class, () -> checker.stepped(1, PEER, velocity, step()));
  }

  @Test
  void workIsOfADeclaredKind() {
    Effect mixing = mix(1, new MixturePart(weights(1), 1));
    new OnlyDeclaredWork(new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.MIX)))
        .stepped(1, PEER, TICK, step(mixing));
    OnlyDeclaredWork strict = new OnlyDeclaredWork(new TreeSet<>(List.of(Ticket.Kind.TRAIN)));
    violates(OnlyDeclaredWork.class, () -> strict.stepped(1, PEER, TICK, step(mixing)));
  }

  @Test
  void sharesAreAnAverage() {
    MixturesSumToOne checker = new MixturesSumToOne();
    Weights any = weights(1, 2);
    checker.stepped(
        1, PEER, TICK, step(mix(1, new MixturePart(any, 0.25), new MixturePart(any, 0.75))));
    violates(
        MixturesSumToOne.class,
        () ->
            checker.stepped(
                1, PEER, TICK, step(mix(1, new MixturePart(any, 0.5), new MixturePart(any, 0.6)))));
    violates(
        MixturesSumToOne.class,
        () ->
            checker.stepped(
                1, PEER, TICK, step(mix(1, new MixturePart(any, -1), new MixturePart(any, 2)))));
  }

  @Test
  void contributionsGoIntoOneAverageAtMost() {
    NothingAggregatedTwice checker = new NothingAggregatedTwice();
    RoundAttempt attempt = new RoundAttempt(0, 2, 100);
    Weights one = weights(1, 2);
    Weights other = weights(3, 4);
    Event first =
        new Event.Received(1, new PeerId(2), new HflMessage.Update(attempt, 0, one, -1, 0));
    Event again =
        new Event.Received(1, new PeerId(2), new HflMessage.Update(attempt, 0, one, -1, 1));
    Event alike =
        new Event.Received(1, new PeerId(3), new HflMessage.Update(attempt, 0, one, -1, 0));
    checker.stepped(1, PEER, first, step());
    checker.stepped(2, PEER, alike, step());
    PeerStep averaged =
        step(
            mix(
                2,
                new MixturePart(one, 0.3),
                new MixturePart(one, 0.3),
                new MixturePart(other, 0.4)));
    checker.stepped(3, PEER, again, averaged);
    violates(
        NothingAggregatedTwice.class,
        () -> checker.stepped(4, PEER, again, step(mix(2, new MixturePart(one, 1)))));
    checker.stepped(5, PEER, new Event.Restored(5, List.of()), step());
    assertThatCode(() -> checker.stepped(6, PEER, first, step(mix(2, new MixturePart(one, 1)))))
        .doesNotThrowAnyException();
  }

  @Test
  void roundsGoForwardWithinALife() {
    RoundsGoForward checker = new RoundsGoForward(Conduct.Hostility.NONE);
    Event event = new Event.LeaveRequested(1);
    PeerStep second = step(deployed(2, Observation.Stage.MIXED, weights(1)));
    checker.stepped(0, PEER, event, step(deployed(1, Observation.Stage.MIXED, weights(1))));
    checker.stepped(1, PEER, event, second);
    violates(RoundsGoForward.class, () -> checker.stepped(2, PEER, event, second));
    checker.stepped(3, PEER, new Event.Restored(3, List.of()), step());
    assertThatCode(() -> checker.stepped(4, PEER, event, second)).doesNotThrowAnyException();
  }

  /** A coordinator begins a global round with a model. */
  private static void begin(LearningGoesOn checker, int round, int model) {
    checker.stepped(
        round,
        new PeerId(3),
        TICK,
        step(
            new Effect.Send(
                PEER, new HflMessage.Begin(new RoundAttempt(0, round, round), weights(model)))));
  }

  @Test
  void clustersKeepTrainingWhileMostClientsAreUp() {
    LearningGoesOn checker = new LearningGoesOn(3);
    checker.faultOccurred(new FaultEvent.Crash(0, 2, true));
    for (int round = 1; round <= LearningGoesOn.ROUNDS; round++) {
      begin(checker, round, 1);
    }
    for (int round = 11; round <= 10 + LearningGoesOn.ROUNDS; round++) {
      begin(checker, round, 2);
    }
    violates(LearningGoesOn.class, () -> begin(checker, 20, 2));
  }

  @Test
  void aRoundThatMostClientsMissIsNotWasted() {
    LearningGoesOn checker = new LearningGoesOn(3);
    checker.faultOccurred(new FaultEvent.Crash(0, 1, true));
    checker.faultOccurred(new FaultEvent.Pause(0, 2));
    for (int round = 1; round < 20; round++) {
      begin(checker, round, 1);
    }
    checker.faultOccurred(new FaultEvent.FaultsEnd(20));
    for (int round = 20; round < 40; round++) {
      begin(checker, round, 1);
      checker.faultOccurred(new FaultEvent.LinkCut(round, 0, 1));
      checker.faultOccurred(new FaultEvent.Heal(round));
    }
  }
}
