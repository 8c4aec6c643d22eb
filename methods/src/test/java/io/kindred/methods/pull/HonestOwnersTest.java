package io.kindred.methods.pull;

import static io.kindred.methods.contract.Driver.model;
import static io.kindred.methods.contract.Driver.weights;
import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.PeerContextBuilder;
import io.kindred.methods.discovery.ViewDiscovery;
import io.kindred.methods.pull.PullMachine.ModelReply;
import io.kindred.methods.pull.PullMachine.ModelRequest;
import io.kindred.protocol.discovery.Contact;
import io.kindred.protocol.discovery.Descriptor;
import io.kindred.protocol.discovery.DiscoveryState;
import io.kindred.protocol.discovery.Distrust;
import io.kindred.protocol.discovery.SketchForm;
import io.kindred.protocol.discovery.SketchRule;
import io.kindred.protocol.discovery.ViewEntry;
import io.kindred.protocol.discovery.ViewMessage.ExchangeRequest;
import io.kindred.protocol.discovery.ViewSettings;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Honest owners of models are not accused of false sketches: not after they lost their state, and
 * not if an encoding or noise changes the weights that they send. Peer 1 owns a model, peer 2 pulls
 * it.
 */
class HonestOwnersTest {
  private static final SketchRule RULE =
      new SketchRule(SketchRule.Subject.CHANGE, SketchForm.FLOAT, 256, 0);
  private static final SemanticDfl METHOD =
      new SemanticDfl(
          PullMachineTest.pulling(2, 0.5, true),
          new ViewDiscovery(new ViewSettings(8, 8, 4, 8, 4, 10, 1, 0.8, true, 40, 3, 2, RULE)));

  private static PeerContext sending(long self, UnaryOperator<Weights> sentForm) {
    return PeerContextBuilder.from(Driver.peerContext(self)).sentForm(sentForm).build();
  }

  /** The weights as the transport delivers them. */
  private static ModelReply delivered(ModelReply reply, UnaryOperator<Weights> sentForm) {
    return new ModelReply(
        reply.round(),
        reply.version(),
        sentForm.apply(reply.weights()),
        reply.samples(),
        reply.attempt());
  }

  private static List<Effect> trained(Driver peer, long tick, int round, Weights weights) {
    List<Effect> sketching =
        peer.feed(
            new Event.Computed(tick, round, new Result.Trained(weights, 0.5, Driver.SAMPLES)));
    return answered(peer, tick, round, sketching);
  }

  private static List<Effect> answered(Driver peer, long tick, int round, List<Effect> effects) {
    Ticket.Call call = (Ticket.Call) ((Effect.Compute) effects.getLast()).work();
    return peer.feed(new Event.Computed(tick, round, new Result.Answered(call.function().apply())));
  }

  /** The model that an owner advertises, as its own message to the puller. */
  private static ExchangeRequest advertisement(Driver owner, long number) {
    Optional<Descriptor> own = owner.state(DiscoveryState.class).own();
    assertThat(own).isPresent();
    return new ExchangeRequest(number, own, List.of(), List.of());
  }

  private static ModelReply reply(Driver owner, int round) {
    return (ModelReply)
        ((Effect.Send) owner.received(2, new ModelRequest(round, 0)).getLast()).message();
  }

  private static List<Effect> pull(Driver puller, int round, ModelReply reply) {
    trained(puller, 50 + round, round, model(4));
    return answered(puller, 60 + round, round, puller.received(1, reply));
  }

  private static void assertTrusted(Driver puller, List<Effect> effects) {
    assertThat(effects)
        .doesNotContain(
            Driver.contradicted("false-sketch-claim", 1), Driver.counted("false-sketch-relay"));
    assertThat(puller.state(DiscoveryState.class).distrusted()).isEmpty();
  }

  @Test
  void anOwnerThatLostItsStateTrainsARoundAgainWithoutBeingAccused() {
    Driver owner = Driver.peer(METHOD, 1);
    owner.started(2);
    trained(owner, 1000, 1, model(10));
    Driver puller = Driver.peer(METHOD, 2);
    puller.started(1);
    puller.receivedByDiscovery(1, advertisement(owner, 70));

    Driver withoutState = Driver.peer(METHOD, 1);
    withoutState.started(2);
    trained(withoutState, 2000, 1, model(-10));
    assertTrusted(puller, pull(puller, 1, reply(withoutState, 1)));

    puller.receivedByDiscovery(1, advertisement(owner, 71));
    puller.receivedByDiscovery(1, advertisement(withoutState, 72));
    assertThat(puller.state(DiscoveryState.class).entries())
        .singleElement()
        .extracting(entry -> entry.descriptor().version())
        .as("the later training counts, although both are of round 1")
        .isEqualTo(2000L);
  }

  @Test
  void aRestoredOwnerKeepsTheVersionOfTheModelThatItStillHas() {
    Driver owner = Driver.peer(METHOD, 1);
    owner.started(2);
    trained(owner, 1000, 1, model(10));
    owner.restored(2);
    assertThat(reply(owner, 1).version()).isEqualTo(1000);
  }

  /** Steps of 8, as a coarse encoding has: the rounded model points elsewhere. */
  @Test
  void anOwnerSketchesItsModelAsTheEncodingRoundsIt() {
    assertHonest(
        each -> weights(8 * Math.round(each.get(0) / 8), 8 * Math.round(each.get(1) / 8)),
        weights(4.5f, 3.9f),
        weights(8, 0));
  }

  @Test
  void anOwnerSketchesItsModelWithTheNoiseThatItSends() {
    assertHonest(each -> weights(each.get(0) - 20, each.get(1) + 20), model(10), weights(-10, 10));
  }

  private static void assertHonest(
      UnaryOperator<Weights> sentForm, Weights trained, Weights received) {
    Driver owner = new Driver(METHOD, sending(1, sentForm));
    owner.started(2);
    trained(owner, 1000, 1, trained);
    Driver puller = Driver.peer(METHOD, 2);
    puller.started(1);
    puller.receivedByDiscovery(1, advertisement(owner, 70));
    ModelReply reply = delivered(reply(owner, 1), sentForm);
    assertThat(reply.weights()).isEqualTo(received);
    assertTrusted(puller, pull(puller, 1, reply));
    assertThat(puller.state(DiscoveryState.class).entries())
        .singleElement()
        .matches(ViewEntry::checked);
  }

  @Test
  void discoveryForgetsAPeerThatNoRequestReached() {
    Driver puller = Driver.peer(METHOD, 2);
    puller.started(1, 3);
    Driver owner = Driver.peer(METHOD, 1);
    owner.started(2);
    trained(owner, 1000, 1, model(10));
    puller.receivedByDiscovery(1, advertisement(owner, 70));
    trained(puller, 50, 1, model(4));
    puller.sendFailed(1, new ModelRequest(1, 0));
    assertThat(puller.state(DiscoveryState.class).distrusted()).as("it is tried again").isEmpty();
    puller.sendFailed(1, new ModelRequest(1, PullMachine.RETRIES));
    assertThat(puller.state(DiscoveryState.class).distrusted())
        .containsExactly(new Distrust(new PeerId(1), Distrust.Reason.UNREACHABLE, 1, 11));
    assertThat(puller.state(DiscoveryState.class).contacts())
        .extracting(Contact::peer)
        .doesNotContain(new PeerId(1));
  }
}
