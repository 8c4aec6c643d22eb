package io.kindred.environment.adversary;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Interceptor;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.MessageValues;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.weights.Weights;
import io.kindred.environment.adversary.ForgedMessagesState.Sent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Falsifies the messages of a machine of a hostile peer. The machine itself stays honest and never
 * learns of it: a message that could not be delivered comes back to it as it wrote it.
 */
record ForgedMessages(PeerId self, Optional<ModelForgery> models, Optional<ClaimForgery> claims)
    implements Interceptor<ForgedMessagesState> {
  @Override
  public ForgedMessagesState initial() {
    return new ForgedMessagesState(
        Optional.empty(), Optional.empty(), Optional.empty(), new TreeMap<>(), new TreeMap<>());
  }

  @Override
  public Optional<Event> beforeStep(ForgedMessagesState state, Event event) {
    if (!(event instanceof Event.SendFailed(long tick, PeerId to, Message message))) {
      return Optional.of(event);
    }
    Message honest =
        Optional.ofNullable(state.sent().get(to))
            .filter(sent -> sent.forged().equals(message))
            .map(Sent::honest)
            .orElse(message);
    return Optional.of(new Event.SendFailed(tick, to, honest));
  }

  @Override
  public Step<ForgedMessagesState> afterStep(
      ForgedMessagesState state, Event event, List<Effect> effects) {
    ForgedMessagesState next = hearing(state, event);
    List<Effect> changed = new ArrayList<>();
    for (Effect effect : effects) {
      if (effect instanceof Effect.Send(PeerId to, Message honest)) {
        next = withModels(next, honest);
        Message forged = forged(next, to, honest);
        changed.add(new Effect.Send(to, forged));
        next = sending(next, to, new Sent(honest, forged));
      } else {
        changed.add(effect);
      }
    }
    return new Step<>(next, changed);
  }

  private ForgedMessagesState hearing(ForgedMessagesState state, Event event) {
    if (claims.isEmpty()
        || !(event instanceof Event.Received(long _, PeerId from, Message message))
        || Forgeries.likeness(from, Optional.of(message)).isEmpty()) {
      return state;
    }
    SortedMap<PeerId, Message> heard = new TreeMap<>(state.heard());
    heard.put(from, message);
    return ForgedMessagesStateBuilder.from(state).heard(heard).build();
  }

  /** Forges the last model of a message at once, because several receivers get the same model. */
  private ForgedMessagesState withModels(ForgedMessagesState state, Message honest) {
    List<Weights> sent = models.isPresent() ? MessageValues.weights(honest) : List.of();
    if (sent.isEmpty() || Optional.of(sent.getLast()).equals(state.honest())) {
      return state;
    }
    Weights first = state.first().orElseGet(sent::getFirst);
    return ForgedMessagesStateBuilder.from(state)
        .first(Optional.of(first))
        .honest(Optional.of(sent.getLast()))
        .forged(Optional.of(models.orElseThrow().forged(first, sent.getLast())))
        .build();
  }

  private Message forged(ForgedMessagesState state, PeerId to, Message honest) {
    Message withModels =
        models
            .map(
                forgery ->
                    MessageValues.rewrite(
                        honest,
                        (_, _, value) ->
                            value instanceof Weights weights
                                ? forged(state, forgery, weights)
                                : value))
            .orElse(honest);
    return claims
        .map(forgery -> forgery.forged(to, withModels, Optional.ofNullable(state.heard().get(to))))
        .orElse(withModels);
  }

  private static Weights forged(ForgedMessagesState state, ModelForgery forgery, Weights honest) {
    return Optional.of(honest).equals(state.honest())
        ? state.forged().orElseThrow()
        : forgery.forged(state.first().orElse(honest), honest);
  }

  private static ForgedMessagesState sending(ForgedMessagesState state, PeerId to, Sent message) {
    SortedMap<PeerId, Sent> sent = new TreeMap<>(state.sent());
    sent.put(to, message);
    return ForgedMessagesStateBuilder.from(state).sent(sent).build();
  }
}
