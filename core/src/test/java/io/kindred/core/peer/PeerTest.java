package io.kindred.core.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class PeerTest {
  private record TextMessage(String text) implements LocalMessage {}

  private record Greeting(String text) implements Message {}

  private record Seen(List<Event> events) {}

  /** Records every event and answers with the given effects. */
  private record RecordingMachine(Function<Event, List<Effect>> answer) implements Machine<Seen> {
    @Override
    public Seen initial() {
      return new Seen(List.of());
    }

    @Override
    public Step<Seen> step(Seen state, Event event) {
      List<Event> events = new ArrayList<>(state.events());
      events.add(event);
      return new Step<>(new Seen(List.copyOf(events)), answer.apply(event));
    }
  }

  /** Answers every event with a local message to itself. */
  private record EndlessMachine() implements Machine<Integer> {
    @Override
    public Integer initial() {
      return 0;
    }

    @Override
    public Step<Integer> step(Integer state, Event event) {
      return Step.of(state + 1, new Effect.Notify(Component.METHOD, new TextMessage("again")));
    }
  }

  private static PeerLayer<Seen> layer(Component component, Function<Event, List<Effect>> answer) {
    return new PeerLayer<>(component, new RecordingMachine(answer), Seen.class);
  }

  private static Effect count(String name) {
    return new Effect.Observe(new Observation.Counted(name));
  }

  private static Event started() {
    return new Event.Started(5, List.of(new PeerId(1)));
  }

  private static List<Event> seen(PeerState state, int layer) {
    return ((Seen) state.layers().get(layer)).events();
  }

  private static List<Effect> onlyWhenStarted(Event event, Effect... effects) {
    return event instanceof Event.Started ? List.of(effects) : List.of();
  }

  @Test
  void notesBetweenMachinesAreDeliveredWithinTheStep() {
    Peer peer =
        new Peer(
            List.of(
                layer(
                    Component.DISCOVERY,
                    event ->
                        event instanceof Event.Notified notified
                            ? List.of(new Effect.Notify(notified.from(), new TextMessage("pong")))
                            : List.of()),
                layer(
                    Component.METHOD,
                    event ->
                        onlyWhenStarted(
                            event,
                            new Effect.Notify(Component.DISCOVERY, new TextMessage("ping"))))));
    PeerStep step = peer.stepAll(peer.initial(), started());
    assertThat(step.effects()).isEmpty();
    assertThat(seen(step.state(), 0))
        .containsExactly(
            started(), new Event.Notified(5, Component.METHOD, new TextMessage("ping")));
    assertThat(seen(step.state(), 1))
        .containsExactly(
            started(), new Event.Notified(5, Component.DISCOVERY, new TextMessage("pong")));
  }

  @Test
  void anEventForAllMachinesClimbsFromTheBottom() {
    Peer peer =
        new Peer(
            List.of(
                layer(Component.DISCOVERY, event -> List.of(count("overlay"))),
                layer(Component.METHOD, event -> List.of(count("method")))));
    assertThat(peer.stepAll(peer.initial(), started()).effects())
        .containsExactly(
            new Tagged<>(Component.DISCOVERY, count("overlay")),
            new Tagged<>(Component.METHOD, count("method")));
  }

  @Test
  void notificationsWaitUntilEveryMachineHasSeenTheEvent() {
    Peer peer =
        new Peer(
            List.of(
                layer(
                    Component.DISCOVERY,
                    event ->
                        onlyWhenStarted(
                            event, new Effect.Notify(Component.METHOD, new TextMessage("hi")))),
                layer(Component.METHOD, event -> List.of())));
    PeerStep step = peer.stepAll(peer.initial(), started());
    assertThat(seen(step.state(), 1))
        .containsExactly(
            started(), new Event.Notified(5, Component.DISCOVERY, new TextMessage("hi")));
  }

  @Test
  void effectsKeepTheOrderInWhichTheyWereReturned() {
    Effect timer = new Effect.SetTimer(new Timer("t", 1), 10);
    Effect send = new Effect.Send(new PeerId(2), new Greeting("hello"));
    Peer peer = new Peer(List.of(layer(Component.METHOD, event -> List.of(timer, send, timer))));
    assertThat(peer.step(peer.initial(), Component.METHOD, started()).effects())
        .extracting(Tagged::value)
        .containsExactly(timer, send, timer);
  }

  @Test
  void anEndlessConversationIsDetected() {
    Peer peer =
        new Peer(List.of(new PeerLayer<>(Component.METHOD, new EndlessMachine(), Integer.class)));
    assertThatThrownBy(() -> peer.stepAll(peer.initial(), started()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("10000 local messages");
  }

  @Test
  void aMessageForAnUnknownComponentIsIgnored() {
    Peer peer = new Peer(List.of(layer(Component.METHOD, event -> List.of(count("touched")))));
    PeerState state = peer.initial();
    Event message = new Event.Received(1, new PeerId(3), new Greeting("hello"));
    assertThat(peer.step(state, Component.DISCOVERY, message))
        .isEqualTo(new PeerStep(state, List.of()));
  }

  @Test
  void anEventForOneMachineReachesNoOther() {
    Peer peer =
        new Peer(
            List.of(
                layer(Component.DISCOVERY, event -> List.of()),
                layer(Component.METHOD, event -> List.of())));
    PeerStep step = peer.step(peer.initial(), Component.METHOD, started());
    assertThat(seen(step.state(), 0)).isEmpty();
    assertThat(seen(step.state(), 1)).containsExactly(started());
  }

  @Test
  void layersOutOfOrderAreRefused() {
    PeerLayer<Seen> method = layer(Component.METHOD, event -> List.of());
    PeerLayer<Seen> overlay = layer(Component.DISCOVERY, event -> List.of());
    assertThatThrownBy(() -> new Peer(List.of(method, overlay)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("DISCOVERY at 1");
    assertThatThrownBy(() -> new Peer(List.of(method, method)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatNoMachineTakesGoesOutToTheShell() {
    Effect toShell = new Effect.Notify(Component.SHELL, new TextMessage("search"));
    Effect toMissing = new Effect.Notify(Component.DISCOVERY, new TextMessage("search"));
    Peer peer = new Peer(List.of(layer(Component.METHOD, event -> List.of(toShell, toMissing))));
    assertThat(peer.stepAll(peer.initial(), started()).effects())
        .containsExactly(
            new Tagged<>(Component.METHOD, toShell), new Tagged<>(Component.METHOD, toMissing));
  }

  /** Counts events, replaces texts that the machine gets, and doubles the machine's effects. */
  private record EchoInterceptor() implements Interceptor<Integer> {
    @Override
    public Integer initial() {
      return 7;
    }

    @Override
    public Optional<Event> beforeStep(Integer state, Event event) {
      return Optional.of(
          event instanceof Event.Received(long tick, PeerId from, Message _)
              ? new Event.Received(tick, from, new Greeting("replaced"))
              : event);
    }

    @Override
    public Step<Integer> afterStep(Integer state, Event event, List<Effect> effects) {
      List<Effect> twice = new ArrayList<>(effects);
      twice.addAll(effects);
      return new Step<>(
          event instanceof Event.Received(long _, PeerId _, Greeting greeting)
                  && greeting.text().equals("hello")
              ? state + 1
              : state,
          twice);
    }
  }

  @Test
  void anInterceptorStandsBetweenOneMachineAndTheRest() {
    Peer peer =
        new Peer(
            List.of(
                layer(Component.DISCOVERY, event -> List.of(count("overlay"))),
                layer(Component.METHOD, event -> List.of(count("method")))),
            List.of(
                new InterceptedLayer<>(Component.METHOD, new EchoInterceptor(), Integer.class)));
    assertThat(peer.stateTypes()).containsExactly(Seen.class, Seen.class, Integer.class);
    PeerStep started = peer.stepAll(peer.initial(), started());
    assertThat(started.effects())
        .extracting(Tagged::value)
        .containsExactly(count("overlay"), count("method"), count("method"));
    assertThat(started.state().layers().get(2)).isEqualTo(7);
    Event hello = new Event.Received(9, new PeerId(3), new Greeting("hello"));
    PeerState heard = peer.step(started.state(), Component.METHOD, hello).state();
    assertThat(seen(heard, 1))
        .containsExactly(started(), new Event.Received(9, new PeerId(3), new Greeting("replaced")));
    assertThat(heard.layers().get(2)).as("it sees the event as it was").isEqualTo(8);
    PeerState other = peer.step(heard, Component.DISCOVERY, hello).state();
    assertThat(seen(other, 0)).containsExactly(started(), hello);
    assertThat(other.layers().get(2)).isEqualTo(8);
  }

  /** Counts the events that it sees, and keeps every timer from the machine. */
  private record TimerFilter() implements Interceptor<Integer> {
    @Override
    public Integer initial() {
      return 0;
    }

    @Override
    public Optional<Event> beforeStep(Integer state, Event event) {
      return Optional.of(event).filter(each -> !(each instanceof Event.TimerFired));
    }

    @Override
    public Step<Integer> afterStep(Integer state, Event event, List<Effect> effects) {
      return new Step<>(state + 1, effects);
    }
  }

  @Test
  void theFirstOfTwoInterceptorsIsTheCloserOneToTheMachine() {
    InterceptedLayer<Integer> echo =
        new InterceptedLayer<>(Component.METHOD, new EchoInterceptor(), Integer.class);
    InterceptedLayer<Integer> filter =
        new InterceptedLayer<>(Component.METHOD, new TimerFilter(), Integer.class);
    PeerLayer<?> method = layer(Component.METHOD, event -> List.of(count("method")));
    Event timer = new Event.TimerFired(4, new Timer("any", 1));
    for (boolean filterInside : List.of(true, false)) {
      Peer peer =
          new Peer(List.of(method), filterInside ? List.of(filter, echo) : List.of(echo, filter));
      PeerStep step = peer.step(peer.initial(), Component.METHOD, timer);
      assertThat(seen(step.state(), 0)).as("the machine gets no timer").isEmpty();
      assertThat(step.effects()).isEmpty();
      assertThat(step.state().layers().get(filterInside ? 1 : 2)).isEqualTo(1);
      PeerStep hello =
          peer.step(
              step.state(),
              Component.METHOD,
              new Event.Received(5, new PeerId(3), new Greeting("hello")));
      assertThat(hello.effects()).hasSize(2);
      assertThat(hello.state().layers().get(filterInside ? 1 : 2)).isEqualTo(2);
    }
  }

  @Test
  void theStateOfBeforeIsLeftAlone() {
    Peer peer = new Peer(List.of(layer(Component.METHOD, event -> List.of())));
    PeerState before = peer.initial();
    PeerStep first = peer.stepAll(before, started());
    assertThat(seen(before, 0)).isEmpty();
    assertThat(peer.stepAll(before, started())).isEqualTo(first);
  }
}
