package io.kindred.lab.overlay;

import io.kindred.core.Component;
import io.kindred.core.Effect;
import io.kindred.core.Event;
import io.kindred.core.Note;
import io.kindred.core.Timer;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Step;
import io.kindred.core.settings.Named;
import io.kindred.protocol.overlay.OverlayNote;
import io.kindred.protocol.overlay.SearchRule;
import io.kindred.protocol.signatures.Signature;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * In place of a method: hands the overlay a signature and asks it what the shell says, one query
 * after another. Every query starts with a threshold of its own, so that none profits from the one
 * before.
 */
final class Asker implements Machine<Asker.State> {
  private static final String TIME_TO_ASK = "ask";

  /** The query whose time has not come. */
  record State(Optional<Ask> next) {}

  /** To the shell: the overlay is ready, or has answered; what now? */
  @Named("overlay-lab/idle")
  record Idle(Optional<OverlayNote.Searched> answered) implements Note {}

  /**
   * From the shell: ask this, after so many ticks.
   *
   * @param model a new one, to begin with
   */
  @Named("overlay-lab/ask")
  record Ask(
      long number, int wanted, SearchRule rule, long afterTicks, Optional<OverlayNote.Signed> model)
      implements Note {
    Ask(long number, int wanted, SearchRule rule, long afterTicks) {
      this(number, wanted, rule, afterTicks, Optional.empty());
    }

    Ask with(OverlayNote.Signed other) {
      return new Ask(number, wanted, rule, afterTicks, Optional.of(other));
    }
  }

  /** From the shell: nothing more to ask. */
  @Named("overlay-lab/rest")
  record Rest() implements Note {}

  private final Signature signature;
  private final int least;

  Asker(Signature signature, int least) {
    this.signature = signature;
    this.least = least;
  }

  static List<Class<?>> records() {
    return List.of(Idle.class, Ask.class, Rest.class);
  }

  @Override
  public State initial() {
    return new State(Optional.empty());
  }

  @Override
  public Step<State> step(State state, Event event) {
    return switch (event) {
      case Event.Started _ ->
          Step.of(
              state, new Effect.Tell(Component.OVERLAY, new OverlayNote.Signed(signature, least)));
      case Event.Told told -> told(state, told.note());
      case Event.TimerFired _ -> asks(state);
      default -> Step.of(state);
    };
  }

  private static Step<State> told(State state, Note note) {
    return switch (note) {
      case OverlayNote.Ready _ -> toShell(state, new Idle(Optional.empty()));
      case OverlayNote.Searched searched -> toShell(state, new Idle(Optional.of(searched)));
      case Ask ask -> {
        List<Effect> effects = new ArrayList<>();
        ask.model().ifPresent(model -> effects.add(new Effect.Tell(Component.OVERLAY, model)));
        effects.add(
            new Effect.SetTimer(
                new Timer(TIME_TO_ASK, ask.number()), Math.max(1, ask.afterTicks())));
        yield new Step<>(new State(Optional.of(ask)), effects);
      }
      default -> Step.of(state);
    };
  }

  private static Step<State> toShell(State state, Note note) {
    return Step.of(state, new Effect.Tell(Component.SHELL, note));
  }

  private static Step<State> asks(State state) {
    return state
        .next()
        .map(
            ask ->
                Step.of(
                    new State(Optional.empty()),
                    new Effect.Tell(
                        Component.OVERLAY,
                        new OverlayNote.Search(ask.number(), ask.wanted(), ask.rule(), true))))
        .orElse(Step.of(state));
  }
}
