package io.kindred.methods.pull;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.LocalMessage;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Deployed;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.peer.Ticks;
import io.kindred.core.peer.Timer;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.discovery.Oracle;
import io.kindred.methods.discovery.PeerDiscovery;
import io.kindred.methods.discovery.SignatureSettings;
import io.kindred.methods.pull.PullState.DeferredRequest;
import io.kindred.methods.pull.PullState.Models;
import io.kindred.methods.pull.PullState.Phase;
import io.kindred.methods.pull.PullState.PullAttempt;
import io.kindred.methods.pull.PullState.SignatureInfo;
import io.kindred.protocol.discovery.DiscoveryLocalMessage;
import io.kindred.protocol.discovery.Sketch;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.overlay.OverlayLocalMessage;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.signature.SignatureRule;
import io.kindred.protocol.signature.SignatureState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Rounds of a peer that pulls: train, sign or sketch, search, pull the models of the candidates,
 * mix (SemanticDFL, sections 3.1 and 3.6). A peer continues when all requested models have arrived
 * or at its timeout. It answers a request with its newest model, as soon as it has trained the
 * requested round. {@link PulledModels} handles the replies.
 */
record PullMachine(PullMethod method, PeerContext context) implements Machine<PullState> {
  static final String SEARCH = "search";
  static final String SEARCH_RETRY = "ask-again";
  static final String PULL = "pull";

  /** How often a peer retries to send a message that did not arrive. */
  static final int RETRIES = 5;

  /** The largest cosine, plus a tolerance for rounding. */
  private static final double MAX_SIMILARITY = 1.001;

  /** Limit of requests that wait for a model; further requests are dropped. */
  private static final int MAX_DEFERRED = 4096;

  private static final double INITIAL_BACKOFF_SECONDS = 0.05;
  private static final int MAX_BACKOFF_DOUBLINGS = 7;

  /**
   * From a peer to a candidate: asks for the candidate's model of a round.
   *
   * @param attempt number of failed sends before this one
   */
  @Named("semantic/model-request")
  public record ModelRequest(int round, int attempt) implements Message {}

  /**
   * From a candidate to a peer: the candidate's newest trained model, and its round.
   *
   * @param version the version by which the candidate advertises this model
   * @param samples number of training samples of the candidate
   * @param attempt number of failed sends before this one
   */
  @Named("semantic/model-reply")
  public record ModelReply(int round, long version, Weights weights, int samples, int attempt)
      implements Message {}

  @Override
  public PullState initial() {
    Weights start = initialWeights();
    return new PullState(
        1,
        Phase.TRAINING,
        new Models(comparesChanges() ? Optional.of(start) : Optional.empty(), start, start, 0, 0),
        new SignatureInfo(Optional.empty(), 0, 0, Optional.empty(), discovery().isReadyAtStart()),
        PullAttempt.NONE,
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }

  Weights initialWeights() {
    return context.initialWeights().apply(0);
  }

  int pullCount() {
    return method.pull().pullCount(context.networkSize());
  }

  PeerDiscovery discovery() {
    return method.discovery();
  }

  /** Whether models are compared by their changes since the common start, not by their weights. */
  boolean comparesChanges() {
    return discovery()
        .signing()
        .map(signing -> signing.signatures().of() == SignatureRule.Subject.DELTA)
        .orElse(true);
  }

  @Override
  public Step<PullState> step(PullState state, Event event) {
    return switch (event) {
      case Event.Started _ -> Step.of(state, train(state));
      case Event.Restored restored -> resume(state, restored.tick());
      case Event.Computed computed -> computed(state, computed);
      case Event.Received received -> received(state, received);
      case Event.SendFailed failed -> new PulledModels(this).sendFailed(state, failed);
      case Event.TimerFired fired -> timerFired(state, fired);
      case Event.Notified notified -> notified(state, notified.message(), notified.tick());
      case Event.NeighboursChanged _, Event.LinkMeasured _, Event.LeaveRequested _ ->
          Step.of(state);
    };
  }

  private Effect train(PullState state) {
    return new Effect.Compute(
        state.round(),
        context.training().round(state.models().from(), context.self(), state.round()));
  }

  /** A search or pull that a restart interrupted begins again with the search. */
  private Step<PullState> resume(PullState state, long tick) {
    return switch (state.phase()) {
      case TRAINING -> Step.of(state, train(state));
      case SIGNING -> sign(state, tick);
      case SEARCHING, PULLING, SCORING, MIXING -> startSearch(state, tick);
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
      case Result.Answered(
              ComputeSignature.ComputedSignature(SignatureState made, int requiredEntries))
          when state.phase() == Phase.SIGNING ->
          signed(state, made, requiredEntries, tick);
      case Result.Answered(SketchModel.ModelSketch(Sketch sketch))
          when state.phase() == Phase.SIGNING ->
          sketched(state, sketch, tick);
      case Result.Answered(ScoreModels.ModelScores(List<Double> similarities))
          when state.phase() == Phase.SCORING ->
          new PulledModels(this).scored(state, similarities);
      case Result.Answered(CompareModels.Comparisons comparisons)
          when state.phase() == Phase.SCORING ->
          new PulledModels(this).compared(state, comparisons);
      case Result.Mixed mixed when state.phase() == Phase.MIXING -> deploy(state, mixed.weights());
      case Result.Trained _, Result.Answered _, Result.Mixed _, Result.Losses _, Result.Outputs _ ->
          Step.of(state);
    };
  }

  /** Answers deferred requests for this model; with an alpha of zero the peer pulls nothing. */
  private Step<PullState> trained(PullState state, Weights weights, long tick) {
    List<Effect> effects = new ArrayList<>();
    effects.add(new Effect.Observe(Deployed.of(state.round(), Stage.TRAINED, weights)));
    PullState trained =
        PullStateBuilder.from(state)
            .models(state.models().trained(weights, state.round(), tick))
            .build();
    List<DeferredRequest> remaining = new ArrayList<>();
    for (DeferredRequest each : state.deferred()) {
      if (each.round() <= state.round()) {
        effects.add(new Effect.Send(each.from(), newestReply(trained, 0)));
      } else {
        remaining.add(each);
      }
    }
    PullState next = PullStateBuilder.from(trained).deferred(remaining).build();
    return prependEffects(
        effects, method.pull().alpha() == 0 ? deploy(next, weights) : sign(next, tick));
  }

  static Step<PullState> prependEffects(List<Effect> before, Step<PullState> step) {
    List<Effect> effects = new ArrayList<>(before);
    effects.addAll(step.effects());
    return new Step<>(step.state(), effects);
  }

  /** Describes the own model for the search: by a signature, by a sketch, or not at all. */
  private Step<PullState> sign(PullState state, long tick) {
    Optional<Signature> given = method.fixedSignature(context);
    PullState next = state.inPhase(Phase.SIGNING);
    if (given.isPresent()) {
      SignatureState made = new SignatureState(Optional.empty(), given.get(), 0);
      return signed(next, made, given.get().size(), tick);
    }
    Optional<PureFunction> description =
        discovery()
            .signing()
            .<PureFunction>map(signing -> computeSignature(state, signing))
            .or(
                () ->
                    discovery()
                        .sketching()
                        .map(
                            rule ->
                                new SketchModel(
                                    rule,
                                    context.sentForm().apply(state.models().trained()),
                                    initialWeights(),
                                    state.models().from())));
    return description
        .map(
            function -> Step.of(next, new Effect.Compute(state.round(), new Ticket.Call(function))))
        .orElseGet(() -> startSearch(described(next), tick));
  }

  private ComputeSignature computeSignature(PullState state, SignatureSettings signing) {
    SignatureInfo known = state.signatureInfo();
    return new ComputeSignature(
        signing.signatures(),
        signing.signatureShare(),
        state.models().trained(),
        initialWeights(),
        known.signatureState(),
        known.agreedEntries(),
        known.requiredEntries());
  }

  private Step<PullState> signed(
      PullState state, SignatureState made, int requiredEntries, long tick) {
    PullState next =
        PullStateBuilder.from(state)
            .signatureInfo(
                SignatureInfoBuilder.from(state.signatureInfo())
                    .signatureState(Optional.of(made))
                    .signedRound(state.round())
                    .requiredEntries(requiredEntries)
                    .build())
            .build();
    return prependEffects(
        discovery().signed(made.signature(), requiredEntries).stream().toList(),
        startSearch(next, tick));
  }

  private Step<PullState> sketched(PullState state, Sketch sketch, long tick) {
    Effect trained =
        new Effect.Notify(
            Component.DISCOVERY,
            new DiscoveryLocalMessage.ModelTrained(state.models().version(), sketch));
    return prependEffects(List.of(trained), startSearch(described(state), tick));
  }

  private static PullState described(PullState state) {
    return PullStateBuilder.from(state)
        .signatureInfo(
            SignatureInfoBuilder.from(state.signatureInfo()).signedRound(state.round()).build())
        .build();
  }

  /** Sends a search, or waits until searches are possible. The tick is an unused search number. */
  private Step<PullState> startSearch(PullState state, long tick) {
    PullState next =
        PullStateBuilder.from(state)
            .phase(Phase.SEARCHING)
            .pullAttempt(new PullAttempt(tick, 0, tick, List.of(), List.of()))
            .build();
    if (discovery().answersAtOnce()) {
      return sendSearch(next, false);
    }
    Effect timeout =
        new Effect.SetTimer(new Timer(SEARCH, tick), method.pull().timeout().ticks(List.of()));
    return state.signatureInfo().searchReady()
        ? prependEffects(List.of(timeout), sendSearch(next, false))
        : Step.of(next, timeout);
  }

  private Step<PullState> sendSearch(PullState state, boolean immediate) {
    PullAttempt attempt = state.pullAttempt();
    Effect search =
        discovery()
            .ask(
                new PeerDiscovery.Request(attempt.number(), pullCount(), state.round(), immediate));
    return Step.of(
        PullStateBuilder.from(state)
            .pullAttempt(
                PullAttemptBuilder.from(attempt)
                    .searchCount(attempt.searchCount() + 1)
                    .candidates(List.of())
                    .pulled(List.of())
                    .build())
            .build(),
        search);
  }

  private Step<PullState> notified(PullState state, LocalMessage message, long tick) {
    return switch (message) {
      case OverlayLocalMessage.Ready ready -> overlayReady(state, ready.signatureEntries());
      case OverlayLocalMessage.SearchFinished searchFinished
          when awaitsSearch(state, searchFinished.number()) ->
          prependEffects(
              List.of(
                  new Effect.Observe(
                      new Observation.Measured(
                          state.round(),
                          Observation.Measured.SEARCH_SECONDS,
                          Ticks.toSeconds(searchFinished.ticks())))),
              candidatesFound(state, searchFinished.candidates(), tick));
      case DiscoveryLocalMessage.Similar similar when awaitsSearch(state, similar.number()) ->
          similar.candidates().isEmpty() && pullCount() > 0
              ? new Step<>(state, retriesWhileAlone(state))
              : candidatesFound(state, similar.candidates(), tick);
      case Oracle.Nearest nearest when awaitsSearch(state, nearest.number()) ->
          candidatesFound(
              withAgreedEntries(state, nearest.entries(), true), nearest.candidates(), tick);
      case Oracle.NotYet notYet when awaitsSearch(state, notYet.number()) ->
          Step.of(state, scheduleSearchRetry(state.pullAttempt()));
      default -> Step.of(state);
    };
  }

  private static boolean awaitsSearch(PullState state, long number) {
    return state.phase() == Phase.SEARCHING && state.pullAttempt().number() == number;
  }

  private static PullState withAgreedEntries(PullState state, int entries, boolean ready) {
    SignatureInfo known = state.signatureInfo();
    return PullStateBuilder.from(state)
        .signatureInfo(
            SignatureInfoBuilder.from(known)
                .agreedEntries(entries > 0 ? Optional.of(entries) : known.agreedEntries())
                .searchReady(ready)
                .build())
        .build();
  }

  private Step<PullState> overlayReady(PullState state, int entries) {
    PullState next = withAgreedEntries(state, entries, true);
    return state.phase() == Phase.SEARCHING && state.pullAttempt().searchCount() == 0
        ? sendSearch(next, false)
        : Step.of(next);
  }

  private static Effect scheduleSearchRetry(PullAttempt attempt) {
    double seconds =
        INITIAL_BACKOFF_SECONDS * (1 << Math.min(attempt.searchCount(), MAX_BACKOFF_DOUBLINGS));
    return new Effect.SetTimer(new Timer(SEARCH_RETRY, attempt.number()), Ticks.ofSeconds(seconds));
  }

  /**
   * A peer that knows no other peer asks again until the timeout. Without this wait it would train
   * round after round at once, and run ahead of all peers that it meets later.
   */
  private List<Effect> retriesWhileAlone(PullState state) {
    PullAttempt attempt = state.pullAttempt();
    List<Effect> effects = new ArrayList<>();
    effects.add(scheduleSearchRetry(attempt));
    if (attempt.searchCount() == 1) {
      effects.add(
          new Effect.SetTimer(
              new Timer(SEARCH, attempt.number()),
              method.pull().timeout().ticks(state.latencies())));
    }
    return effects;
  }

  private Step<PullState> timerFired(PullState state, Event.TimerFired fired) {
    long number = fired.timer().number();
    boolean searching = awaitsSearch(state, number);
    boolean pulling = state.phase() == Phase.PULLING && state.pullAttempt().number() == number;
    return switch (fired.timer().name()) {
      case SEARCH_RETRY -> searching ? sendSearch(state, false) : Step.of(state);
      case SEARCH -> searching ? searchTimedOut(state, fired.tick()) : Step.of(state);
      case PULL ->
          pulling
              ? prependEffects(
                  List.of(counted("patience-ended")), new PulledModels(this).finishPull(state))
              : Step.of(state);
      default -> Step.of(state);
    };
  }

  /** An exact search is repeated without waiting for other peers; an overlay search ends. */
  private Step<PullState> searchTimedOut(PullState state, long tick) {
    return discovery().needsGlobalView()
        ? sendSearch(state, true)
        : prependEffects(List.of(counted("search-ended")), candidatesFound(state, List.of(), tick));
  }

  static Effect counted(String name) {
    return new Effect.Observe(new Observation.Counted(name));
  }

  private Step<PullState> candidatesFound(PullState state, List<Candidate> candidates, long tick) {
    List<Candidate> others =
        candidates.stream()
            .filter(each -> !each.peer().equals(context.self()))
            // Candidates report their similarity themselves, and it may be wrong.
            .filter(each -> Math.abs(each.similarity()) <= MAX_SIMILARITY)
            .limit(pullCount())
            .toList();
    PullAttempt attempt = state.pullAttempt();
    List<Effect> effects = new ArrayList<>();
    effects.add(
        new Effect.Observe(
            new Observation.SearchCompleted(
                state.round(), pullCount(), others.stream().map(Candidate::peer).toList())));
    for (Candidate each : others) {
      effects.add(new Effect.Send(each.peer(), new ModelRequest(state.round(), 0)));
    }
    effects.add(
        new Effect.SetTimer(
            new Timer(PULL, attempt.number()), method.pull().timeout().ticks(state.latencies())));
    PullState next =
        PullStateBuilder.from(state)
            .phase(Phase.PULLING)
            .pullAttempt(
                PullAttemptBuilder.from(attempt)
                    .requestTick(tick)
                    .candidates(others)
                    .pulled(List.of())
                    .build())
            .build();
    return prependEffects(
        effects, others.isEmpty() ? new PulledModels(this).finishPull(next) : Step.of(next));
  }

  private Step<PullState> received(PullState state, Event.Received received) {
    return switch (received.message()) {
      case ModelRequest request -> modelRequested(state, received.from(), request.round());
      case ModelReply reply ->
          new PulledModels(this).replyReceived(state, received.from(), reply, received.tick());
      default -> Step.of(state, counted("unexpected-message"));
    };
  }

  private Step<PullState> modelRequested(PullState state, PeerId from, int round) {
    if (round < 1 || round > context.rounds()) {
      return Step.of(state, counted("unexpected-message"));
    }
    if (state.models().round() >= round) {
      return Step.of(state, new Effect.Send(from, newestReply(state, 0)));
    }
    List<DeferredRequest> deferred = new ArrayList<>(state.deferred());
    deferred.removeIf(each -> each.from().equals(from));
    if (deferred.size() < MAX_DEFERRED) {
      deferred.add(new DeferredRequest(from, round));
    }
    return Step.of(PullStateBuilder.from(state).deferred(deferred).build());
  }

  ModelReply newestReply(PullState state, int attempt) {
    Models models = state.models();
    return new ModelReply(
        models.round(), models.version(), models.trained(), context.samples(), attempt);
  }

  /**
   * Ends a round. The next round is the following one, or a later one that half of the pulled
   * models have reached, so that a peer that was down catches up.
   */
  Step<PullState> deploy(PullState state, Weights weights) {
    Effect deployed = new Effect.Observe(Deployed.of(state.round(), Stage.MIXED, weights));
    if (state.round() == context.rounds()) {
      return Step.of(state.atRound(state.round(), weights).inPhase(Phase.DONE), deployed);
    }
    List<Integer> rounds =
        state.pullAttempt().pulled().stream().map(PullState.ReceivedModel::round).sorted().toList();
    int others = rounds.isEmpty() ? 0 : rounds.get((rounds.size() - 1) / 2);
    PullState next = state.atRound(Math.max(state.round() + 1, others), weights);
    return Step.of(next, deployed, train(next));
  }
}
