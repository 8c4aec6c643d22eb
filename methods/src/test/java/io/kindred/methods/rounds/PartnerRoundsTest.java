package io.kindred.methods.rounds;

import static io.kindred.methods.contract.Driver.model;
import static io.kindred.methods.contract.Driver.weights;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Audience;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Timer;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Weights;
import io.kindred.methods.clustered.Dfca;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.discovery.CompareModels;
import io.kindred.methods.discovery.SketchModel;
import io.kindred.methods.discovery.ViewDiscovery;
import io.kindred.methods.mixing.Dpfl;
import io.kindred.methods.rounds.GossipState.Phase;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.protocol.discovery.Descriptor;
import io.kindred.protocol.discovery.DiscoveryState;
import io.kindred.protocol.discovery.Distrust;
import io.kindred.protocol.discovery.SketchForm;
import io.kindred.protocol.discovery.SketchRule;
import io.kindred.protocol.discovery.ViewEntry;
import io.kindred.protocol.discovery.ViewMessage.ExchangeRequest;
import io.kindred.protocol.discovery.ViewSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Rounds with partners that a view names, one event at a time; peer 1 asks for one partner. */
class PartnerRoundsTest {
  private static final SketchRule RULE =
      new SketchRule(SketchRule.Subject.CHANGE, SketchForm.FLOAT, 256, 0);
  private static final ViewDiscovery VIEWS =
      new ViewDiscovery(new ViewSettings(8, 8, 4, 8, 4, 10, 1, 0.8, true, 40, 3, 2, RULE));
  private static final Effect UNEXPECTED = Driver.counted("unexpected-message");

  private static Dpfl method(int k) {
    return new Dpfl(
        2, 5, Dpfl.SelectionSplit.TRAIN, TimeoutPolicy.of(60), 0, new PartnerSettings(VIEWS, k));
  }

  private static GossipState state(Driver peer) {
    return peer.state(GossipState.class);
  }

  private static DiscoveryState discovery(Driver peer) {
    return peer.state(DiscoveryState.class);
  }

  private static long version(Driver peer) {
    return state(peer).search().orElseThrow().model().version();
  }

  private static PartnerUpdate update(int round, long version, Weights weights, boolean asks) {
    return new PartnerUpdate(
        round, version, ModelUpdate.of(new SlotModel(0, weights, Driver.SAMPLES)), asks, 0);
  }

  private static Effect send(long to, Message message) {
    return new Effect.Send(new PeerId(to), message);
  }

  /** What a peer says about its own model in an exchange of views. */
  private static void claim(Driver peer, long owner, long version, Weights weights) {
    peer.receivedByDiscovery(
        owner,
        new ExchangeRequest(
            1000 + 10 * version + owner,
            Optional.of(
                new Descriptor(
                    new PeerId(owner), version, RULE.sketch(weights, weights(0, 0), weights))),
            List.of(),
            List.of()));
  }

  private static Ticket work(List<Effect> effects) {
    return ((Effect.Compute) effects.getLast()).work();
  }

  /** Computes the ticket at the end of the effects. */
  private static List<Effect> answered(Driver peer, int round, List<Effect> effects) {
    Ticket.Call call = (Ticket.Call) work(effects);
    return peer.feed(
        new Event.Computed(60L + round, round, new Result.Answered(call.function().apply())));
  }

  private static List<Effect> searched(Driver peer, int round, Weights trained) {
    return answered(peer, round, peer.trained(round, trained));
  }

  private static List<Effect> losses(Driver peer, int round, float... values) {
    List<Floats> rows = new ArrayList<>();
    for (float value : values) {
      rows.add(Floats.of(value));
    }
    return peer.feed(new Event.Computed(70L + round, round, new Result.Losses(rows)));
  }

  private static List<Effect> withoutExchanges(List<Effect> effects) {
    return effects.stream()
        .filter(
            each ->
                !(each instanceof Effect.Send send && send.message() instanceof ExchangeRequest))
        .toList();
  }

  /** Peer 1, which waits for the update of peer 3; peer 3 advertised model 10. */
  private static Driver waiting() {
    Driver peer = Driver.peer(method(1), 1);
    peer.started(2);
    claim(peer, 3, 7, model(10));
    searched(peer, 1, model(4));
    assertThat(state(peer).neighbours()).isEqualTo(Driver.ids(3));
    return peer;
  }

  @Test
  void aPeerDescribesItsUpdateAndAsksThePartnersThatItsViewNames() {
    Driver peer = Driver.peer(method(1), 1);
    peer.started(2);
    claim(peer, 3, 7, model(10));
    claim(peer, 4, 7, model(-10));
    List<Effect> trained = peer.trained(1, model(4));
    assertThat(work(trained))
        .isEqualTo(new Ticket.Call(new SketchModel(RULE, model(4), weights(0, 0), weights(0, 0))));
    List<Effect> effects = answered(peer, 1, trained);
    assertThat(discovery(peer).own())
        .contains(
            new Descriptor(
                new PeerId(1), version(peer), RULE.sketch(model(4), weights(0, 0), weights(0, 0))));
    assertThat(withoutExchanges(effects))
        .containsExactly(
            new Effect.Observe(new Observation.SearchCompleted(1, 1, Driver.ids(3))),
            send(3, update(1, version(peer), model(4), true)),
            new Effect.SetTimer(new Timer("round-timeout", 1), 60_000_000L));
  }

  @Test
  void theTopologyDoesNotChooseThePartners() {
    Driver peer = waiting();
    assertThat(withoutExchanges(peer.neighboursChanged(5, 6))).isEmpty();
    assertThat(state(peer).neighbours()).isEqualTo(Driver.ids(3));
  }

  @Test
  void anUpdateIsComparedWithTheClaimOfItsOwnerBeforeItIsMerged() {
    Driver peer = waiting();
    List<Effect> check = peer.received(3, update(1, 7, model(10), false));
    assertThat(work(check))
        .isEqualTo(
            new Ticket.Call(
                new CompareModels(model(4), List.of(model(10)), weights(0, 0), Optional.of(RULE))));
    List<Effect> merge = answered(peer, 1, check);
    assertThat(discovery(peer).entries())
        .filteredOn(each -> each.peer().equals(new PeerId(3)))
        .singleElement()
        .matches(ViewEntry::checked);
    assertThat(work(merge)).isInstanceOf(Ticket.Losses.class);
    assertThat(((Ticket.Losses) work(merge)).mixtures()).hasSize(2);
  }

  @Test
  void aFalseClaimIsNoticed() {
    Driver peer = waiting();
    List<Effect> merge = answered(peer, 1, peer.received(3, update(1, 7, model(-10), false)));
    assertThat(merge).contains(Driver.contradicted("false-sketch-claim", 3));
    assertThat(discovery(peer).distrusted())
        .extracting(Distrust::reason)
        .containsExactly(Distrust.Reason.FALSE_CLAIM);
  }

  @Test
  void anUpdateThatCannotBeComparedIsDropped() {
    Driver peer = waiting();
    List<Effect> merge =
        answered(peer, 1, peer.received(3, update(1, 7, weights(1e30f, 1e30f), false)));
    assertThat(merge)
        .contains(
            Driver.counted("incomparable-model"),
            Driver.deployed(1, Stage.MIXED, model(4), Audience.SELF));
  }

  @Test
  void updatesOfOtherPeersAreMergedUpToABound() {
    Driver peer = waiting();
    assertThat(peer.received(7, update(1, 1, model(20), true)))
        .containsExactly(send(7, update(1, version(peer), model(4), false)));
    assertThat(peer.received(8, update(1, 1, model(30), true)))
        .as("answered, but not stored")
        .containsExactly(send(8, update(1, version(peer), model(4), false)));
    List<Effect> check = peer.received(3, update(1, 7, model(10), false));
    CompareModels compared = (CompareModels) ((Ticket.Call) work(check)).function();
    assertThat(compared.models()).containsExactly(model(10), model(20));
  }

  @Test
  void aPeerThatHasNotTrainedTheRoundAnswersOnceItHas() {
    Driver peer = Driver.peer(method(1), 1);
    peer.started(2);
    claim(peer, 3, 7, model(10));
    assertThat(peer.received(7, update(1, 1, model(20), true))).isEmpty();
    assertThat(peer.received(8, update(2, 1, model(30), true))).isEmpty();
    List<Effect> trained = peer.trained(1, model(4));
    assertThat(trained).contains(send(7, update(1, version(peer), model(4), false)));
    assertThat(trained)
        .noneMatch(each -> each instanceof Effect.Send send && send.to().number() == 8);
    answered(peer, 1, trained);
    answered(peer, 1, peer.received(3, update(1, 7, model(10), false)));
    losses(peer, 1, 1f, 2f, 2f, 2f);
    peer.mixed(1, model(4));
    assertThat(peer.trained(2, model(5)))
        .contains(send(8, update(2, version(peer), model(5), false)));
  }

  /** A whole model is not sent as often as another peer asks. */
  @Test
  void aPeerIsAnsweredTwiceForOneUpdateAtMost() {
    Driver peer = waiting();
    int answers = 0;
    for (int i = 0; i < 5; i++) {
      answers += peer.received(7, update(1, i, model(20), true)).size();
    }
    assertThat(answers).isEqualTo(2);
  }

  @Test
  void aPartnerWhoseUpdateHasArrivedIsNotAsked() {
    Driver peer = Driver.peer(method(1), 1);
    peer.started(2);
    claim(peer, 3, 7, model(10));
    peer.received(3, update(2, 7, model(10), false));
    List<Effect> effects = searched(peer, 1, model(4));
    assertThat(effects)
        .noneMatch(
            each -> each instanceof Effect.Send send && send.message() instanceof PartnerUpdate);
    assertThat(((Ticket.Call) work(effects)).function()).isInstanceOf(CompareModels.class);
  }

  @Test
  void anUnreachablePartnerIsNotWaitedForAndDiscoveryForgetsIt() {
    Driver peer = waiting();
    PartnerUpdate asking = update(1, version(peer), model(4), true);
    assertThat(peer.sendFailed(3, asking))
        .containsExactly(Driver.counted("send-failed"), send(3, asking.nextAttempt()));
    assertThat(discovery(peer).distrusted()).isEmpty();
    PartnerUpdate last = PartnerUpdateBuilder.from(asking).attempt(5).build();
    assertThat(peer.sendFailed(3, last))
        .contains(
            Driver.counted("send-failed"),
            Driver.deployed(1, Stage.MIXED, model(4), Audience.SELF));
    assertThat(discovery(peer).distrusted())
        .extracting(Distrust::peer, Distrust::reason)
        .containsExactly(tuple(new PeerId(3), Distrust.Reason.UNREACHABLE));
  }

  @Test
  void whenPatienceEndsThePeerGoesOnWithWhatHasArrived() {
    Driver peer = waiting();
    peer.received(7, update(1, 1, model(20), false));
    List<Effect> effects = peer.timerFired("round-timeout", 1);
    assertThat(effects).contains(Driver.counted("patience-ended"));
    assertThat(((CompareModels) ((Ticket.Call) work(effects)).function()).models())
        .containsExactly(model(20));
  }

  /** Collaborators are kept for five rounds, but a candidate without a share is judged at once. */
  @Test
  void aNewPartnerIsJudgedAtOnce() {
    Driver peer = waiting();
    answered(peer, 1, peer.received(3, update(1, 7, model(10), false)));
    losses(peer, 1, 1f, 0.5f);
    peer.mixed(1, model(6));
    claim(peer, 4, 8, model(12));
    claim(peer, 3, 8, model(-9));
    searched(peer, 2, model(6));
    assertThat(state(peer).neighbours()).isEqualTo(Driver.ids(4));
    List<Effect> merge = answered(peer, 2, peer.received(4, update(2, 8, model(12), false)));
    assertThat(work(merge)).isInstanceOf(Ticket.Losses.class);
  }

  @Test
  void aRestoredPeerGoesOnInEveryPhase() {
    Driver describing = Driver.peer(method(1), 1);
    describing.started(2);
    describing.trained(1, model(4));
    assertThat(((Ticket.Call) work(describing.restored(2))).function())
        .isInstanceOf(SketchModel.class);

    Driver asking = waiting();
    assertThat(asking.restored(2)).contains(send(3, update(1, version(asking), model(4), true)));

    Driver checking = waiting();
    checking.received(3, update(1, 7, model(10), false));
    assertThat(state(checking).phase()).isEqualTo(Phase.CHECKING);
    assertThat(((Ticket.Call) work(checking.restored(2))).function())
        .isInstanceOf(CompareModels.class);

    Driver merging = waiting();
    answered(merging, 1, merging.received(3, update(1, 7, model(10), false)));
    assertThat(state(merging).phase()).isEqualTo(Phase.MERGING);
    assertThat(work(merging.restored(2)))
        .as("checked before the restart")
        .isInstanceOf(Ticket.Losses.class);
  }

  /** Without the wait it would run ahead of all peers that it meets later. */
  @Test
  void aPeerThatKnowsNoPeerAsksAgainAndAtTheTimeoutGoesOnAlone() {
    Driver peer = Driver.peer(method(1), 1);
    peer.started();
    searched(peer, 1, model(4));
    long number = state(peer).search().orElseThrow().number();
    assertThat(state(peer).phase()).isEqualTo(Phase.SEARCHING);
    peer.timerFired("ask-again", number);
    assertThat(peer.timerFired("search", number))
        .contains(
            Driver.counted("search-ended"),
            Driver.deployed(1, Stage.MIXED, model(4), Audience.SELF));
  }

  @Test
  void invalidUpdatesAreCountedAndDropped() {
    Driver peer = waiting();
    GossipState before = state(peer);
    for (Message each :
        List.of(
            update(0, 1, model(20), true),
            update(Driver.ROUNDS + 1, 1, model(20), true),
            update(1, -1, model(20), true),
            update(1, 1, weights(1, 2, 3), true),
            update(1, 1, weights(Float.NaN, 0), true),
            new PartnerUpdate(1, 1, new ModelUpdate(List.of()), true, 0),
            new NeighbourUpdate(1, 1, ModelUpdate.of(new SlotModel(0, model(20), 1)), true, 0))) {
      assertThat(peer.received(3, each)).containsExactly(UNEXPECTED);
    }
    assertThat(state(peer)).isEqualTo(before);
  }

  @Test
  void aPeerThatIsDoneStillAnswers() {
    Driver peer = Driver.peer(method(1), 1);
    peer.started();
    for (int round = 1; round <= Driver.ROUNDS; round++) {
      searched(peer, round, model(round));
      peer.timerFired("search", state(peer).search().orElseThrow().number());
    }
    assertThat(state(peer).phase()).isEqualTo(Phase.DONE);
    assertThat(peer.received(7, update(2, 1, model(20), true)))
        .contains(send(7, update(Driver.ROUNDS, version(peer), model(Driver.ROUNDS), false)));
  }

  @Test
  void onlyRoundsOfOneModelHavePartners() {
    Gossip<?> several =
        (Gossip<?>)
            new Dfca(2, Dfca.Start.GLOBAL, Dfca.Averaging.RUNNING, 1, TimeoutPolicy.of(60), 0)
                .layers(Driver.peerContext(1))
                .getFirst()
                .machine();
    assertThatThrownBy(
            () ->
                new PartnerSettings(VIEWS, 1)
                    .layers(several.algorithm(), RoundSettings.of(TimeoutPolicy.of(60))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("one model");
  }

  @Test
  void moreThanAllOtherPeersGivesAWarning() {
    assertThat(method(9).warnings(10)).isEmpty();
    assertThat(method(10).warnings(10)).singleElement().asString().contains("at most 9");
    assertThat(PartnerSettings.NEIGHBOURS.warnings(2)).isEmpty();
  }
}
