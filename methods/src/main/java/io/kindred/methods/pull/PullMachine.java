package io.kindred.methods.pull;

import io.kindred.core.compute.Result;
import io.kindred.core.config.Named;
import io.kindred.core.peer.Claim;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Deployed;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.peer.Timer;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.ClaimedRounds;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.discovery.CompareModels;
import io.kindred.methods.discovery.OwnModel;
import io.kindred.methods.discovery.PeerDiscovery;
import io.kindred.methods.discovery.PeerSearch;
import io.kindred.methods.pull.PullState.DeferredRequest;
import io.kindred.methods.pull.PullState.Phase;
import io.kindred.methods.pull.PullState.PullAttempt;
import io.kindred.protocol.discovery.SimilarityDraw;
import io.kindred.protocol.overlay.Candidate;
import java.util.ArrayList;
import java.util.List;

/**
 * Rounds of a peer that pulls: train, sign or sketch, search, pull the models of the candidates,
 * mix (SemanticDFL, sections 3.1 and 3.6). A peer continues when all requested models have arrived
 * or at its timeout. It answers a request with its newest model, as soon as it has trained the
 * requested round. {@link PeerSearch} describes and searches, {@link PulledModels} handles the
 * replies.
 */
public record PullMachine(PullMethod method, PeerContext context) implements Machine<PullState> {
  static final String PULL = "pull";

  /** How often a peer retries to send a message that did not arrive. */
  static final int RETRIES = 5;

  /** Limit of requests that wait for a model; further requests are dropped. */
  private static final int MAX_DEFERRED = 4096;

  /**
   * From a peer to a candidate: asks for the candidate's model of a round.
   *
   * @param attempt number of failed sends before this one
   */
  @Named("semantic/model-request")
  public record ModelRequest(int round, int attempt) implements Message {
    @Override
    public boolean asksForModel() {
      return true;
    }
  }

  /**
   * From a candidate to a peer: the candidate's newest trained model, and its round.
   *
   * @param version the version by which the candidate advertises this model
   * @param samples number of training samples of the candidate
   * @param attempt number of failed sends before this one
   */
  @Named("semantic/model-reply")
  public record ModelReply(
      @Claim(Claim.Kind.ROUND) int round,
      long version,
      Weights weights,
      @Claim(Claim.Kind.SAMPLES) int samples,
      int attempt)
      implements Message {}

  @Override
  public PullState initial() {
    return new PullState(
        1,
        Phase.TRAINING,
        search().initial(),
        PullAttempt.NONE,
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }

  PeerSearch search() {
    return new PeerSearch(
        method.discovery(),
        context,
        () -> method.fixedSignature(context),
        pullCount(),
        method.pull().timeout(),
        SimilarityDraw.NEAREST);
  }

  Weights initialWeights() {
    return search().initialWeights();
  }

  int pullCount() {
    return method.pull().pullCount(context.networkSize());
  }

  PeerDiscovery discovery() {
    return method.discovery();
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
      case Event.Notified notified ->
          searched(
              state,
              search().notified(state.search(), notified.message(), state.latencies()),
              notified.tick());
      case Event.NeighboursChanged _, Event.LinkMeasured _, Event.LeaveRequested _ ->
          Step.of(state);
    };
  }

  private Effect train(PullState state) {
    return new Effect.Compute(
        state.round(),
        context.training().round(state.model().from(), context.self(), state.round()));
  }

  /** A search or pull that a restart interrupted begins again with the search. */
  private Step<PullState> resume(PullState state, long tick) {
    return switch (state.phase()) {
      case TRAINING -> Step.of(state, train(state));
      case SEARCHING -> searched(state, search().resume(state.search(), tick), tick);
      case PULLING, SCORING, MIXING ->
          searched(
              PullStateBuilder.from(state)
                  .phase(Phase.SEARCHING)
                  .pullAttempt(PullAttempt.NONE)
                  .build(),
              search().search(state.search(), tick),
              tick);
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
      case Result result when state.phase() == Phase.SEARCHING ->
          searched(state, search().computed(state.search(), result, tick), tick);
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
        state.with(state.search().with(state.model().trained(weights, state.round(), tick)));
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
        effects,
        method.pull().alpha() == 0
            ? deploy(next, weights)
            : searched(
                next.inPhase(Phase.SEARCHING), search().describe(next.search(), tick), tick));
  }

  static Step<PullState> prependEffects(List<Effect> before, Step<PullState> step) {
    List<Effect> effects = new ArrayList<>(before);
    effects.addAll(step.effects());
    return new Step<>(step.state(), effects);
  }

  /** Takes the progress of a search over; a search that has found peers ends with requests. */
  private Step<PullState> searched(PullState state, PeerSearch.Progress progress, long tick) {
    PullState next = state.with(progress.state());
    return prependEffects(
        progress.effects(),
        progress
            .found()
            .map(candidates -> requestModels(next, candidates, tick))
            .orElseGet(() -> Step.of(next)));
  }

  private Step<PullState> timerFired(PullState state, Event.TimerFired fired) {
    Timer timer = fired.timer();
    if (!timer.name().equals(PULL)) {
      return searched(state, search().timerFired(state.search(), timer), fired.tick());
    }
    return state.phase() == Phase.PULLING && state.search().number() == timer.number()
        ? prependEffects(
            List.of(counted("patience-ended")), new PulledModels(this).finishPull(state))
        : Step.of(state);
  }

  static Effect counted(String name) {
    return new Effect.Observe(new Observation.Counted(name));
  }

  private Step<PullState> requestModels(PullState state, List<Candidate> candidates, long tick) {
    List<Effect> effects = new ArrayList<>();
    for (Candidate each : candidates) {
      effects.add(new Effect.Send(each.peer(), new ModelRequest(state.round(), 0)));
    }
    effects.add(
        new Effect.SetTimer(
            new Timer(PULL, state.search().number()),
            method.pull().timeout().ticks(state.latencies())));
    PullState next =
        PullStateBuilder.from(state)
            .phase(Phase.PULLING)
            .pullAttempt(new PullAttempt(tick, candidates, List.of()))
            .build();
    return prependEffects(
        effects, candidates.isEmpty() ? new PulledModels(this).finishPull(next) : Step.of(next));
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
    if (state.model().round() >= round) {
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
    OwnModel model = state.model();
    return new ModelReply(
        model.round(), model.version(), model.trained(), context.samples(), attempt);
  }

  /**
   * Ends a round. The next round is the following one, or a later one that half of the pulled
   * models have reached, so that a peer that was down catches up ({@link ClaimedRounds}).
   */
  Step<PullState> deploy(PullState state, Weights weights) {
    Effect deployed = new Effect.Observe(Deployed.of(state.round(), Stage.MIXED, weights));
    if (state.round() == context.rounds()) {
      return Step.of(state.atRound(state.round(), weights).inPhase(Phase.DONE), deployed);
    }
    List<Integer> claims =
        state.pullAttempt().pulled().stream().map(PullState.ReceivedModel::round).toList();
    int others = ClaimedRounds.reached(claims, state.round(), context.rounds());
    PullState next = state.atRound(Math.max(state.round() + 1, others), weights);
    return Step.of(next, deployed, train(next));
  }
}
