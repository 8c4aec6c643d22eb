package io.kindred.core.peer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A peer: a stack of machines that communicate with each other by local messages and with the
 * outside by effects. It holds no state of its own; the shell keeps the {@link PeerState} and hands
 * it back with the next event.
 */
public final class Peer {
  /**
   * Local messages within one step from which on the exchange counts as endless, which is a bug.
   */
  private static final int MAX_LOCAL_MESSAGES = 10_000;

  private final List<PeerLayer<?>> layers;
  private final List<InterceptedLayer<?>> interceptors;

  public Peer(List<PeerLayer<?>> layers) {
    this(layers, List.of());
  }

  /**
   * A peer with interceptors of its machines. Of two interceptors of one machine, the first is the
   * closer to it.
   */
  public Peer(List<PeerLayer<?>> layers, List<InterceptedLayer<?>> interceptors) {
    for (int i = 1; i < layers.size(); i++) {
      if (layers.get(i - 1).component().compareTo(layers.get(i).component()) >= 0) {
        throw new IllegalArgumentException(
            "layers must rise in stack order, got " + layers.get(i).component() + " at " + i);
      }
    }
    this.layers = List.copyOf(layers);
    this.interceptors = List.copyOf(interceptors);
  }

  public List<PeerLayer<?>> layers() {
    return layers;
  }

  /** The types of the states in a {@link PeerState}, in their order. */
  public List<Class<?>> stateTypes() {
    List<Class<?>> types = new ArrayList<>();
    layers.forEach(layer -> types.add(layer.stateType()));
    interceptors.forEach(layer -> types.add(layer.stateType()));
    return types;
  }

  public PeerState initial() {
    List<Object> states = new ArrayList<>();
    for (PeerLayer<?> layer : layers) {
      states.add(layer.machine().initial());
    }
    interceptors.forEach(layer -> states.add(layer.interceptor().initial()));
    return new PeerState(states);
  }

  /**
   * An event for every machine, from the bottom of the stack up: a start, a changed neighbourhood,
   * a measurement.
   */
  public PeerStep stepAll(PeerState state, Event event) {
    LocalDispatch localDispatch = new LocalDispatch(state);
    for (PeerLayer<?> layer : layers) {
      localDispatch.deliver(layer.component(), event);
    }
    return localDispatch.deliverPending(event.tick());
  }

  /**
   * An event for one machine: a message, a timer, a result. An event for an unknown component stems
   * from the bad input of another peer and has no effect.
   */
  public PeerStep step(PeerState state, Component component, Event event) {
    if (indexOf(component) < 0) {
      return new PeerStep(state, List.of());
    }
    LocalDispatch localDispatch = new LocalDispatch(state);
    localDispatch.deliver(component, event);
    return localDispatch.deliverPending(event.tick());
  }

  private int indexOf(Component component) {
    for (int i = 0; i < layers.size(); i++) {
      if (layers.get(i).component() == component) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Steps machines and delivers their local messages until none is pending, all within one event.
   */
  private final class LocalDispatch {
    private final List<Object> states;
    private final List<Tagged<Effect>> effects = new ArrayList<>();
    // Most events cause no local message.
    private final Deque<LocalDelivery> pendingMessages = new ArrayDeque<>(1);

    LocalDispatch(PeerState state) {
      this.states = new ArrayList<>(state.layers());
    }

    void deliver(Component component, Event event) {
      List<Effect> requested = stepWithin(interceptors.size() - 1, component, event);
      for (Effect effect : requested) {
        if (effect instanceof Effect.Notify notify && indexOf(notify.to()) >= 0) {
          pendingMessages.add(new LocalDelivery(component, notify.to(), notify.message()));
        } else {
          effects.add(new Tagged<>(component, effect));
        }
      }
    }

    private List<Effect> stepMachine(Component component, Event event) {
      int index = indexOf(component);
      Step<?> step = stepLayer(layers.get(index), states.get(index), event);
      states.set(index, step.state());
      return step.effects();
    }

    /** A step of a machine through its interceptors up to one of them, the outermost first. */
    private List<Effect> stepWithin(int interceptor, Component component, Event event) {
      if (interceptor < 0) {
        return stepMachine(component, event);
      }
      InterceptedLayer<?> layer = interceptors.get(interceptor);
      return layer.component() == component
          ? stepIntercepted(layer, interceptor, event)
          : stepWithin(interceptor - 1, component, event);
    }

    private <S> List<Effect> stepIntercepted(
        InterceptedLayer<S> layer, int interceptor, Event event) {
      int index = layers.size() + interceptor;
      S state = layer.stateType().cast(states.get(index));
      List<Effect> effects =
          layer
              .interceptor()
              .beforeStep(state, event)
              .map(seen -> stepWithin(interceptor - 1, layer.component(), seen))
              .orElse(List.of());
      Step<S> step = layer.interceptor().afterStep(state, event, effects);
      states.set(index, step.state());
      return step.effects();
    }

    PeerStep deliverPending(long tick) {
      for (int passed = 0; !pendingMessages.isEmpty(); passed++) {
        if (passed == MAX_LOCAL_MESSAGES) {
          throw new IllegalStateException(
              "machines of one peer exchanged "
                  + MAX_LOCAL_MESSAGES
                  + " local messages within one event");
        }
        LocalDelivery localDelivery = pendingMessages.remove();
        deliver(
            localDelivery.to(),
            new Event.Notified(tick, localDelivery.from(), localDelivery.message()));
      }
      return new PeerStep(new PeerState(states), effects);
    }

    private <S> Step<S> stepLayer(PeerLayer<S> layer, Object state, Event event) {
      return layer.machine().step(layer.stateType().cast(state), event);
    }
  }

  private record LocalDelivery(Component from, Component to, LocalMessage message) {}
}
