package io.kindred.methods.contract;

import io.kindred.core.compute.Optimizer.Rule;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.InterceptedLayer;
import io.kindred.core.peer.Interceptor;
import io.kindred.core.peer.Step;
import io.kindred.core.weights.Weights;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Keeps one velocity for each model of a peer, for any method: a training ticket starts with the
 * velocity that the last training of the same model ended with, and the method gets the result
 * without the velocity. A ticket that asks for its velocity stays as it is, because the method
 * handles the velocity itself. A peer that repeats an interrupted training starts it with the
 * newest velocity that it has.
 */
public final class KeptVelocities implements Interceptor<KeptVelocities.VelocityState> {
  /**
   * The velocities of a peer's models.
   *
   * @param velocities by the numbers of the models
   * @param running the number of the model that each running ticket trains; {@link
   *     Ticket.Train#TEMPORARY} for a ticket that a newer ticket of the same model has replaced
   */
  public record VelocityState(
      SortedMap<Integer, Weights> velocities, SortedMap<Long, Integer> running) {
    private Optional<Weights> velocityOf(int model) {
      return Optional.ofNullable(velocities.get(model));
    }

    private VelocityState withoutRunning() {
      return running.isEmpty() ? this : new VelocityState(velocities, new TreeMap<>());
    }

    private VelocityState started(long ticket, int model) {
      SortedMap<Long, Integer> next = new TreeMap<>(running);
      next.replaceAll((_, each) -> each == model ? Ticket.Train.TEMPORARY : each);
      next.put(ticket, model);
      return new VelocityState(velocities, next);
    }

    private VelocityState finished(long ticket, Weights velocity) {
      SortedMap<Long, Integer> rest = new TreeMap<>(running);
      Integer model = rest.remove(ticket);
      if (model == null || model == Ticket.Train.TEMPORARY) {
        return new VelocityState(velocities, rest);
      }
      SortedMap<Integer, Weights> next = new TreeMap<>(velocities);
      next.put(model, velocity);
      return new VelocityState(next, rest);
    }
  }

  private KeptVelocities() {}

  /** Keeps the velocities of the models that a peer's method trains, if the settings say so. */
  public static List<InterceptedLayer<?>> layers(Training training) {
    return switch (training.velocity()) {
      case RESET -> List.of();
      case KEEP ->
          List.of(
              new InterceptedLayer<>(Component.METHOD, new KeptVelocities(), VelocityState.class));
    };
  }

  @Override
  public VelocityState initial() {
    return new VelocityState(new TreeMap<>(), new TreeMap<>());
  }

  @Override
  public Optional<Event> beforeStep(VelocityState state, Event event) {
    return Optional.of(
        event instanceof Event.Computed(long tick, long ticket, Result.Trained trained)
                && state.running().containsKey(ticket)
            ? new Event.Computed(
                tick,
                ticket,
                new Result.Trained(trained.weights(), trained.loss(), trained.samples()))
            : event);
  }

  @Override
  public Step<VelocityState> afterStep(VelocityState state, Event event, List<Effect> effects) {
    VelocityState next = afterEvent(state, event);
    List<Effect> changed = new ArrayList<>();
    for (Effect effect : effects) {
      if (effect instanceof Effect.Compute(long ticket, Ticket.Train train) && keeps(train)) {
        changed.add(new Effect.Compute(ticket, train.fromVelocity(next.velocityOf(train.model()))));
        next = next.started(ticket, train.model());
      } else {
        changed.add(effect);
      }
    }
    return new Step<>(next, changed);
  }

  private static VelocityState afterEvent(VelocityState state, Event event) {
    return switch (event) {
      case Event.Computed(long _, long ticket, Result.Trained trained)
          when trained.velocity().isPresent() && state.running().containsKey(ticket) ->
          state.finished(ticket, trained.velocity().get());
      // Work that ran before the peer stopped no longer exists.
      case Event.Restored _ -> state.withoutRunning();
      default -> state;
    };
  }

  /** Without momentum a velocity has no effect on the next step. */
  private static boolean keeps(Ticket.Train train) {
    return train.model() != Ticket.Train.TEMPORARY
        && !train.returnsVelocity()
        && train.velocity().isEmpty()
        && train.optimizer().rule() instanceof Rule.Sgd(double momentum, boolean _)
        && momentum > 0;
  }
}
