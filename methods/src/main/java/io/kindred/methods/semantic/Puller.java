package io.kindred.methods.semantic;

import io.kindred.core.Component;
import io.kindred.core.Effect;
import io.kindred.core.Event;
import io.kindred.core.Message;
import io.kindred.core.Note;
import io.kindred.core.Observation;
import io.kindred.core.Observation.Deployed;
import io.kindred.core.Observation.Stage;
import io.kindred.core.PeerId;
import io.kindred.core.Ticks;
import io.kindred.core.Timer;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Step;
import io.kindred.core.settings.Named;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;
import io.kindred.methods.PeerContext;
import io.kindred.methods.semantic.PullState.Held;
import io.kindred.methods.semantic.PullState.Hunt;
import io.kindred.methods.semantic.PullState.Likeness;
import io.kindred.methods.semantic.PullState.Models;
import io.kindred.methods.semantic.PullState.Phase;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.overlay.OverlayNote;
import io.kindred.protocol.signatures.Signature;
import io.kindred.protocol.signatures.SignatureRule;
import io.kindred.protocol.signatures.SignatureState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Rounds of a peer that pulls: train, sign, search, pull what was found, mix (SemanticDFL, sections
 * 3.1 and 3.6). A peer goes on when all models that it asked for are there or its patience ends; it
 * answers others with the model of their round, or with its newest if that is over. What to do with
 * models is in {@link Catch}.
 */
record Puller(PullRules rules, PeerContext context) implements Machine<PullState> {
  static final String SEARCH = "search";
  static final String ASK_AGAIN = "ask-again";
  static final String PULL = "pull";

  /** How often a message that did not arrive is sent once more. */
  static final int RETRIES = 5;

  /** A cosine, and what rounding adds to one. */
  private static final double MOST_ALIKE = 1.001;

  /** Requests that wait for a model: more peers than this are turned away. */
  private static final int MOST_HELD = 4096;

  private static final double FIRST_WAIT_SECONDS = 0.05;
  private static final int MOST_DOUBLINGS = 7;

  /**
   * A peer says: send me your model of this round.
   *
   * @param attempt how often it was sent in vain
   */
  @Named("semantic/model-request")
  public record ModelRequest(int round, int attempt) implements Message {}

  /**
   * A peer says: this is what I trained in this round, my newest.
   *
   * @param attempt how often it was sent in vain
   */
  @Named("semantic/model-reply")
  public record ModelReply(int round, Weights weights, int attempt) implements Message {}

  @Override
  public PullState initial() {
    Weights start = start();
    return new PullState(
        1,
        Phase.TRAINING,
        new Models(
            rules.signatures().of() == SignatureRule.Subject.DELTA
                ? Optional.of(start)
                : Optional.empty(),
            start,
            start,
            0),
        new Likeness(Optional.empty(), 0, 0, Optional.empty(), !overOverlay()),
        Hunt.NONE,
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }

  Weights start() {
    return context.initialWeights().apply(0);
  }

  int wanted() {
    return rules.pull().wanted(context.network());
  }

  private boolean overOverlay() {
    return rules.searching(context).isPresent();
  }

  @Override
  public Step<PullState> step(PullState state, Event event) {
    return switch (event) {
      case Event.Started _ -> Step.of(state, train(state));
      case Event.Restored restored -> resume(state, restored.tick());
      case Event.Computed computed -> computed(state, computed);
      case Event.Received received -> received(state, received);
      case Event.SendFailed failed -> new Catch(this).notSent(state, failed);
      case Event.TimerFired fired -> alarm(state, fired);
      case Event.Told told -> told(state, told.note(), told.tick());
      case Event.NeighboursChanged _, Event.LinkMeasured _, Event.LeaveRequested _ ->
          Step.of(state);
    };
  }

  private Effect train(PullState state) {
    return new Effect.Compute(
        state.round(),
        context.training().round(state.models().from(), context.self(), state.round()));
  }

  /** What was being searched or pulled when the peer stopped is looked for again. */
  private Step<PullState> resume(PullState state, long tick) {
    return switch (state.phase()) {
      case TRAINING -> Step.of(state, train(state));
      case SIGNING -> sign(state, tick);
      case SEARCHING, PULLING, JUDGING, MIXING -> seek(state, tick);
      case DONE -> Step.of(state);
    };
  }

  private Step<PullState> computed(PullState state, Event.Computed computed) {
    if (computed.ticket() != state.round()) {
      return Step.of(state);
    }
    long tick = computed.tick();
    return switch (computed.result()) {
      case Result.Trained trained when state.phase() == Phase.TRAINING ->
          trained(state, trained.weights(), tick);
      case Result.Answered(Sign.Signed(SignatureState made, int least))
          when state.phase() == Phase.SIGNING ->
          signed(state, made, least, tick);
      case Result.Answered(Judge.Judged(List<Double> similarities))
          when state.phase() == Phase.JUDGING ->
          new Catch(this).judged(state, similarities);
      case Result.Mixed mixed when state.phase() == Phase.MIXING -> deploy(state, mixed.weights());
      case Result.Trained _, Result.Answered _, Result.Mixed _, Result.Losses _, Result.Outputs _ ->
          Step.of(state);
    };
  }

  /** Whoever waited for this model gets it; who wants none of the others' is done already. */
  private Step<PullState> trained(PullState state, Weights weights, long tick) {
    List<Effect> effects = new ArrayList<>();
    effects.add(new Effect.Observe(Deployed.of(state.round(), Stage.TRAINED, weights)));
    List<Held> still = new ArrayList<>();
    for (Held each : state.held()) {
      if (each.round() <= state.round()) {
        effects.add(new Effect.Send(each.from(), new ModelReply(state.round(), weights, 0)));
      } else {
        still.add(each);
      }
    }
    PullState next = state.with(state.models().trained(weights, state.round()), still);
    return after(effects, rules.pull().alpha() == 0 ? deploy(next, weights) : sign(next, tick));
  }

  static Step<PullState> after(List<Effect> before, Step<PullState> step) {
    List<Effect> effects = new ArrayList<>(before);
    effects.addAll(step.effects());
    return new Step<>(step.state(), effects);
  }

  private Step<PullState> sign(PullState state, long tick) {
    Optional<Signature> given = rules.signature(context);
    PullState next = state.in(Phase.SIGNING);
    if (given.isPresent()) {
      SignatureState made = new SignatureState(Optional.empty(), given.get(), 0);
      return signed(next, made, given.get().size(), tick);
    }
    Likeness known = state.likeness();
    Sign sign =
        new Sign(
            rules.signatures(),
            rules.signatureShare(),
            state.models().trained(),
            start(),
            known.state(),
            known.agreed(),
            known.least());
    return Step.of(next, new Effect.Compute(state.round(), new Ticket.Call(sign)));
  }

  private Step<PullState> signed(PullState state, SignatureState made, int least, long tick) {
    Likeness known = state.likeness();
    PullState next =
        state.with(
            new Likeness(Optional.of(made), state.round(), least, known.agreed(), known.ready()));
    List<Effect> effects = new ArrayList<>();
    if (overOverlay()) {
      effects.add(
          new Effect.Tell(Component.OVERLAY, new OverlayNote.Signed(made.signature(), least)));
    }
    return after(effects, seek(next, tick));
  }

  /** Asks, or waits until there is somebody to ask. The tick makes a number that was never used. */
  private Step<PullState> seek(PullState state, long tick) {
    PullState next = state.in(Phase.SEARCHING).with(new Hunt(tick, 0, tick, List.of(), List.of()));
    Effect alarm =
        new Effect.SetTimer(new Timer(SEARCH, tick), rules.pull().patience().ticks(List.of()));
    return state.likeness().ready()
        ? after(List.of(alarm), ask(next, false))
        : Step.of(next, alarm);
  }

  private Step<PullState> ask(PullState state, boolean anyway) {
    Hunt hunt = state.hunt();
    Effect question =
        rules
            .searching(context)
            .map(
                searching ->
                    new Effect.Tell(
                        Component.OVERLAY,
                        new OverlayNote.Search(hunt.number(), wanted(), searching.reach(), false)))
            .orElseGet(
                () ->
                    new Effect.Tell(
                        Component.SHELL,
                        new Oracle.Ask(
                            hunt.number(),
                            wanted(),
                            rules.by(),
                            state.round(),
                            anyway,
                            rules.signatures())));
    return Step.of(
        state.with(new Hunt(hunt.number(), hunt.asked() + 1, hunt.since(), List.of(), List.of())),
        question);
  }

  private Step<PullState> told(PullState state, Note note, long tick) {
    return switch (note) {
      case OverlayNote.Ready ready -> ready(state, ready.entries());
      case OverlayNote.Searched searched when seeks(state, searched.number()) ->
          after(
              List.of(
                  new Effect.Observe(
                      new Observation.Measured(
                          state.round(),
                          Observation.Measured.SEARCH_SECONDS,
                          Ticks.toSeconds(searched.ticks())))),
              found(state, searched.candidates(), tick));
      case Oracle.Nearest nearest when seeks(state, nearest.number()) ->
          found(agreed(state, nearest.entries(), true), nearest.candidates(), tick);
      case Oracle.NotYet notYet when seeks(state, notYet.number()) ->
          Step.of(state, askLater(state.hunt()));
      default -> Step.of(state);
    };
  }

  private static boolean seeks(PullState state, long number) {
    return state.phase() == Phase.SEARCHING && state.hunt().number() == number;
  }

  private static PullState agreed(PullState state, int entries, boolean ready) {
    Likeness known = state.likeness();
    return state.with(
        new Likeness(
            known.state(),
            known.signed(),
            known.least(),
            entries > 0 ? Optional.of(entries) : known.agreed(),
            ready));
  }

  private Step<PullState> ready(PullState state, int entries) {
    PullState next = agreed(state, entries, true);
    return state.phase() == Phase.SEARCHING && state.hunt().asked() == 0
        ? ask(next, false)
        : Step.of(next);
  }

  private static Effect askLater(Hunt hunt) {
    double seconds = FIRST_WAIT_SECONDS * (1 << Math.min(hunt.asked(), MOST_DOUBLINGS));
    return new Effect.SetTimer(new Timer(ASK_AGAIN, hunt.number()), Ticks.ofSeconds(seconds));
  }

  private Step<PullState> alarm(PullState state, Event.TimerFired fired) {
    long number = fired.timer().number();
    boolean seeks = seeks(state, number);
    boolean pulls = state.phase() == Phase.PULLING && state.hunt().number() == number;
    return switch (fired.timer().name()) {
      case ASK_AGAIN -> seeks ? ask(state, false) : Step.of(state);
      case SEARCH -> seeks ? searchEnded(state, fired.tick()) : Step.of(state);
      case PULL ->
          pulls
              ? after(List.of(counted("patience-ended")), new Catch(this).close(state))
              : Step.of(state);
      default -> Step.of(state);
    };
  }

  /** Who sees everybody answers with those who are there; an overlay had its time. */
  private Step<PullState> searchEnded(PullState state, long tick) {
    return overOverlay()
        ? after(List.of(counted("search-ended")), found(state, List.of(), tick))
        : ask(state, true);
  }

  static Effect counted(String name) {
    return new Effect.Observe(new Observation.Counted(name));
  }

  private Step<PullState> found(PullState state, List<Candidate> candidates, long tick) {
    List<Candidate> others =
        candidates.stream()
            .filter(each -> !each.peer().equals(context.self()))
            // Others say how alike they are, and may say anything.
            .filter(each -> Math.abs(each.similarity()) <= MOST_ALIKE)
            .limit(wanted())
            .toList();
    Hunt hunt = state.hunt();
    List<Effect> effects = new ArrayList<>();
    effects.add(
        new Effect.Observe(
            new Observation.Found(
                state.round(), wanted(), others.stream().map(Candidate::peer).toList())));
    for (Candidate each : others) {
      effects.add(new Effect.Send(each.peer(), new ModelRequest(state.round(), 0)));
    }
    effects.add(
        new Effect.SetTimer(
            new Timer(PULL, hunt.number()), rules.pull().patience().ticks(state.answers())));
    PullState next =
        state
            .in(Phase.PULLING)
            .with(new Hunt(hunt.number(), hunt.asked(), tick, others, List.of()));
    return after(effects, others.isEmpty() ? new Catch(this).close(next) : Step.of(next));
  }

  private Step<PullState> received(PullState state, Event.Received received) {
    return switch (received.message()) {
      case ModelRequest request -> requested(state, received.from(), request.round());
      case ModelReply reply ->
          new Catch(this).replied(state, received.from(), reply, received.tick());
      default -> Step.of(state, counted("unexpected-message"));
    };
  }

  private Step<PullState> requested(PullState state, PeerId from, int round) {
    if (round < 1 || round > context.rounds()) {
      return Step.of(state, counted("unexpected-message"));
    }
    if (state.models().round() >= round) {
      return Step.of(state, new Effect.Send(from, newest(state, 0)));
    }
    List<Held> held = new ArrayList<>(state.held());
    held.removeIf(each -> each.from().equals(from));
    if (held.size() < MOST_HELD) {
      held.add(new Held(from, round));
    }
    return Step.of(state.holding(held));
  }

  static ModelReply newest(PullState state, int attempt) {
    return new ModelReply(state.models().round(), state.models().trained(), attempt);
  }

  /**
   * The end of a round. The next one is the one after it, or the one that half of the pulled models
   * are of: who was away catches up.
   */
  Step<PullState> deploy(PullState state, Weights weights) {
    Effect deployed = new Effect.Observe(Deployed.of(state.round(), Stage.MIXED, weights));
    if (state.round() == context.rounds()) {
      return Step.of(state.at(state.round(), weights).in(Phase.DONE), deployed);
    }
    List<Integer> rounds =
        state.hunt().pulled().stream().map(PullState.Pulled::round).sorted().toList();
    int others = rounds.isEmpty() ? 0 : rounds.get((rounds.size() - 1) / 2);
    PullState next = state.at(Math.max(state.round() + 1, others), weights);
    return Step.of(next, deployed, train(next));
  }
}
