package io.kindred.methods.semantic;

import io.kindred.core.Effect;
import io.kindred.core.Event;
import io.kindred.core.Message;
import io.kindred.core.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Part;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.Ticket;
import io.kindred.methods.Patience;
import io.kindred.methods.semantic.PullState.Hunt;
import io.kindred.methods.semantic.PullState.Phase;
import io.kindred.methods.semantic.PullState.Pulled;
import io.kindred.methods.semantic.Puller.ModelReply;
import io.kindred.methods.semantic.Puller.ModelRequest;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.signatures.Signature;
import io.kindred.protocol.signatures.SignatureRule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What a peer does with models that it asked for: in time, too late, or never (section 3.6). */
record Catch(Puller puller) {
  private static final double FRESH_DELTA = 0.3;
  private static final double FRESH_WEIGHTS = 0.9;

  private Pulling pull() {
    return puller.rules().pull();
  }

  private int oldest(PullState state) {
    return state.round() - pull().staleness();
  }

  Step<PullState> replied(PullState state, PeerId from, ModelReply reply, long tick) {
    Optional<Candidate> asked = candidate(state.hunt().found(), from);
    Optional<Candidate> owing = candidate(state.owing(), from);
    if (reply.round() < 1
        || reply.round() > puller.context().rounds()
        || !reply.weights().layout().equals(puller.start().layout())
        || !reply.weights().isFinite()
        || (asked.isEmpty() && owing.isEmpty())) {
      return Step.of(state, Puller.counted("unexpected-message"));
    }
    if (reply.round() < oldest(state)) {
      return Step.of(state, Puller.counted("late-model"));
    }
    boolean inTime = state.phase() == Phase.PULLING && asked.isPresent();
    Candidate owner = asked.or(() -> owing).orElseThrow();
    Pulled model = new Pulled(from, reply.round(), reply.weights(), owner.similarity());
    return inTime ? inTime(state, model, tick) : tooLate(state, model);
  }

  private static Optional<Candidate> candidate(List<Candidate> candidates, PeerId peer) {
    return candidates.stream().filter(each -> each.peer().equals(peer)).findFirst();
  }

  private Step<PullState> inTime(PullState state, Pulled model, long tick) {
    Hunt hunt = state.hunt();
    if (hunt.pulled().stream().anyMatch(each -> each.from().equals(model.from()))) {
      return Step.of(state);
    }
    List<Pulled> pulled = new ArrayList<>(hunt.pulled());
    pulled.add(model);
    PullState next =
        state
            .with(new Hunt(hunt.number(), hunt.asked(), hunt.since(), hunt.found(), pulled))
            .answered(Patience.remember(state.answers(), tick - hunt.since()));
    return pulled.size() == hunt.found().size() ? close(next) : Step.of(next);
  }

  /** Kept for a round that gets fewer models than it wants; the newest of each owner. */
  private Step<PullState> tooLate(PullState state, Pulled model) {
    boolean newer =
        state.late().stream()
            .anyMatch(each -> each.from().equals(model.from()) && each.round() >= model.round());
    if (newer) {
      return Step.of(state);
    }
    List<Pulled> late = new ArrayList<>(state.late());
    if (state.phase() == Phase.JUDGING) {
      // Those that are being judged keep their places.
      if (late.stream().anyMatch(each -> each.from().equals(model.from()))) {
        return Step.of(state);
      }
      late.add(model);
    } else {
      late.removeIf(each -> each.from().equals(model.from()));
      late.add(model);
      while (late.size() > Math.max(1, puller.wanted())) {
        late.removeFirst();
      }
    }
    List<Candidate> owing = new ArrayList<>(state.owing());
    owing.removeIf(each -> each.peer().equals(model.from()));
    return Step.of(state.with(owing, late), Puller.counted("kept-late-model"));
  }

  /** Nobody else is waited for; places that stayed empty go to models that came too late before. */
  Step<PullState> close(PullState state) {
    Hunt hunt = state.hunt();
    List<Candidate> owing = new ArrayList<>();
    for (Candidate each : hunt.found()) {
      if (hunt.pulled().stream().noneMatch(model -> model.from().equals(each.peer()))) {
        owing.add(each);
      }
    }
    state.owing().stream()
        .filter(each -> candidate(hunt.found(), each.peer()).isEmpty())
        .limit(puller.wanted())
        .forEach(owing::add);
    List<Pulled> usable =
        state.late().stream()
            .filter(each -> each.round() >= oldest(state))
            .filter(
                each -> hunt.pulled().stream().noneMatch(model -> model.from().equals(each.from())))
            .toList();
    PullState next = state.with(owing, usable);
    if (hunt.pulled().size() >= puller.wanted() || usable.isEmpty()) {
      return mix(next);
    }
    Optional<Signature> own = state.signature();
    if (puller.rules().signature(puller.context()).isPresent() || own.isEmpty()) {
      return take(next, usable);
    }
    Judge judge =
        new Judge(
            own.get(),
            usable.stream().map(Pulled::weights).toList(),
            puller.start(),
            puller.rules().signatures());
    return Step.of(
        next.in(Phase.JUDGING), new Effect.Compute(state.round(), new Ticket.Call(judge)));
  }

  Step<PullState> judged(PullState state, List<Double> similarities) {
    // What came meanwhile was not judged and waits for the next round.
    List<Pulled> judged = new ArrayList<>();
    for (int i = 0; i < Math.min(similarities.size(), state.late().size()); i++) {
      Pulled each = state.late().get(i);
      judged.add(new Pulled(each.from(), each.round(), each.weights(), similarities.get(i)));
    }
    return take(state, judged);
  }

  private Step<PullState> take(PullState state, List<Pulled> judged) {
    Hunt hunt = state.hunt();
    List<Pulled> pulled = new ArrayList<>(hunt.pulled());
    judged.stream()
        .filter(each -> each.similarity() >= fresh())
        .sorted(
            Comparator.comparingDouble(Pulled::similarity).reversed().thenComparing(Pulled::from))
        .limit(Math.max(0, puller.wanted() - pulled.size()))
        .forEach(pulled::add);
    return mix(
        state.with(new Hunt(hunt.number(), hunt.asked(), hunt.since(), hunt.found(), pulled)));
  }

  private double fresh() {
    return pull()
        .fresh()
        .orElse(
            puller.rules().signatures().of() == SignatureRule.Subject.DELTA
                ? FRESH_DELTA
                : FRESH_WEIGHTS);
  }

  private Step<PullState> mix(PullState state) {
    Weights own = state.models().trained();
    List<Pulled> models = new ArrayList<>(state.hunt().pulled());
    if (models.isEmpty()) {
      return puller.deploy(state, own);
    }
    // In one order, whatever the order in which they came.
    models.sort(Comparator.comparing(Pulled::from));
    List<Double> shares = pull().shares(models.stream().map(Pulled::similarity).toList());
    List<Part> parts = new ArrayList<>();
    parts.add(new Part(own, shares.getFirst()));
    for (int i = 0; i < models.size(); i++) {
      parts.add(new Part(models.get(i).weights(), shares.get(i + 1)));
    }
    return Step.of(
        state.in(Phase.MIXING),
        new Effect.Compute(state.round(), new Ticket.Mix(new Mixture(parts))));
  }

  /** One lost message says nothing of a peer; who cannot be reached at all is not waited for. */
  Step<PullState> notSent(PullState state, Event.SendFailed failed) {
    Effect counted = Puller.counted("send-failed");
    Message message = failed.message();
    return switch (message) {
      case ModelReply reply when reply.attempt() < Puller.RETRIES ->
          Step.of(
              state,
              counted,
              new Effect.Send(failed.to(), Puller.newest(state, reply.attempt() + 1)));
      case ModelRequest request when isAwaited(state, failed.to(), request) ->
          request.attempt() < Puller.RETRIES
              ? Step.of(
                  state,
                  counted,
                  new Effect.Send(
                      failed.to(), new ModelRequest(request.round(), request.attempt() + 1)))
              : Puller.after(List.of(counted), without(state, failed.to()));
      default -> Step.of(state, counted);
    };
  }

  private static boolean isAwaited(PullState state, PeerId peer, ModelRequest request) {
    return state.phase() == Phase.PULLING
        && request.round() == state.round()
        && candidate(state.hunt().found(), peer).isPresent()
        && state.hunt().pulled().stream().noneMatch(each -> each.from().equals(peer));
  }

  private Step<PullState> without(PullState state, PeerId gone) {
    Hunt hunt = state.hunt();
    List<Candidate> left = hunt.found().stream().filter(each -> !each.peer().equals(gone)).toList();
    PullState next =
        state.with(new Hunt(hunt.number(), hunt.asked(), hunt.since(), left, hunt.pulled()));
    return hunt.pulled().size() == left.size() ? close(next) : Step.of(next);
  }
}
