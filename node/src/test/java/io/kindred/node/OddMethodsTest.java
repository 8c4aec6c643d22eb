package io.kindred.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.Component;
import io.kindred.core.Effect;
import io.kindred.core.Event;
import io.kindred.core.Message;
import io.kindred.core.Observation;
import io.kindred.core.PeerId;
import io.kindred.core.peer.Layer;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Step;
import io.kindred.core.settings.Named;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Part;
import io.kindred.core.work.Ticket;
import io.kindred.methods.Method;
import io.kindred.methods.PeerContext;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a node does with methods that are wrong. */
@Timeout(60)
class OddMethodsTest {
  @TempDir private Path home;

  /** A peer says: here I am. */
  @Named("odd/hello")
  record Hello() implements Message {}

  /** Nothing to remember. */
  record Nothing() {}

  /** Greets everybody and cannot stand being greeted. */
  private record Touchy() implements Method, Machine<Nothing> {
    @Override
    public List<Layer<?>> layers(PeerContext context) {
      return List.of(new Layer<>(Component.METHOD, this, Nothing.class));
    }

    @Override
    public SortedSet<Ticket.Kind> needs() {
      return new TreeSet<>();
    }

    @Override
    public List<Class<? extends Message>> messages() {
      return List.of(Hello.class);
    }

    @Override
    public Nothing initial() {
      return new Nothing();
    }

    @Override
    public Step<Nothing> step(Nothing state, Event event) {
      return switch (event) {
        case Event.Started started ->
            new Step<>(
                state,
                started.neighbours().stream()
                    .<Effect>map(each -> new Effect.Send(each, new Hello()))
                    .toList());
        case Event.Received _ -> throw new IllegalStateException("how dare you");
        default -> Step.of(state);
      };
    }
  }

  @Test
  void aMessageThatAMachineFailsOverIsRefusedAndTheNodeGoesOn() throws InterruptedException {
    try (TinyNetwork network = new TinyNetwork(home, 2, 1, new Touchy())) {
      network.start();
      for (Node node : network.nodes()) {
        while (node.status().refused().isEmpty()) {
          assertThat(node.awaitEnd(1, TimeUnit.MILLISECONDS)).isFalse();
        }
        assertThat(node.status().refused()).containsOnlyKeys("unusable-message");
        assertThat(node.failure()).isEmpty();
      }
      assertThat(network.log())
          .anySatisfy(
              line ->
                  assertThat(line).startsWith("refused: message of peer 1").contains("how dare"));
    }
  }

  /** Whom it has met. */
  record Met(List<PeerId> others) {}

  /** Says good-bye when it goes. */
  private record Polite(Touchy usual) implements Method, Machine<Met> {
    @Override
    public List<Layer<?>> layers(PeerContext context) {
      return List.of(new Layer<>(Component.METHOD, this, Met.class));
    }

    @Override
    public SortedSet<Ticket.Kind> needs() {
      return usual.needs();
    }

    @Override
    public List<Class<? extends Message>> messages() {
      return usual.messages();
    }

    @Override
    public Met initial() {
      return new Met(List.of());
    }

    @Override
    public Step<Met> step(Met state, Event event) {
      return switch (event) {
        case Event.Started started -> Step.of(new Met(started.neighbours()));
        case Event.LeaveRequested _ ->
            new Step<>(
                state,
                state.others().stream()
                    .<Effect>map(each -> new Effect.Send(each, new Hello()))
                    .toList());
        case Event.Received _ ->
            Step.of(state, new Effect.Observe(new Observation.Counted("farewells")));
        default -> Step.of(state);
      };
    }
  }

  @Test
  void whatAPeerSendsWhenItLeavesArrivesBeforeItsNodeEnds() throws InterruptedException {
    try (TinyNetwork network = new TinyNetwork(home, 2, 1, new Polite(new Touchy()))) {
      network.start();
      assertThat(Until.comesTrue(() -> network.node(0).status().totals().events() > 0)).isTrue();
      network.node(0).close();
      assertThat(Until.comesTrue(() -> network.node(1).status().counts().containsKey("farewells")))
          .isTrue();
      assertThat(network.node(0).status().totals().failedSends()).isZero();
    }
  }

  @Test
  void aNodeThatIsKilledSaysNoFarewell() throws InterruptedException {
    try (TinyNetwork network = new TinyNetwork(home, 2, 1, new Polite(new Touchy()))) {
      network.start();
      network.node(0).abandon();
      assertThat(network.node(0).status().totals().sentControl()).isZero();
    }
  }

  /** Asks for work that it has not declared. */
  private record Understated(Touchy usual) implements Method {
    @Override
    public List<Layer<?>> layers(PeerContext context) {
      Mixture alone = new Mixture(List.of(new Part(context.initialWeights().apply(0), 1)));
      Machine<Nothing> machine =
          new Machine<>() {
            @Override
            public Nothing initial() {
              return new Nothing();
            }

            @Override
            public Step<Nothing> step(Nothing state, Event event) {
              return Step.of(state, new Effect.Compute(1, new Ticket.Mix(alone)));
            }
          };
      return List.of(new Layer<>(Component.METHOD, machine, Nothing.class));
    }

    @Override
    public SortedSet<Ticket.Kind> needs() {
      return usual.needs();
    }

    @Override
    public List<Class<? extends Message>> messages() {
      return usual.messages();
    }
  }

  @Test
  void workThatAMethodHasNotDeclaredEndsTheNode() throws InterruptedException {
    try (TinyNetwork network = new TinyNetwork(home, 1, 1, new Understated(new Touchy()))) {
      network.start();
      assertThat(network.node(0).awaitEnd(30, TimeUnit.SECONDS)).isTrue();
      assertThat(network.node(0).failure())
          .hasValueSatisfying(
              why -> assertThat(why).hasMessageContaining("MIX").hasMessageContaining("needs []"));
    }
  }
}
