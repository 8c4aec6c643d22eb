package io.kindred.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerLayer;
import io.kindred.core.peer.Step;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.PeerContext;
import io.kindred.node.transport.RefusalKind;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How a node handles faulty methods. */
@Timeout(60)
class FaultyMethodsTest {
  @TempDir private Path home;

  /** The only message of these methods. */
  @Named("odd/hello")
  record Hello() implements Message {}

  /** A state without content. */
  record EmptyState() {}

  /**
   * Sends a message to every neighbour at the start and fails on every message that it receives.
   */
  private record FailsOnMessage() implements Method, Machine<EmptyState> {
    @Override
    public List<PeerLayer<?>> layers(PeerContext context) {
      return List.of(new PeerLayer<>(Component.METHOD, this, EmptyState.class));
    }

    @Override
    public SortedSet<Ticket.Kind> ticketKinds() {
      return new TreeSet<>();
    }

    @Override
    public List<Class<? extends Message>> messages() {
      return List.of(Hello.class);
    }

    @Override
    public EmptyState initial() {
      return new EmptyState();
    }

    @Override
    public Step<EmptyState> step(EmptyState state, Event event) {
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
    try (TinyNetwork network = new TinyNetwork(home, 2, 1, new FailsOnMessage())) {
      network.start();
      for (Node node : network.nodes()) {
        while (node.status().misconduct().refused().isEmpty()) {
          assertThat(node.awaitTermination(1, TimeUnit.MILLISECONDS)).isFalse();
        }
        assertThat(node.refusals().counts()).containsOnlyKeys(RefusalKind.UNUSABLE_MESSAGE);
        assertThat(node.status().misconduct().refused()).containsOnlyKeys("unusable-message");
        assertThat(node.failure()).isEmpty();
      }
      assertThat(network.log())
          .anySatisfy(
              line ->
                  assertThat(line).startsWith("refused: message of peer 1").contains("how dare"));
    }
  }

  /** The method of another test, apart from what its peers do in a step. */
  private interface OtherStep extends Method, Machine<EmptyState> {
    FailsOnMessage delegate();

    @Override
    default List<PeerLayer<?>> layers(PeerContext context) {
      return List.of(new PeerLayer<>(Component.METHOD, this, EmptyState.class));
    }

    @Override
    default SortedSet<Ticket.Kind> ticketKinds() {
      return delegate().ticketKinds();
    }

    @Override
    default List<Class<? extends Message>> messages() {
      return delegate().messages();
    }

    @Override
    default EmptyState initial() {
      return delegate().initial();
    }
  }

  /** Refuses the election proof of every message, as an overlay does with a forged one. */
  private record RefusesProofs(FailsOnMessage delegate) implements OtherStep {
    @Override
    public Step<EmptyState> step(EmptyState state, Event event) {
      return event instanceof Event.Received
          ? Step.of(state, new Effect.Observe(new Observation.Counted("overlay-refused-proof")))
          : delegate.step(state, event);
    }
  }

  @Test
  void theSenderOfARefusedElectionProofIsNamedButNotMuted() throws InterruptedException {
    try (TinyNetwork network =
        new TinyNetwork(home, 2, 1, new RefusesProofs(new FailsOnMessage()))) {
      network.start();
      for (Node node : network.nodes()) {
        while (node.status().misconduct().refused().isEmpty()) {
          assertThat(node.awaitTermination(1, TimeUnit.MILLISECONDS)).isFalse();
        }
        assertThat(node.status().misconduct().refused()).containsOnlyKeys("invalid-proof");
        assertThat(node.status().misconduct().offences()).isEmpty();
      }
      assertThat(network.log())
          .contains(
              "refused: message of peer 1 of network tiny: an election proof that the certificate"
                  + " of its peer does not confirm");
    }
  }

  /** The neighbours that the start event named. */
  record KnownNeighbours(List<PeerId> others) {}

  /** Sends a message to every neighbour on the leave event. */
  private record SendsOnLeave(FailsOnMessage delegate) implements Method, Machine<KnownNeighbours> {
    @Override
    public List<PeerLayer<?>> layers(PeerContext context) {
      return List.of(new PeerLayer<>(Component.METHOD, this, KnownNeighbours.class));
    }

    @Override
    public SortedSet<Ticket.Kind> ticketKinds() {
      return delegate.ticketKinds();
    }

    @Override
    public List<Class<? extends Message>> messages() {
      return delegate.messages();
    }

    @Override
    public KnownNeighbours initial() {
      return new KnownNeighbours(List.of());
    }

    @Override
    public Step<KnownNeighbours> step(KnownNeighbours state, Event event) {
      return switch (event) {
        case Event.Started started -> Step.of(new KnownNeighbours(started.neighbours()));
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
    try (TinyNetwork network =
        new TinyNetwork(home, 2, 1, new SendsOnLeave(new FailsOnMessage()))) {
      network.start();
      assertThat(Until.comesTrue(() -> network.node(0).status().exchange().totals().events() > 0))
          .isTrue();
      network.node(0).close();
      assertThat(Until.comesTrue(() -> network.node(1).status().counts().containsKey("farewells")))
          .isTrue();
      assertThat(network.node(0).status().exchange().totals().failedSends()).isZero();
    }
  }

  @Test
  void aNodeThatIsKilledSaysNoFarewell() throws InterruptedException {
    try (TinyNetwork network =
        new TinyNetwork(home, 2, 1, new SendsOnLeave(new FailsOnMessage()))) {
      network.start();
      network.node(0).crash();
      assertThat(network.node(0).status().exchange().totals().sentControl()).isZero();
    }
  }

  /** Sends a message to every neighbour at the start, and finds that each sender contradicts it. */
  private record FindsContradictions(FailsOnMessage delegate) implements OtherStep {
    @Override
    public Step<EmptyState> step(EmptyState state, Event event) {
      return event instanceof Event.Received received
          ? Step.of(
              state,
              new Effect.Observe(
                  new Observation.Contradicted("false-sketch-claim", received.from())))
          : delegate.step(state, event);
    }
  }

  @Test
  void aMemberThatContradictsItselfCommitsAnOffence() throws InterruptedException {
    try (TinyNetwork network =
        new TinyNetwork(home, 2, 1, new FindsContradictions(new FailsOnMessage()))) {
      network.start();
      assertThat(Until.comesTrue(() -> !network.node(0).status().misconduct().offences().isEmpty()))
          .isTrue();
      assertThat(network.node(0).status().misconduct().offences()).containsOnlyKeys(1L);
      assertThat(network.node(0).status().misconduct().refused()).containsOnlyKeys("false-claim");
      assertThat(network.node(0).status().counts()).containsEntry("false-sketch-claim", 1L);
      assertThat(network.log())
          .anySatisfy(
              line ->
                  assertThat(line)
                      .startsWith("refused: message of peer 1")
                      .contains("not the one that"));
    }
  }

  /** Requests a computation that it has not declared. */
  private record UndeclaredWork(FailsOnMessage delegate) implements Method {
    @Override
    public List<PeerLayer<?>> layers(PeerContext context) {
      Mixture alone = new Mixture(List.of(new MixturePart(context.initialWeights().apply(0), 1)));
      Machine<EmptyState> machine =
          new Machine<>() {
            @Override
            public EmptyState initial() {
              return new EmptyState();
            }

            @Override
            public Step<EmptyState> step(EmptyState state, Event event) {
              return Step.of(state, new Effect.Compute(1, new Ticket.Mix(alone)));
            }
          };
      return List.of(new PeerLayer<>(Component.METHOD, machine, EmptyState.class));
    }

    @Override
    public SortedSet<Ticket.Kind> ticketKinds() {
      return delegate.ticketKinds();
    }

    @Override
    public List<Class<? extends Message>> messages() {
      return delegate.messages();
    }
  }

  @Test
  void workThatAMethodHasNotDeclaredEndsTheNode() throws InterruptedException {
    try (TinyNetwork network =
        new TinyNetwork(home, 1, 1, new UndeclaredWork(new FailsOnMessage()))) {
      network.start();
      assertThat(network.node(0).awaitTermination(30, TimeUnit.SECONDS)).isTrue();
      assertThat(network.node(0).failure())
          .hasValueSatisfying(
              why -> assertThat(why).hasMessageContaining("MIX").hasMessageContaining("needs []"));
    }
  }
}
