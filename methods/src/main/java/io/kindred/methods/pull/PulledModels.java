package io.kindred.methods.pull;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation.MixedModel;
import io.kindred.core.peer.Observation.ModelsMixed;
import io.kindred.core.peer.Observation.Weighting;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.discovery.CompareModels;
import io.kindred.methods.discovery.SignatureSettings;
import io.kindred.methods.pull.PullMachine.ModelReply;
import io.kindred.methods.pull.PullMachine.ModelRequest;
import io.kindred.methods.pull.PullState.Phase;
import io.kindred.methods.pull.PullState.PullAttempt;
import io.kindred.methods.pull.PullState.ReceivedModel;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.ModelPulled;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.signature.Signature;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Handles replies to model requests: in time, late, or missing (section 3.6). */
record PulledModels(PullMachine machine) {
  private static final double MIN_LATE_SIMILARITY_DELTA = 0.3;
  private static final double MIN_LATE_SIMILARITY_WEIGHTS = 0.9;

  private PullSettings pullSettings() {
    return machine.method().pull();
  }

  private int oldestUsableRound(PullState state) {
    return state.round() - pullSettings().staleness();
  }

  Step<PullState> replyReceived(PullState state, PeerId from, ModelReply reply, long tick) {
    Optional<Candidate> requested = candidate(state.pullAttempt().candidates(), from);
    Optional<Candidate> outstanding = candidate(state.outstanding(), from);
    if (reply.round() < 1
        || reply.round() > machine.context().rounds()
        || !reply.weights().layout().equals(machine.initialWeights().layout())
        || !reply.weights().isFinite()
        || reply.samples() < 0
        || reply.version() < 0
        || (requested.isEmpty() && outstanding.isEmpty())) {
      return Step.of(state, PullMachine.counted("unexpected-message"));
    }
    if (reply.round() < oldestUsableRound(state)) {
      return Step.of(state, PullMachine.counted("late-model"));
    }
    boolean inTime = state.phase() == Phase.PULLING && requested.isPresent();
    Candidate owner = requested.or(() -> outstanding).orElseThrow();
    ReceivedModel model =
        new ReceivedModel(
            from,
            reply.round(),
            reply.version(),
            reply.weights(),
            reply.samples(),
            owner.similarity());
    return inTime ? acceptInTime(state, model, tick) : storeLate(state, model);
  }

  private static Optional<Candidate> candidate(List<Candidate> candidates, PeerId peer) {
    return candidates.stream().filter(each -> each.peer().equals(peer)).findFirst();
  }

  private Step<PullState> acceptInTime(PullState state, ReceivedModel model, long tick) {
    PullAttempt attempt = state.pullAttempt();
    if (attempt.pulled().stream().anyMatch(each -> each.from().equals(model.from()))) {
      return Step.of(state);
    }
    List<ReceivedModel> pulled = new ArrayList<>(attempt.pulled());
    pulled.add(model);
    PullState next =
        PullStateBuilder.from(state)
            .pullAttempt(attempt.withPulled(pulled))
            .latencies(TimeoutPolicy.appendLatency(state.latencies(), tick - attempt.requestTick()))
            .build();
    return pulled.size() == attempt.candidates().size() ? finishPull(next) : Step.of(next);
  }

  /** Keeps a late model for a round that receives too few models; the newest of each owner. */
  private Step<PullState> storeLate(PullState state, ReceivedModel model) {
    boolean newer =
        state.lateModels().stream()
            .anyMatch(each -> each.from().equals(model.from()) && each.round() >= model.round());
    if (newer) {
      return Step.of(state);
    }
    List<ReceivedModel> late = new ArrayList<>(state.lateModels());
    if (state.phase() == Phase.SCORING) {
      // Models that are being scored keep their positions.
      if (late.stream().anyMatch(each -> each.from().equals(model.from()))) {
        return Step.of(state);
      }
      late.add(model);
    } else {
      late.removeIf(each -> each.from().equals(model.from()));
      late.add(model);
      while (late.size() > Math.max(1, machine.pullCount())) {
        late.removeFirst();
      }
    }
    List<Candidate> outstanding = new ArrayList<>(state.outstanding());
    outstanding.removeIf(each -> each.peer().equals(model.from()));
    return Step.of(
        PullStateBuilder.from(state).outstanding(outstanding).lateModels(late).build(),
        PullMachine.counted("kept-late-model"));
  }

  /** Ends the wait for replies; late models of earlier rounds replace missing ones. */
  Step<PullState> finishPull(PullState state) {
    PullAttempt attempt = state.pullAttempt();
    List<Candidate> outstanding = new ArrayList<>();
    for (Candidate each : attempt.candidates()) {
      if (attempt.pulled().stream().noneMatch(model -> model.from().equals(each.peer()))) {
        outstanding.add(each);
      }
    }
    state.outstanding().stream()
        .filter(each -> candidate(attempt.candidates(), each.peer()).isEmpty())
        .limit(machine.pullCount())
        .forEach(outstanding::add);
    List<ReceivedModel> usable =
        state.lateModels().stream()
            .filter(each -> each.round() >= oldestUsableRound(state))
            .filter(
                each ->
                    attempt.pulled().stream().noneMatch(model -> model.from().equals(each.from())))
            .toList();
    PullState next =
        PullStateBuilder.from(state).outstanding(outstanding).lateModels(usable).build();
    boolean enough = attempt.pulled().size() >= machine.pullCount() || usable.isEmpty();
    Optional<SignatureSettings> signing = machine.discovery().signing();
    if (signing.isEmpty()) {
      return compare(next, enough ? List.of() : usable);
    }
    if (enough) {
      return mix(next);
    }
    Optional<Signature> own = state.search().signature();
    if (machine.method().fixedSignature(machine.context()).isPresent() || own.isEmpty()) {
      return fillWithLateModels(next, usable);
    }
    ScoreModels scoreModels =
        new ScoreModels(
            own.get(),
            usable.stream().map(ReceivedModel::weights).toList(),
            machine.initialWeights(),
            signing.get().signatures());
    return Step.of(
        next.inPhase(Phase.SCORING),
        new Effect.Compute(state.round(), new Ticket.Call(scoreModels)));
  }

  /** Compares the pulled models, and then these late models, with the own one. */
  private Step<PullState> compare(PullState state, List<ReceivedModel> late) {
    List<Weights> models = new ArrayList<>();
    state.pullAttempt().pulled().forEach(each -> models.add(each.weights()));
    late.forEach(each -> models.add(each.weights()));
    if (models.isEmpty()) {
      return mix(state);
    }
    CompareModels compareModels =
        new CompareModels(
            state.model().trained(),
            models,
            machine.initialWeights(),
            machine.discovery().sketchingOfPulled());
    return Step.of(
        state.inPhase(Phase.SCORING),
        new Effect.Compute(state.round(), new Ticket.Call(compareModels)));
  }

  /**
   * Replaces the advertised similarities by those of the models themselves, and tells discovery
   * what the pulled models are. Late models are not told: discovery may know newer ones.
   */
  Step<PullState> compared(PullState state, CompareModels.Comparisons comparisons) {
    List<ReceivedModel> pulled = state.pullAttempt().pulled();
    List<Effect> effects = new ArrayList<>();
    for (int i = 0; i < Math.min(pulled.size(), comparisons.sketches().size()); i++) {
      effects.add(
          new Effect.Notify(
              Component.DISCOVERY,
              new ModelPulled(
                  pulled.get(i).from(), pulled.get(i).version(), comparisons.sketches().get(i))));
    }
    int inTime = pulled.size();
    List<Optional<Double>> cosines = comparisons.cosines();
    List<ReceivedModel> comparable = withSimilarities(pulled, cosines.subList(0, inTime));
    for (int i = comparable.size(); i < inTime; i++) {
      effects.add(PullMachine.counted("incomparable-model"));
    }
    PullState next =
        PullStateBuilder.from(state)
            .pullAttempt(state.pullAttempt().withPulled(comparable))
            .build();
    return PullMachine.prependEffects(
        effects,
        fillWithLateModels(
            next, withSimilarities(state.lateModels(), cosines.subList(inTime, cosines.size()))));
  }

  /** The first models with these similarities, without the models that have none. */
  private static List<ReceivedModel> withSimilarities(
      List<ReceivedModel> models, List<Optional<Double>> similarities) {
    List<ReceivedModel> comparable = new ArrayList<>();
    for (int i = 0; i < Math.min(similarities.size(), models.size()); i++) {
      if (similarities.get(i).isPresent()) {
        comparable.add(
            ReceivedModelBuilder.from(models.get(i)).similarity(similarities.get(i).get()).build());
      }
    }
    return comparable;
  }

  Step<PullState> scored(PullState state, List<Double> similarities) {
    // Models that arrived meanwhile were not scored and wait for the next round.
    return fillWithLateModels(
        state,
        withSimilarities(state.lateModels(), similarities.stream().map(Optional::of).toList()));
  }

  private Step<PullState> fillWithLateModels(PullState state, List<ReceivedModel> scoredModels) {
    PullAttempt attempt = state.pullAttempt();
    List<ReceivedModel> pulled = new ArrayList<>(attempt.pulled());
    scoredModels.stream()
        .filter(each -> each.similarity() >= minLateSimilarity())
        .sorted(
            Comparator.comparingDouble(ReceivedModel::similarity)
                .reversed()
                .thenComparing(ReceivedModel::from))
        .limit(Math.max(0, machine.pullCount() - pulled.size()))
        .forEach(pulled::add);
    return mix(PullStateBuilder.from(state).pullAttempt(attempt.withPulled(pulled)).build());
  }

  private double minLateSimilarity() {
    return pullSettings()
        .minLateSimilarity()
        .orElse(
            machine.search().comparesChanges()
                ? MIN_LATE_SIMILARITY_DELTA
                : MIN_LATE_SIMILARITY_WEIGHTS);
  }

  private Step<PullState> mix(PullState state) {
    Weights own = state.model().trained();
    List<ReceivedModel> models = new ArrayList<>(state.pullAttempt().pulled());
    if (models.isEmpty()) {
      return machine.deploy(state, own);
    }
    // A fixed order, independent of the order of arrival.
    models.sort(Comparator.comparing(ReceivedModel::from));
    List<Double> shares = pullSettings().shares(machine.context().samples(), models);
    List<MixturePart> parts = new ArrayList<>();
    parts.add(new MixturePart(own, shares.getFirst()));
    for (int i = 0; i < models.size(); i++) {
      parts.add(new MixturePart(models.get(i).weights(), shares.get(i + 1)));
    }
    return Step.of(
        state.inPhase(Phase.MIXING),
        new Effect.Observe(mixed(state, models, shares)),
        new Effect.Compute(state.round(), new Ticket.Mix(new Mixture(parts))));
  }

  private static ModelsMixed mixed(
      PullState state, List<ReceivedModel> models, List<Double> shares) {
    List<MixedModel> mixed = new ArrayList<>();
    for (int i = 0; i < models.size(); i++) {
      ReceivedModel each = models.get(i);
      mixed.add(
          new MixedModel(
              each.from(),
              each.round(),
              shares.get(i + 1),
              each.samples(),
              MixedModel.Treatment.FULL));
    }
    return new ModelsMixed(state.round(), 0, Weighting.ESTIMATED, shares.getFirst(), mixed);
  }

  /**
   * One lost message does not mean that a peer is down; after all retries a candidate is dropped,
   * and discovery no longer names it until it is heard of again.
   */
  Step<PullState> sendFailed(PullState state, Event.SendFailed failed) {
    Effect counted = PullMachine.counted("send-failed");
    Message message = failed.message();
    return switch (message) {
      case ModelReply reply when reply.attempt() < PullMachine.RETRIES ->
          Step.of(
              state,
              counted,
              new Effect.Send(failed.to(), machine.newestReply(state, reply.attempt() + 1)));
      case ModelRequest request
          when isAwaited(state, failed.to(), request) && request.attempt() < PullMachine.RETRIES ->
          Step.of(
              state,
              counted,
              new Effect.Send(
                  failed.to(), new ModelRequest(request.round(), request.attempt() + 1)));
      case ModelRequest request -> {
        List<Effect> effects = new ArrayList<>();
        effects.add(counted);
        machine.discovery().unreachable(failed.to()).ifPresent(effects::add);
        yield PullMachine.prependEffects(
            effects,
            isAwaited(state, failed.to(), request)
                ? dropCandidate(state, failed.to())
                : Step.of(state));
      }
      default -> Step.of(state, counted);
    };
  }

  private static boolean isAwaited(PullState state, PeerId peer, ModelRequest request) {
    return state.phase() == Phase.PULLING
        && request.round() == state.round()
        && candidate(state.pullAttempt().candidates(), peer).isPresent()
        && state.pullAttempt().pulled().stream().noneMatch(each -> each.from().equals(peer));
  }

  private Step<PullState> dropCandidate(PullState state, PeerId unreachable) {
    PullAttempt attempt = state.pullAttempt();
    List<Candidate> left =
        attempt.candidates().stream().filter(each -> !each.peer().equals(unreachable)).toList();
    PullState next =
        PullStateBuilder.from(state)
            .pullAttempt(new PullAttempt(attempt.requestTick(), left, attempt.pulled()))
            .build();
    return attempt.pulled().size() == left.size() ? finishPull(next) : Step.of(next);
  }
}
