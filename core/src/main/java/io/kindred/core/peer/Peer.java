package io.kindred.core.peer;

import io.kindred.core.Component;
import io.kindred.core.Effect;
import io.kindred.core.Event;
import io.kindred.core.Note;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A peer: a stack of machines that talk to each other by notes and to the world by effects. It
 * holds no state of its own; the shell keeps the {@link PeerState} and hands it back with the next
 * event.
 */
public final class Peer {
  /** Notes passed within one step before we call it an endless conversation, which is a bug. */
  private static final int MAX_NOTES = 10_000;

  private final List<Layer<?>> layers;

  public Peer(List<Layer<?>> layers) {
    for (int i = 1; i < layers.size(); i++) {
      if (layers.get(i - 1).component().compareTo(layers.get(i).component()) >= 0) {
        throw new IllegalArgumentException(
            "layers must rise in stack order, got " + layers.get(i).component() + " at " + i);
      }
    }
    this.layers = List.copyOf(layers);
  }

  public List<Layer<?>> layers() {
    return layers;
  }

  public PeerState initial() {
    List<Object> states = new ArrayList<>();
    for (Layer<?> layer : layers) {
      states.add(layer.machine().initial());
    }
    return new PeerState(states);
  }

  /**
   * An event for every machine, from the bottom of the stack up: a start, a changed neighbourhood,
   * a measurement.
   */
  public PeerStep stepAll(PeerState state, Event event) {
    Conversation conversation = new Conversation(state);
    for (Layer<?> layer : layers) {
      conversation.deliver(layer.component(), event);
    }
    return conversation.settle(event.tick());
  }

  /**
   * An event for one machine: a message, a timer, a result. An unknown component is a peer's bad
   * input: no effect.
   */
  public PeerStep step(PeerState state, Component component, Event event) {
    if (indexOf(component) < 0) {
      return new PeerStep(state, List.of());
    }
    Conversation conversation = new Conversation(state);
    conversation.deliver(component, event);
    return conversation.settle(event.tick());
  }

  private int indexOf(Component component) {
    for (int i = 0; i < layers.size(); i++) {
      if (layers.get(i).component() == component) {
        return i;
      }
    }
    return -1;
  }

  /** Steps machines and passes notes between them until none is left; all within one event. */
  private final class Conversation {
    private final List<Object> states;
    private final List<Tagged<Effect>> effects = new ArrayList<>();
    private final Deque<Spoken> notes = new ArrayDeque<>();

    Conversation(PeerState state) {
      this.states = new ArrayList<>(state.layers());
    }

    void deliver(Component component, Event event) {
      int index = indexOf(component);
      Step<?> step = stepLayer(layers.get(index), states.get(index), event);
      states.set(index, step.state());
      for (Effect effect : step.effects()) {
        if (effect instanceof Effect.Tell tell && indexOf(tell.to()) >= 0) {
          notes.add(new Spoken(component, tell.to(), tell.note()));
        } else {
          effects.add(new Tagged<>(component, effect));
        }
      }
    }

    PeerStep settle(long tick) {
      for (int passed = 0; !notes.isEmpty(); passed++) {
        if (passed == MAX_NOTES) {
          throw new IllegalStateException(
              "machines of one peer passed " + MAX_NOTES + " notes within one event");
        }
        Spoken spoken = notes.remove();
        deliver(spoken.to(), new Event.Told(tick, spoken.from(), spoken.note()));
      }
      return new PeerStep(new PeerState(states), effects);
    }

    private <S> Step<S> stepLayer(Layer<S> layer, Object state, Event event) {
      return layer.machine().step(layer.stateType().cast(state), event);
    }
  }

  private record Spoken(Component from, Component to, Note note) {}
}
