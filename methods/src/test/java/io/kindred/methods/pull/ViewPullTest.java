package io.kindred.methods.pull;

import static io.kindred.methods.contract.Driver.model;
import static io.kindred.methods.contract.Driver.weights;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Audience;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Ticks;
import io.kindred.core.peer.Timer;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.discovery.CompareModels;
import io.kindred.methods.discovery.NeighbourDiscovery;
import io.kindred.methods.discovery.SketchModel;
import io.kindred.methods.discovery.ViewDiscovery;
import io.kindred.methods.pull.PullMachine.ModelReply;
import io.kindred.methods.pull.PullMachine.ModelRequest;
import io.kindred.protocol.discovery.AdvertisedModel;
import io.kindred.protocol.discovery.Contact;
import io.kindred.protocol.discovery.Descriptor;
import io.kindred.protocol.discovery.DiscoveryState;
import io.kindred.protocol.discovery.Distrust;
import io.kindred.protocol.discovery.Sketch;
import io.kindred.protocol.discovery.SketchForm;
import io.kindred.protocol.discovery.SketchRule;
import io.kindred.protocol.discovery.ViewEntry;
import io.kindred.protocol.discovery.ViewMessage.ExchangePush;
import io.kindred.protocol.discovery.ViewMessage.ExchangeReply;
import io.kindred.protocol.discovery.ViewMessage.ExchangeRequest;
import io.kindred.protocol.discovery.ViewSettings;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A peer that pulls from a view of similar peers, one event at a time. */
class ViewPullTest {
  private static final SketchRule RULE =
      new SketchRule(SketchRule.Subject.CHANGE, SketchForm.FLOAT, 256, 0);

  /** The initial weights of all peers of a {@link Driver}. */
  private static final Weights START = weights(0, 0);

  private static ViewSettings settings(SketchRule rule, boolean checks) {
    return new ViewSettings(8, 8, 4, 8, 4, 10, 1, 0.8, checks, 40, 3, 2, rule);
  }

  private static Driver peer(PullSettings pullSettings) {
    return Driver.peer(new SemanticDfl(pullSettings, new ViewDiscovery(settings(RULE, true))), 1);
  }

  private static Sketch sketch(Weights weights) {
    return RULE.sketch(weights, START, START);
  }

  private static Ticket.Call call(List<Effect> effects) {
    return (Ticket.Call) ((Effect.Compute) effects.getLast()).work();
  }

  /** Computes the ticket at the end of the effects. */
  private static List<Effect> answered(Driver peer, int round, List<Effect> effects) {
    Result answer = new Result.Answered(call(effects).function().apply());
    return peer.feed(new Event.Computed(60L + round, round, answer));
  }

  /** Trains and sketches; the view then answers the search within the same step. */
  private static List<Effect> searched(Driver peer, int round, Weights trained) {
    return answered(peer, round, peer.trained(round, trained));
  }

  private static ModelReply reply(int round, Weights weights) {
    return new ModelReply(round, round, weights, Driver.SAMPLES, 0);
  }

  /** What a peer says about its own model in an exchange. */
  private static ExchangeRequest claim(long peer, int version, Weights weights) {
    return new ExchangeRequest(
        1000 + peer,
        Optional.of(new Descriptor(new PeerId(peer), version, sketch(weights))),
        List.of(),
        List.of());
  }

  private static List<MixturePart> mixture(List<Effect> effects) {
    return effects.stream()
        .filter(Effect.Compute.class::isInstance)
        .map(each -> ((Ticket.Mix) ((Effect.Compute) each).work()).mixture().parts())
        .findFirst()
        .orElseThrow();
  }

  private static List<Message> sentTo(List<Effect> effects, long peer) {
    return effects.stream()
        .filter(Effect.Send.class::isInstance)
        .map(Effect.Send.class::cast)
        .filter(each -> each.to().equals(new PeerId(peer)))
        .map(Effect.Send::message)
        .toList();
  }

  /** A peer that has asked peer 3 for its model of the first round. */
  private static Driver pulling() {
    Driver peer = peer(PullMachineTest.pulling(2, 0.5, true));
    peer.started(2, 3);
    peer.receivedByDiscovery(3, claim(3, 1, model(10)));
    assertThat(candidates(searched(peer, 1, model(4)))).isEqualTo(Driver.ids(3));
    return peer;
  }

  private static long attempt(Driver peer) {
    return peer.state(PullState.class).search().number();
  }

  @Test
  void aPeerAdvertisesTheSketchOfTheModelThatItSends() {
    Driver peer = peer(PullMachineTest.pulling(2, 0.5, true));
    peer.started(2, 3);
    List<Effect> trained = peer.trained(1, model(4));
    assertThat(call(trained).function()).isEqualTo(new SketchModel(RULE, model(4), START, START));
    List<Effect> effects = answered(peer, 1, trained);
    Optional<Descriptor> own = Optional.of(new Descriptor(new PeerId(1), 1, sketch(model(4))));
    assertThat(effects)
        .filteredOn(Effect.Send.class::isInstance)
        .extracting(each -> ((Effect.Send) each).message())
        .filteredOn(ExchangeRequest.class::isInstance)
        .isNotEmpty()
        .allSatisfy(each -> assertThat(((ExchangeRequest) each).own()).isEqualTo(own));
    assertThat(peer.received(7, new ModelRequest(1, 0)))
        .containsExactly(new Effect.Send(new PeerId(7), reply(1, model(4))));
    assertThat(peer.state(DiscoveryState.class).own()).isEqualTo(own);
  }

  /** Two exchanges have begun, and their partners are no contacts until they reply. */
  @Test
  void beforeAnySketchIsKnownItPullsFromContacts() {
    Driver peer = peer(PullMachineTest.pulling(2, 0.5, true));
    peer.started(2, 3, 4, 5);
    List<Effect> effects = searched(peer, 1, model(4));
    List<PeerId> found = candidates(effects);
    assertThat(found).hasSize(2).isSubsetOf(Driver.ids(2, 3, 4, 5));
    for (PeerId each : found) {
      assertThat(sentTo(effects, each.number())).containsExactly(new ModelRequest(1, 0));
    }
  }

  @Test
  void aReplyThatTakesLongerThanARoundStillCounts() {
    Driver peer = peer(PullMachineTest.pulling(2, 0.5, true));
    long number = ((ExchangeRequest) sentTo(peer.started(2), 2).getFirst()).number();
    searched(peer, 1, model(4));
    peer.receivedByDiscovery(
        2,
        new ExchangeReply(
            number,
            Optional.empty(),
            List.of(),
            List.of(),
            List.of(new Contact(new PeerId(5), 0))));
    assertThat(peer.state(DiscoveryState.class).contacts())
        .extracting(Contact::peer)
        .contains(new PeerId(5));
  }

  @Test
  void aPushThatTakesLongerThanARoundStillCounts() {
    Driver peer = peer(PullMachineTest.pulling(2, 0.5, true));
    peer.started(2);
    peer.receivedByDiscovery(7, claim(7, 1, model(10)));
    searched(peer, 1, model(4));
    ExchangePush push =
        new ExchangePush(
            claim(7, 1, model(10)).number(),
            List.of(new AdvertisedModel(new Descriptor(new PeerId(8), 1, sketch(model(20))), 0)));
    assertThat(peer.receivedByDiscovery(7, push)).isEmpty();
    assertThat(peer.state(DiscoveryState.class).entries())
        .extracting(ViewEntry::peer)
        .contains(new PeerId(8));
    assertThat(peer.receivedByDiscovery(7, push))
        .as("once only")
        .containsExactly(Driver.counted("unexpected-message"));
  }

  /** The cosines with model(4) are 1 and 0: exp of 0, 0 and -2 over their sum; alpha is 2/3. */
  @Test
  void mixingWeightsFollowTheCosinesOfTheModelsAndNotTheClaims() {
    Driver peer = peer(PullMachineTest.pulling(2, 0.5, true));
    peer.started(2, 3);
    peer.receivedByDiscovery(2, claim(2, 1, model(10)));
    peer.receivedByDiscovery(3, claim(3, 1, model(10)));
    searched(peer, 1, model(4));
    peer.received(3, reply(1, weights(5, 5)));
    List<Effect> effects = answered(peer, 1, peer.received(2, reply(1, model(10))));
    List<MixturePart> parts = mixture(effects);
    assertThat(parts.stream().map(MixturePart::weights))
        .containsExactly(model(4), model(10), weights(5, 5));
    assertThat(parts.get(0).coefficient()).isCloseTo(0.645541, within(1e-5));
    assertThat(parts.get(1).coefficient()).isCloseTo(0.312207, within(1e-5));
    assertThat(parts.get(2).coefficient()).isCloseTo(0.042253, within(1e-5));
  }

  @Test
  void aModelThatIsNotWhatItsOwnerAdvertisedEndsTheTrustInTheOwner() {
    Driver peer = peer(PullMachineTest.pulling(2, 0.5, true));
    peer.started(2, 3);
    peer.receivedByDiscovery(2, claim(2, 1, model(10)));
    peer.receivedByDiscovery(3, claim(3, 1, model(10)));
    searched(peer, 1, model(4));
    peer.received(3, reply(1, model(10)));
    List<Effect> effects = answered(peer, 1, peer.received(2, reply(1, model(-20))));
    assertThat(effects).contains(Driver.contradicted("false-sketch-claim", 2));
    assertThat(peer.state(DiscoveryState.class).distrusted())
        .extracting(Distrust::peer, Distrust::reason)
        .containsExactly(tuple(new PeerId(2), Distrust.Reason.FALSE_CLAIM));
    peer.mixed(1, model(7));
    List<Effect> next = searched(peer, 2, model(8));
    assertThat(sentTo(next, 2)).isEmpty();
    assertThat(sentTo(next, 3)).contains(new ModelRequest(2, 0));
  }

  @Test
  void aModelThatIsWhatItsOwnerAdvertisedMarksTheOwnerAsChecked() {
    Driver peer = peer(PullMachineTest.pulling(2, 0.5, true));
    peer.started(2, 3);
    peer.receivedByDiscovery(2, claim(2, 1, model(10)));
    searched(peer, 1, model(4));
    peer.received(3, reply(1, model(20)));
    List<Effect> effects = answered(peer, 1, peer.received(2, reply(1, model(10))));
    assertThat(effects).doesNotContain(Driver.contradicted("false-sketch-claim", 2));
    assertThat(peer.state(DiscoveryState.class).entries())
        .filteredOn(each -> each.peer().equals(new PeerId(2)))
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.checked()).isTrue();
              assertThat(each.descriptor())
                  .isEqualTo(new Descriptor(new PeerId(2), 1, sketch(model(10))));
            });
  }

  @Test
  void aModelTooLargeToCompareIsNeitherMixedNorTrusted() {
    Driver peer = peer(PullMachineTest.pulling(2, 0.5, true));
    peer.started(2, 3);
    peer.receivedByDiscovery(2, claim(2, 1, model(10)));
    peer.receivedByDiscovery(3, claim(3, 1, model(10)));
    searched(peer, 1, model(4));
    peer.received(3, reply(1, model(10)));
    List<Effect> effects = answered(peer, 1, peer.received(2, reply(1, weights(1e30f, -1e30f))));
    assertThat(effects)
        .contains(
            Driver.counted("incomparable-model"), Driver.contradicted("false-sketch-claim", 2));
    assertThat(mixture(effects).stream().map(MixturePart::weights))
        .containsExactly(model(4), model(10));
  }

  @Test
  void lateModelsAreComparedByTheirCosineToo() {
    Driver peer = peer(PullMachineTest.pulling(2, 0.5, true));
    peer.started(2, 3);
    peer.receivedByDiscovery(2, claim(2, 1, model(10)));
    peer.receivedByDiscovery(3, claim(3, 1, model(10)));
    searched(peer, 1, model(4));
    peer.timerFired("pull", attempt(peer));
    assertThat(peer.received(2, reply(1, model(10))))
        .containsExactly(Driver.counted("kept-late-model"));
    assertThat(peer.received(3, reply(1, weights(5, 5))))
        .containsExactly(Driver.counted("kept-late-model"));
    searched(peer, 2, model(8));
    List<Effect> effects = answered(peer, 2, peer.timerFired("pull", attempt(peer)));
    // The cosine of model(10) is 1; that of (5, 5) is 0, which is less than 0.5.
    assertThat(mixture(effects).stream().map(MixturePart::weights))
        .containsExactly(model(8), model(10));
  }

  @Test
  void aRestoredPeerSearchesItsViewAgainInEveryPhase() {
    Driver sketching = peer(PullMachineTest.pulling(2, 0.5, true));
    sketching.started(2, 3);
    sketching.trained(1, model(4));
    assertThat(call(sketching.restored(2, 3)).function()).isInstanceOf(SketchModel.class);

    Driver waiting = pulling();
    assertThat(sentTo(waiting.restored(2, 3), 3)).contains(new ModelRequest(1, 0));

    Driver comparing = pulling();
    List<Effect> compare = comparing.received(3, reply(1, model(10)));
    assertThat(call(compare).function()).isInstanceOf(CompareModels.class);
    assertThat(sentTo(comparing.restored(2, 3), 3)).contains(new ModelRequest(1, 0));

    Driver mixing = pulling();
    answered(mixing, 1, mixing.received(3, reply(1, model(10))));
    assertThat(sentTo(mixing.restored(2, 3), 3)).contains(new ModelRequest(1, 0));
  }

  /** Without the wait it would run ahead of all peers that it meets later. */
  @Test
  void aPeerThatKnowsNoPeerAsksAgainAndAtTheTimeoutGoesOnAlone() {
    Driver peer = peer(PullMachineTest.pulling(2, 0.5, true));
    peer.started();
    List<Effect> first = searched(peer, 1, model(4));
    assertThat(first)
        .containsExactly(
            new Effect.SetTimer(new Timer("ask-again", attempt(peer)), Ticks.ofSeconds(0.1)),
            new Effect.SetTimer(new Timer("search", attempt(peer)), Ticks.ofSeconds(60)));
    assertThat(peer.timerFired("ask-again", attempt(peer)))
        .containsExactly(
            new Effect.SetTimer(new Timer("ask-again", attempt(peer)), Ticks.ofSeconds(0.2)));
    assertThat(peer.timerFired("search", attempt(peer)))
        .contains(
            Driver.counted("search-ended"),
            Driver.deployed(1, Stage.MIXED, model(4), Audience.SELF));
  }

  @Test
  void aPeerThatMeetsAPeerWhileItWaitsPullsFromIt() {
    Driver peer = peer(PullMachineTest.pulling(2, 0.5, true));
    peer.started();
    searched(peer, 1, model(4));
    peer.receivedByDiscovery(3, claim(3, 1, model(10)));
    assertThat(candidates(peer.timerFired("ask-again", attempt(peer)))).isEqualTo(Driver.ids(3));
  }

  @Test
  void aPeerThatHasFinishedStillSendsItsModel() {
    Driver peer = peer(PullMachineTest.pulling(2, 0.5, true));
    peer.started();
    for (int round = 1; round <= Driver.ROUNDS; round++) {
      searched(peer, round, model(round));
      peer.timerFired("search", attempt(peer));
    }
    assertThat(peer.state(PullState.class).phase()).isEqualTo(PullState.Phase.DONE);
    assertThat(peer.received(7, new ModelRequest(Driver.ROUNDS, 0)))
        .containsExactly(
            new Effect.Send(
                new PeerId(7), new ModelReply(Driver.ROUNDS, 5, model(3), Driver.SAMPLES, 0)));
    assertThat(sentTo(peer.receivedByDiscovery(7, claim(7, 1, model(9))), 7)).hasSize(1);
  }

  @Test
  void withNeighboursAPeerPullsFromItsNeighboursOnly() {
    Driver peer =
        Driver.peer(
            new RandomK(PullMachineTest.pulling(2, 0.5, true), new NeighbourDiscovery()), 1);
    assertThat(peer.started(2, 3, 5)).noneMatch(Effect.Send.class::isInstance);
    List<Effect> first = peer.trained(1, model(4));
    assertThat(candidates(first)).hasSize(2).isSubsetOf(Driver.ids(2, 3, 5));
    peer.neighboursChanged(6);
    List<Effect> compare =
        peer.sendFailed(
            candidates(first).getFirst().number(), new ModelRequest(1, PullMachine.RETRIES));
    assertThat(compare).noneMatch(Effect.Compute.class::isInstance);
    peer.timerFired("pull", attempt(peer));
    assertThat(candidates(peer.trained(2, model(5)))).isEqualTo(Driver.ids(6));
  }

  @Test
  void neighboursAreDrawnAnewInEveryRound() {
    PullSettings one = PullSettingsBuilder.from(PullMachineTest.pulling(2, 0.5, true)).k(1).build();
    SortedSet<PeerId> drawn = new TreeSet<>();
    for (long self = 1; self <= 5; self++) {
      Driver peer = Driver.peer(new RandomK(one, new NeighbourDiscovery()), self);
      peer.started(6, 7, 8);
      for (int round = 1; round <= Driver.ROUNDS; round++) {
        List<PeerId> found = candidates(peer.trained(round, model(4)));
        assertThat(found).hasSize(1);
        drawn.addAll(found);
        peer.timerFired("pull", attempt(peer));
      }
    }
    assertThat(drawn).containsExactlyElementsOf(Driver.ids(6, 7, 8));
  }

  /** The peers that a search found. */
  private static List<PeerId> candidates(List<Effect> effects) {
    return effects.stream()
        .filter(Effect.Observe.class::isInstance)
        .map(each -> ((Effect.Observe) each).observation())
        .filter(Observation.SearchCompleted.class::isInstance)
        .map(each -> ((Observation.SearchCompleted) each).peers())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void discoveriesThatDoNotFitAMethodAreRefused() {
    PullSettings pullSettings = PullMachineTest.pulling(2, 0.5, true);
    ViewDiscovery views = new ViewDiscovery(settings(RULE, true));
    assertThatThrownBy(() -> new RandomK(pullSettings, views))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("does not choose peers by similarity");
    assertThatThrownBy(() -> new ClassSimilarity(pullSettings, views))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("compares class counts");
    SketchRule ofUpdates = new SketchRule(SketchRule.Subject.UPDATE, SketchForm.INT8, 64, 0);
    assertThatThrownBy(() -> new ViewDiscovery(settings(ofUpdates, true)))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("cannot be checked");
    assertThat(new ViewDiscovery(settings(ofUpdates, false)).sketchingOfPulled()).isEmpty();
  }
}
