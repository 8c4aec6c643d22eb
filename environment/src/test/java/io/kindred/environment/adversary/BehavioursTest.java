package io.kindred.environment.adversary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.peer.Claim;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.InterceptedLayer;
import io.kindred.core.peer.Interceptor;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What each behaviour makes of the messages of an honest machine. */
class BehavioursTest {
  private static final PeerId SELF = new PeerId(4);
  private static final PeerId FRIEND = new PeerId(5);
  private static final PeerId VICTIM = new PeerId(9);
  private static final PeerId HONEST = new PeerId(2);
  private static final Weights START = weights(1, 1);
  private static final Weights TRAINED = weights(4, 5);
  private static final HostilePeer PEER =
      new HostilePeer(SELF, List.of(SELF, FRIEND), new RandomStreams(3), () -> START);

  private record Model(
      @Claim(Claim.Kind.ROUND) int round,
      Optional<Weights> weights,
      @Claim(Claim.Kind.SAMPLES) int samples,
      List<Scores> scores)
      implements Message {}

  private record Scores(@Claim(Claim.Kind.SCORES) List<Double> losses) {}

  private record Description(
      @Claim(Claim.Kind.OWNER) PeerId owner, @Claim(Claim.Kind.LIKENESS) String text) {}

  private record Found(List<Description> peers, @Claim(Claim.Kind.SIMILARITY) float similarity)
      implements Message {
    @Override
    public Category category() {
      return Category.SEARCH;
    }
  }

  private static Weights weights(float... values) {
    return Weights.copyOf(Layout.builder().add("all", values.length).build(), values);
  }

  private static Model model(Weights weights) {
    return new Model(3, Optional.of(weights), 20, List.of(new Scores(List.of(0.5, 2.0, 1.0))));
  }

  /** The only interceptor of a machine, and its state. */
  private static final class Wrapped<S> {
    private final Interceptor<S> interceptor;
    private S state;

    Wrapped(InterceptedLayer<S> layer) {
      interceptor = layer.interceptor();
      state = interceptor.initial();
    }

    List<Effect> step(Event event, Effect... effects) {
      Step<S> step = interceptor.afterStep(state, event, List.of(effects));
      state = step.state();
      return step.effects();
    }

    Message sent(PeerId to, Message honest) {
      List<Effect> effects = step(new Event.Started(1, List.of()), new Effect.Send(to, honest));
      assertThat(effects).hasSize(1);
      assertThat(((Effect.Send) effects.getFirst()).to()).isEqualTo(to);
      return ((Effect.Send) effects.getFirst()).message();
    }

    Optional<Event> seen(Event event) {
      return interceptor.beforeStep(state, event);
    }
  }

  private static Wrapped<?> wrapped(Behaviour behaviour) {
    List<InterceptedLayer<?>> layers = behaviour.layers(PEER, List.of(Component.METHOD));
    assertThat(layers).hasSize(1);
    assertThat(layers.getFirst().component()).isEqualTo(Component.METHOD);
    return new Wrapped<>(layers.getFirst());
  }

  private static Weights sentModel(Behaviour behaviour) {
    return ((Model) wrapped(behaviour).sent(VICTIM, model(TRAINED))).weights().orElseThrow();
  }

  @Test
  void modelsAreFalsifiedAndEverythingElseStays() {
    assertThat(sentModel(new SignFlip(1))).isEqualTo(weights(-2, -3));
    assertThat(sentModel(new RescaledUpdate(10))).isEqualTo(weights(31, 41));
    assertThat(sentModel(new ConstantModel(0.5))).isEqualTo(weights(0.5f, 0.5f));
    assertThat(sentModel(new FreeRider(FreeRider.Model.START))).isEqualTo(START);
    Model sent = (Model) wrapped(new SignFlip(1)).sent(VICTIM, model(TRAINED));
    assertThat(sent).isEqualTo(model(weights(-2, -3)));
  }

  @Test
  void noiseHasTheLengthOfTheChangeOnAverageAndIsDrawnOnceForEachModel() {
    Wrapped<?> noise = wrapped(new ScaledNoise(1));
    Message first = noise.sent(VICTIM, model(TRAINED));
    assertThat(noise.sent(HONEST, model(TRAINED))).isEqualTo(first);
    assertThat(noise.sent(HONEST, model(weights(4, 6)))).isNotEqualTo(first);
    float[] values = new float[10_000];
    HostilePeer large =
        new HostilePeer(SELF, List.of(SELF), new RandomStreams(3), () -> weights(values));
    float[] moved = new float[values.length];
    moved[0] = 5;
    Weights forged =
        new ScaledNoise(2).models(large).orElseThrow().forged(weights(moved), weights(moved));
    double square = 0;
    for (int i = 0; i < forged.size(); i++) {
      square += forged.get(i) * (double) forged.get(i);
    }
    assertThat(Math.sqrt(square)).isCloseTo(10, within(0.3));
  }

  @Test
  void aFreeRiderMaySendTheFirstModelThatItTrained() {
    Wrapped<?> rider = wrapped(new FreeRider(FreeRider.Model.OLD));
    rider.sent(VICTIM, model(TRAINED));
    assertThat(rider.sent(VICTIM, model(weights(8, 8)))).isEqualTo(model(TRAINED));
  }

  @Test
  void claimsAreFalsifiedWhereverTheyStand() {
    Model round = (Model) wrapped(new RoundLiar(5)).sent(VICTIM, model(TRAINED));
    assertThat(round.round()).isEqualTo(8);
    assertThat(round.weights()).contains(TRAINED);
    Model count = (Model) wrapped(new CountLiar(100)).sent(VICTIM, model(TRAINED));
    assertThat(count.samples()).isEqualTo(2000);
    Model scores = (Model) wrapped(new ScoreLiar()).sent(VICTIM, model(TRAINED));
    assertThat(scores.scores()).containsExactly(new Scores(List.of(2.0, 0.5, 1.5)));
  }

  @Test
  void aSketchLiarDescribesItselfWithTheReceiversOwnDescription() {
    Wrapped<?> liar = wrapped(new SketchLiar());
    Found honest =
        new Found(List.of(new Description(SELF, "mine"), new Description(HONEST, "other")), 0.25f);
    Found unknown = (Found) liar.sent(VICTIM, honest);
    assertThat(unknown.peers()).isEqualTo(honest.peers());
    assertThat(unknown.similarity()).isEqualTo(1f);
    liar.step(
        new Event.Received(2, VICTIM, new Found(List.of(new Description(VICTIM, "yours")), 0f)));
    assertThat(((Found) liar.sent(VICTIM, honest)).peers())
        .containsExactly(new Description(SELF, "yours"), new Description(HONEST, "other"));
    assertThat(((Found) liar.sent(HONEST, honest)).peers())
        .as("another receiver is told what the liar knows of it")
        .isEqualTo(honest.peers());
  }

  @Test
  void anAnswerForgerNamesAccomplicesInPlaceOfHonestPeers() {
    Wrapped<?> forger = wrapped(new AnswerForger());
    forger.step(
        new Event.Received(2, VICTIM, new Found(List.of(new Description(VICTIM, "yours")), 0f)));
    List<Description> named =
        List.of(
            new Description(HONEST, "a"),
            new Description(new PeerId(3), "b"),
            new Description(VICTIM, "c"));
    assertThat(((Found) forger.sent(VICTIM, new Found(named, 0.5f))).peers())
        .containsExactly(
            new Description(FRIEND, "yours"),
            new Description(new PeerId(3), "b"),
            new Description(VICTIM, "c"));
  }

  @Test
  void aMessageThatCouldNotBeDeliveredComesBackAsTheMachineWroteIt() {
    Wrapped<?> flip = wrapped(new SignFlip(1));
    Message forged = flip.sent(VICTIM, model(TRAINED));
    assertThat(flip.seen(new Event.SendFailed(2, VICTIM, forged)))
        .contains(new Event.SendFailed(2, VICTIM, model(TRAINED)));
    Message other = model(weights(9, 9));
    assertThat(flip.seen(new Event.SendFailed(2, VICTIM, other)))
        .contains(new Event.SendFailed(2, VICTIM, other));
  }

  @Test
  void poisonLeavesMessagesAlone() {
    for (Behaviour behaviour :
        List.of(new LabelFlip(), new Sybils(), new BackDoor(1, 0.5, 3, 1, 1))) {
      assertThat(behaviour.poison()).isPresent();
      assertThat(behaviour.layers(PEER, List.of(Component.METHOD))).isEmpty();
    }
    assertThat(sentModel(new BackDoor(1, 0.5, 3, 1, 10))).isEqualTo(weights(31, 41));
  }

  @Test
  void everyBehaviourIsInTheCatalogueOnce() {
    List<String> names = new ArrayList<>(Behaviours.ALL.names());
    assertThat(names).hasSize(13).doesNotHaveDuplicates();
  }
}
