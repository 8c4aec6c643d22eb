package io.kindred.methods.robust;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.InterceptedLayer;
import io.kindred.core.peer.Interceptor;
import io.kindred.core.peer.MessageValues;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.MixedModel;
import io.kindred.core.peer.Observation.MixedModel.Treatment;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.VectorKernels;
import io.kindred.core.weights.Weights;
import io.kindred.methods.robust.RobustMixingState.MixedUnderRule;
import io.kindred.methods.robust.RobustMixingState.PendingMixture;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Applies a rule to every mixture that a method computes of received models: it recognizes received
 * models by their digests, replaces the mixture by the rule's, and gives the method the result as
 * if it were the mixture that it asked for. A mixture without a received model stays as it is, and
 * so does one of models of the server, which peers have to trust.
 *
 * @param server the peer whose models are trusted; empty on the server itself and without one
 * @param heldOut number of own validation samples
 */
public record RobustMixing(RobustRule rule, Optional<PeerId> server, int heldOut)
    implements Interceptor<RobustMixingState> {
  /** How many models of one sender are recognized: its slots, times the rounds it may be ahead. */
  private static final int MOST_RECOGNIZED = 32;

  /** How many models that a server sent count as bases of the next updates. */
  private static final int MOST_BASES = 256;

  private static final String REFUSED = "robust-refused";
  private static final String SHORTENED = "robust-shortened";
  private static final String KEPT_OWN = "robust-kept-own";

  /** The rule of a peer's method; the interceptor is absent if the method mixes by itself. */
  public static List<InterceptedLayer<?>> layers(
      RobustRule rule, Optional<PeerId> server, int heldOut) {
    return rule instanceof AsPublished
        ? List.of()
        : List.of(
            new InterceptedLayer<>(
                Component.METHOD,
                new RobustMixing(rule, server, heldOut),
                RobustMixingState.class));
  }

  /** The kinds of tickets that a rule adds to those of a method. */
  public static SortedSet<Ticket.Kind> ticketKinds(RobustRule rule) {
    SortedSet<Ticket.Kind> kinds = new TreeSet<>();
    if (!(rule instanceof AsPublished)) {
      kinds.add(Ticket.Kind.CALL);
    }
    if (rule.needsSamples()) {
      kinds.add(Ticket.Kind.LOSSES);
    }
    return kinds;
  }

  @Override
  public RobustMixingState initial() {
    return RobustMixingState.NONE;
  }

  @Override
  public Optional<Event> beforeStep(RobustMixingState state, Event event) {
    if (!(event instanceof Event.Computed(long tick, long ticket, Result result))
        || !state.pending().containsKey(ticket)) {
      return Optional.of(event);
    }
    return outcome(state.pending(ticket), result)
        .map(weights -> new Event.Computed(tick, ticket, new Result.Mixed(weights)));
  }

  /** The weights that the method gets; empty while losses have to be compared. */
  private Optional<Weights> outcome(PendingMixture pending, Result result) {
    return switch (result) {
      case Result.Answered(RobustMixture mixture) ->
          comparesLosses(pending) ? Optional.empty() : Optional.of(mixture.weights());
      case Result.Losses losses when pending.mixed().isPresent() ->
          Optional.of(
              isWorse(losses) ? pending.own().orElseThrow() : pending.mixed().orElseThrow());
      default -> Optional.empty();
    };
  }

  private boolean comparesLosses(PendingMixture pending) {
    return rule.needsSamples() && heldOut > 0 && pending.own().isPresent();
  }

  private boolean isWorse(Result.Losses losses) {
    double own = losses.perMixture().get(0).get(0);
    double mixed = losses.perMixture().get(1).get(0);
    return !(mixed <= own * (1 + rule.heldOutTolerance()));
  }

  @Override
  public Step<RobustMixingState> afterStep(
      RobustMixingState state, Event event, List<Effect> effects) {
    List<Effect> changed = new ArrayList<>();
    RobustMixingState next = afterEvent(state, event, changed);
    Optional<Observation.ModelsMixed> observed = Optional.empty();
    for (Effect effect : effects) {
      next = next.observing(effect, MOST_BASES);
      switch (effect) {
        case Effect.Compute(long ticket, Ticket.Mix(Mixture mixture)) -> {
          Optional<RobustInput> input = input(next, mixture);
          if (input.isEmpty()) {
            observed.map(Effect.Observe::new).ifPresent(changed::add);
          }
          changed.add(
              input
                  .<Effect>map(
                      each ->
                          new Effect.Compute(ticket, new Ticket.Call(new MixRobustly(rule, each))))
                  .orElse(effect));
          if (input.isPresent()) {
            next =
                next.withPending(
                    ticket,
                    new PendingMixture(
                        input.get().own().map(MixturePart::weights),
                        senders(next, input.get()),
                        Optional.empty(),
                        observed));
          }
          observed = Optional.empty();
        }
        case Effect.Observe(Observation.ModelsMixed mixed) -> {
          observed.map(Effect.Observe::new).ifPresent(changed::add);
          observed = Optional.of(mixed);
        }
        default -> changed.add(effect);
      }
    }
    observed.map(Effect.Observe::new).ifPresent(changed::add);
    return new Step<>(next, changed);
  }

  private RobustMixingState afterEvent(RobustMixingState state, Event event, List<Effect> effects) {
    return switch (event) {
      // Work that ran before the peer stopped no longer exists.
      case Event.Restored _ -> state.withoutPending();
      case Event.Received received when !server.equals(Optional.of(received.from())) ->
          state.recognizing(
              received.from(),
              MessageValues.weights(received.message()).stream().map(Weights::digest).toList(),
              MOST_RECOGNIZED);
      case Event.Computed(long _, long ticket, Result result)
          when state.pending().containsKey(ticket) ->
          mixed(state, state.pending(ticket), ticket, result, effects);
      case Event.Computed(long _, long _, Result.Trained trained) -> state.trained(trained);
      default -> state;
    };
  }

  private RobustMixingState mixed(
      RobustMixingState state,
      PendingMixture pending,
      long ticket,
      Result result,
      List<Effect> effects) {
    if (result instanceof Result.Answered(RobustMixture mixture)) {
      SortedMap<PeerId, MixedUnderRule> treated = new TreeMap<>(state.treated());
      for (int i = 0; i < pending.senders().size(); i++) {
        RobustMixture.Contribution contribution = mixture.contributions().get(i);
        treated.put(
            pending.senders().get(i),
            new MixedUnderRule(contribution.weight(), contribution.treatment()));
        count(contribution.treatment(), effects);
      }
      if (!comparesLosses(pending)) {
        observe(pending, treated, effects);
        return state.withTreated(treated).withoutPending(ticket);
      }
      List<Mixture> compared =
          List.of(Mixture.of(pending.own().orElseThrow()), Mixture.of(mixture.weights()));
      effects.add(
          new Effect.Compute(
              ticket,
              new Ticket.Losses(
                  compared, DataView.own(DataView.Split.VALIDATION), Ticket.Detail.MEAN)));
      return state
          .withTreated(treated)
          .withPending(
              ticket,
              new PendingMixture(
                  pending.own(),
                  pending.senders(),
                  Optional.of(mixture.weights()),
                  pending.observed()));
    }
    if (result instanceof Result.Losses losses && isWorse(losses)) {
      effects.add(new Effect.Observe(new Observation.Counted(KEPT_OWN)));
      SortedMap<PeerId, MixedUnderRule> treated = new TreeMap<>(state.treated());
      pending.senders().forEach(each -> treated.put(each, MixedUnderRule.DROPPED));
      observe(pending, treated, effects);
      return state.withTreated(treated).withoutPending(ticket);
    }
    observe(pending, state.treated(), effects);
    return state.withoutPending(ticket);
  }

  private static void observe(
      PendingMixture pending, SortedMap<PeerId, MixedUnderRule> treated, List<Effect> effects) {
    pending
        .observed()
        .map(mixed -> new Effect.Observe(corrected(treated, mixed)))
        .ifPresent(effects::add);
  }

  private static void count(Treatment treatment, List<Effect> effects) {
    switch (treatment) {
      case FULL -> {}
      case SHORTENED -> effects.add(new Effect.Observe(new Observation.Counted(SHORTENED)));
      case DROPPED -> effects.add(new Effect.Observe(new Observation.Counted(REFUSED)));
    }
  }

  /** What the rule made of the models that the method reports as mixed. */
  private static Observation.ModelsMixed corrected(
      SortedMap<PeerId, MixedUnderRule> treated, Observation.ModelsMixed mixed) {
    List<MixedModel> models =
        mixed.models().stream()
            .map(
                each ->
                    Optional.ofNullable(treated.get(each.peer()))
                        .map(
                            under ->
                                new MixedModel(
                                    each.peer(),
                                    each.round(),
                                    under.weight(),
                                    each.samples(),
                                    worse(each.treatment(), under.treatment())))
                        .orElse(each))
            .toList();
    double others = models.stream().mapToDouble(MixedModel::weight).sum();
    return new Observation.ModelsMixed(
        mixed.round(),
        mixed.slot(),
        Observation.Weighting.ESTIMATED,
        Math.max(0, 1 - others),
        models);
  }

  private static Treatment worse(Treatment one, Treatment other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  /** The input of the rule; empty if no part of the mixture is a received model. */
  private static Optional<RobustInput> input(RobustMixingState state, Mixture mixture) {
    List<MixturePart> own = new ArrayList<>();
    List<MixturePart> others = new ArrayList<>();
    for (MixturePart part : mixture.parts()) {
      (state.senders(part.weights().digest()).isEmpty() ? own : others).add(part);
    }
    if (others.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new RobustInput(
            single(own),
            own.isEmpty() ? Optional.empty() : state.update(),
            own.isEmpty() ? state.bases() : List.of(),
            others));
  }

  /** One part for all own models of a mixture. */
  private static Optional<MixturePart> single(List<MixturePart> own) {
    if (own.size() <= 1) {
      return own.stream().findFirst();
    }
    double sum = own.stream().mapToDouble(MixturePart::coefficient).sum();
    return Optional.of(
        new MixturePart(
            VectorKernels.mix(
                new Mixture(
                    own.stream()
                        .map(
                            each ->
                                new MixturePart(
                                    each.weights(),
                                    sum > 0 ? each.coefficient() / sum : 1.0 / own.size()))
                        .toList())),
            sum));
  }

  /** The sender of each received model; of equal models the one with the next higher number. */
  private static List<PeerId> senders(RobustMixingState state, RobustInput input) {
    SortedMap<Digest, Integer> seen = new TreeMap<>();
    List<PeerId> senders = new ArrayList<>();
    for (MixturePart part : input.others()) {
      Digest digest = part.weights().digest();
      List<PeerId> candidates = state.senders(digest);
      int place = seen.merge(digest, 1, Integer::sum) - 1;
      senders.add(candidates.get(Math.min(place, candidates.size() - 1)));
    }
    return senders;
  }
}
