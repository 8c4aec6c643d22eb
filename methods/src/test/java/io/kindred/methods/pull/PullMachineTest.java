package io.kindred.methods.pull;

import static io.kindred.methods.contract.Driver.model;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.LocalMessage;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Audience;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.baseline.Local;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.discovery.Oracle;
import io.kindred.methods.discovery.RandomDiscovery;
import io.kindred.methods.discovery.SignatureSettings;
import io.kindred.methods.pull.PullMachine.ModelReply;
import io.kindred.methods.pull.PullMachine.ModelRequest;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.signature.Precision;
import io.kindred.protocol.signature.SignatureRule;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PullMachineTest {
  private static final SignatureRule RULE =
      new SignatureRule(
          SignatureRule.Subject.WEIGHTS, 0, 5, 0.8, 0, 0.05, 1, 0.9, 1, Precision.FLOAT32);

  private static final RandomDiscovery RANDOM = new RandomDiscovery(new SignatureSettings(RULE, 0));

  static PullSettings pulling(double psi, double temperature, boolean self) {
    return new PullSettings(
        2,
        1,
        psi,
        1,
        AnchorWeights.SIMILARITY,
        temperature,
        self,
        TimeoutPolicy.of(60),
        1,
        Optional.of(0.5));
  }

  private static PullSettings weighted(AnchorWeights weights) {
    return PullSettingsBuilder.from(pulling(2, 0.5, true)).weights(weights).build();
  }

  private static PullSettings wanting(double k, int least) {
    return PullSettingsBuilder.from(pulling(2, 1, true)).k(k).least(least).build();
  }

  private static ModelReply reply(int round, Weights weights) {
    return reply(round, weights, Driver.SAMPLES);
  }

  private static ModelReply reply(int round, Weights weights, int samples) {
    return new ModelReply(round, round, weights, samples, 0);
  }

  private static Driver peer(PullSettings pullSettings) {
    return Driver.peer(new RandomK(pullSettings, RANDOM), 1);
  }

  private static Ticket work(List<Effect> effects) {
    return ((Effect.Compute) effects.getLast()).work();
  }

  private static List<Effect> told(Driver peer, LocalMessage message) {
    return peer.feed(new Event.Notified(50, Component.SHELL, message));
  }

  /** Trains and signs; returns the search that the peer sends. */
  private static Oracle.Ask asked(Driver peer, int round, Weights trained) {
    Ticket sign = work(peer.trained(round, trained));
    Result answer = new Result.Answered(((Ticket.Call) sign).function().apply());
    List<Effect> effects = peer.feed(new Event.Computed(40L + round, round, answer));
    return (Oracle.Ask) ((Effect.Notify) effects.getLast()).message();
  }

  private static List<Effect> found(Driver peer, Oracle.Ask ask) {
    return told(
        peer,
        new Oracle.Nearest(
            ask.number(),
            List.of(new Candidate(new PeerId(2), 0.5f), new Candidate(new PeerId(3), 0)),
            2));
  }

  private static Driver pulling(PullSettings pullSettings) {
    Driver peer = peer(pullSettings);
    peer.started(0, 2);
    found(peer, asked(peer, 1, model(4)));
    return peer;
  }

  private static List<MixturePart> mixture(List<Effect> effects) {
    return ((Ticket.Mix) work(effects)).mixture().parts();
  }

  private static void assertShares(List<MixturePart> parts, double... shares) {
    assertThat(parts).hasSize(shares.length);
    for (int i = 0; i < shares.length; i++) {
      assertThat(parts.get(i).coefficient()).as("part %d", i).isCloseTo(shares[i], within(1e-5));
    }
  }

  @Test
  void aPeerAsksThoseItFoundForTheModelsOfItsRound() {
    Driver peer = peer(pulling(2, 0.5, true));
    peer.started(0, 2);
    Oracle.Ask ask = asked(peer, 1, model(4));
    assertThat(ask.wanted()).isEqualTo(2);
    assertThat(ask.round()).isEqualTo(1);
    assertThat(found(peer, ask))
        .contains(
            new Effect.Observe(new Observation.SearchCompleted(1, 2, Driver.ids(2, 3))),
            new Effect.Send(new PeerId(2), new ModelRequest(1, 0)),
            new Effect.Send(new PeerId(3), new ModelRequest(1, 0)));
  }

  /** exp of 0, -1 and -2 over their sum are 0.66524, 0.24473, 0.09003; alpha is 2/3. */
  @Test
  void itGoesTwoThirdsOfTheWayToTheSoftmaxMeanOfAll() {
    Driver peer = pulling(pulling(2, 0.5, true));
    peer.received(3, reply(1, model(20)));
    List<MixturePart> parts = mixture(peer.received(2, reply(1, model(10))));
    assertThat(parts.stream().map(MixturePart::weights))
        .containsExactly(model(4), model(10), model(20));
    assertShares(parts, 0.77683, 0.16315, 0.06002);
    assertThat(peer.mixed(1, model(7)))
        .containsExactly(
            Driver.deployed(1, Stage.MIXED, model(7), Audience.SELF),
            new Effect.Compute(2, Driver.TRAINING.round(model(7), new PeerId(1), 2)));
  }

  /** Without itself: exp of 0 and -1 over their sum are 0.73106 and 0.26894. */
  @Test
  void theAnchorMayBeOfTheOthersOnly() {
    Driver peer = pulling(pulling(1, 0.5, false));
    peer.received(2, reply(1, model(10)));
    assertShares(mixture(peer.received(3, reply(1, model(20)))), 0.5, 0.36553, 0.13447);
  }

  /**
   * The standard deviation of 0.5 and 0 is 0.25, half of it the divisor, so exp of 0 (the own model
   * as the most similar one), 0 and -4 over their sum are 0.49546, 0.49546, 0.00907.
   */
  @Test
  void similaritiesMayBeDividedByTheirSpreadWithoutTheOwnModel() {
    Driver peer = pulling(weighted(AnchorWeights.SPREAD));
    peer.received(2, reply(1, model(10)));
    assertShares(mixture(peer.received(3, reply(1, model(20)))), 0.66364, 0.33031, 0.00605);
  }

  @Test
  void oneModelHasNoSpreadAndCountsAsMuchAsTheOwn() {
    Driver peer = pulling(weighted(AnchorWeights.SPREAD));
    peer.received(2, reply(1, model(10)));
    long number = ((PullState) peer.state()).search().number();
    assertShares(mixture(peer.timerFired("pull", number)), 2.0 / 3, 1.0 / 3);
  }

  @Test
  void modelsMayCountByTheSamplesOfTheirOwners() {
    Driver peer = pulling(weighted(AnchorWeights.SAMPLES));
    peer.received(2, reply(1, model(10), 2 * Driver.SAMPLES));
    assertShares(
        mixture(peer.received(3, reply(1, model(20), Driver.SAMPLES))), 0.5, 1.0 / 3, 1.0 / 6);
  }

  /** The median of the counts limits the count of a peer: 3 of 5 parts, alpha is 2/3. */
  @Test
  void aReportedNumberOfSamplesCountsAtMostThreeTimesTheMedian() {
    Driver peer = pulling(weighted(AnchorWeights.SAMPLES));
    peer.received(2, reply(1, model(10), Integer.MAX_VALUE));
    assertShares(
        mixture(peer.received(3, reply(1, model(20), Driver.SAMPLES))),
        1.0 / 3 + 2.0 / 15,
        6.0 / 15,
        2.0 / 15);
  }

  @Test
  void aModelOfOwnersWithoutSamplesStillCounts() {
    PullSettings others =
        PullSettingsBuilder.from(weighted(AnchorWeights.SAMPLES)).self(false).build();
    Driver peer = pulling(others);
    peer.received(2, reply(1, model(10), 0));
    assertShares(mixture(peer.received(3, reply(1, model(20), 0))), 1.0 / 3, 1.0 / 3, 1.0 / 3);
  }

  @Test
  void aNegativeNumberOfSamplesIsRefused() {
    Driver peer = pulling(weighted(AnchorWeights.SAMPLES));
    assertThat(peer.received(2, reply(1, model(10), -1)))
        .containsExactly(Driver.counted("unexpected-message"));
  }

  @Test
  void highTemperatureAndAttractionGiveTheMeanOfAllModels() {
    Driver peer = pulling(pulling(1e9, 1e9, true));
    peer.received(2, reply(1, model(10)));
    assertShares(mixture(peer.received(3, reply(1, model(20)))), 1.0 / 3, 1.0 / 3, 1.0 / 3);
  }

  @Test
  void withoutAttractionAPeerDoesWhatOneDoesThatNeverTalks() {
    Driver alone = Driver.peer(new Local(), 1);
    Driver peer = peer(pulling(0, 0.5, true));
    assertThat(peer.started(0, 2)).isEqualTo(alone.started(0, 2));
    for (int round = 1; round <= Driver.ROUNDS; round++) {
      assertThat(peer.trained(round, model(round))).isEqualTo(alone.trained(round, model(round)));
    }
  }

  @Test
  void whoIsAskedTooEarlyAnswersOnceItHasTrained() {
    Driver peer = peer(pulling(2, 0.5, true));
    ModelReply trainedAtTick3 = new ModelReply(1, 3, model(4), Driver.SAMPLES, 0);
    peer.started();
    assertThat(peer.received(5, new ModelRequest(1, 0))).isEmpty();
    assertThat(peer.received(6, new ModelRequest(2, 0))).isEmpty();
    assertThat(peer.trained(1, model(4)))
        .contains(new Effect.Send(new PeerId(5), trainedAtTick3))
        .doesNotContain(new Effect.Send(new PeerId(6), trainedAtTick3));
    assertThat(peer.received(7, new ModelRequest(1, 0)))
        .containsExactly(new Effect.Send(new PeerId(7), trainedAtTick3));
    assertThat(peer.received(7, new ModelRequest(9, 0)))
        .containsExactly(Driver.counted("unexpected-message"));
  }

  @Test
  void aModelThatComesTooLateFillsAnEmptyPlaceInTheNextRoundIfItIsAlike() {
    Driver peer = pulling(pulling(2, 0.5, true));
    long number = ((PullState) peer.state()).search().number();
    peer.received(2, reply(1, model(10)));
    assertThat(mixture(peer.timerFired("pull", number))).hasSize(2);
    peer.mixed(1, model(7));
    assertThat(peer.received(3, reply(1, model(20))))
        .containsExactly(Driver.counted("kept-late-model"));
    assertThat(peer.received(9, reply(1, model(20))))
        .as("no peer requested it")
        .containsExactly(Driver.counted("unexpected-message"));
    found(peer, asked(peer, 2, model(8)));
    peer.received(2, reply(2, model(11)));
    Ticket score = work(peer.timerFired("pull", ((PullState) peer.state()).search().number()));
    // model(20) has the direction of model(8): their cosine is one.
    Result scored = new Result.Answered(((Ticket.Call) score).function().apply());
    ScoreModels.ModelScores similarities =
        (ScoreModels.ModelScores) ((Result.Answered) scored).answer();
    assertThat(similarities.similarities().getFirst()).isCloseTo(1, within(1e-9));
    List<MixturePart> parts = mixture(peer.feed(new Event.Computed(99, 2, scored)));
    assertThat(parts.stream().map(MixturePart::weights))
        .containsExactly(model(8), model(11), model(20));
  }

  @Test
  void aModelThatArrivesWhileLateModelsAreScoredDoesNotReplaceThem() {
    Driver peer = pulling(pulling(2, 0.5, true));
    peer.timerFired("pull", ((PullState) peer.state()).search().number());
    peer.received(2, reply(1, model(20)));
    peer.received(3, reply(1, model(-20)));
    found(peer, asked(peer, 2, model(8)));
    Ticket score = work(peer.timerFired("pull", ((PullState) peer.state()).search().number()));
    Result scored = new Result.Answered(((Ticket.Call) score).function().apply());
    peer.received(2, reply(2, model(30)));
    List<MixturePart> parts = mixture(peer.feed(new Event.Computed(99, 2, scored)));
    assertThat(parts.stream().map(MixturePart::weights)).containsExactly(model(8), model(20));
  }

  @Test
  void whoSaysOfItselfWhatCannotBeIsNotAsked() {
    Driver peer = peer(pulling(2, 0.5, true));
    peer.started(0, 2);
    Oracle.Ask ask = asked(peer, 1, model(4));
    List<Candidate> implausible =
        List.of(new Candidate(new PeerId(2), Float.NaN), new Candidate(new PeerId(3), 100));
    assertThat(told(peer, new Oracle.Nearest(ask.number(), implausible, 2)))
        .noneMatch(Effect.Send.class::isInstance)
        .contains(Driver.deployed(1, Stage.MIXED, model(4), Audience.SELF));
  }

  @Test
  void aLateModelThatIsNotAlikeIsLeftOut() {
    Driver peer = pulling(pulling(2, 0.5, true));
    peer.timerFired("pull", ((PullState) peer.state()).search().number());
    peer.received(3, reply(1, model(-20)));
    found(peer, asked(peer, 2, model(8)));
    Ticket score = work(peer.timerFired("pull", ((PullState) peer.state()).search().number()));
    Result scored = new Result.Answered(((Ticket.Call) score).function().apply());
    assertThat(peer.feed(new Event.Computed(99, 2, scored)))
        .contains(Driver.deployed(2, Stage.MIXED, model(8), Audience.SELF));
  }

  @Test
  void aModelOlderThanTheBoundIsNoModel() {
    Driver peer = pulling(pulling(2, 0.5, true));
    for (int round = 1; round < 3; round++) {
      peer.timerFired("pull", ((PullState) peer.state()).search().number());
      found(peer, asked(peer, round + 1, model(4)));
    }
    assertThat(peer.received(2, reply(1, model(10)))).containsExactly(Driver.counted("late-model"));
  }

  @Test
  void whoFellBehindGoesOnWhereMostOthersAre() {
    Driver peer = pulling(pulling(2, 0.5, true));
    peer.received(2, reply(3, model(10)));
    peer.received(3, reply(3, model(20)));
    assertThat(peer.mixed(1, model(7)))
        .contains(new Effect.Compute(3, Driver.TRAINING.round(model(7), new PeerId(1), 3)));
  }

  @Test
  void whoCannotBeReachedIsNotWaitedFor() {
    Driver peer = pulling(pulling(2, 0.5, true));
    peer.received(2, reply(1, model(10)));
    assertThat(peer.sendFailed(3, new ModelRequest(1, 0)))
        .contains(new Effect.Send(new PeerId(3), new ModelRequest(1, 1)));
    assertThat(mixture(peer.sendFailed(3, new ModelRequest(1, PullMachine.RETRIES)))).hasSize(2);
  }

  @Test
  void aPeerRepeatsItsSearchUntilTheTimeoutAndThenTakesWhatThereIs() {
    Driver peer = peer(pulling(2, 0.5, true));
    peer.started();
    Oracle.Ask ask = asked(peer, 1, model(4));
    assertThat(told(peer, new Oracle.NotYet(ask.number())))
        .singleElement()
        .isInstanceOf(Effect.SetTimer.class);
    assertThat(peer.timerFired("ask-again", ask.number()))
        .containsExactly(new Effect.Notify(Component.SHELL, ask));
    assertThat(peer.timerFired("search", ask.number()))
        .containsExactly(
            new Effect.Notify(
                Component.SHELL,
                new Oracle.Ask(ask.number(), 2, Oracle.ComparedBy.CHANCE, 1, true, RULE)));
  }

  @Test
  void aRestoredPeerLooksForModelsAgain() {
    Driver peer = pulling(pulling(2, 0.5, true));
    List<Effect> effects = peer.restored();
    assertThat(((Effect.Notify) effects.getLast()).message()).isInstanceOf(Oracle.Ask.class);
  }

  @Test
  void aKAboveTheNumberOfOtherPeersIsWarnedOf() {
    RandomK method = new RandomK(wanting(7, 1), RANDOM);
    assertThat(method.warnings(8)).isEmpty();
    assertThat(method.warnings(7))
        .containsExactly(
            "'method.pull.k': 7 models in a round, but a peer has only 6 other peers and"
                + " pulls from all of them; choose at most 6, or a share below 1");
    assertThat(wanting(0.9, 1).warnings(1)).isEmpty();
  }

  @Test
  void soManyModelsAreWantedAsTheShareOfAllPeersComesTo() {
    assertThat(wanting(0.1, 1).pullCount(200)).isEqualTo(20);
    assertThat(wanting(0.1, 1).pullCount(4)).isEqualTo(1);
    assertThat(wanting(7, 1).pullCount(5)).isEqualTo(4);
  }

  @Test
  void aShareOfFewPeersIsAtLeastTheLeastNumberOfModels() {
    assertThat(wanting(0.1, 3).pullCount(200)).isEqualTo(20);
    assertThat(wanting(0.1, 3).pullCount(12)).isEqualTo(3);
    assertThat(wanting(0.1, 3).pullCount(3)).as("other peers").isEqualTo(2);
    assertThat(wanting(2, 3).pullCount(12)).as("a number is no share").isEqualTo(2);
  }
}
