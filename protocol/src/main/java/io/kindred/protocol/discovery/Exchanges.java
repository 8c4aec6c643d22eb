package io.kindred.protocol.discovery;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.random.RandomStream;
import io.kindred.protocol.discovery.DiscoveryState.PendingExchange;
import io.kindred.protocol.discovery.DiscoveryState.ServedExchange;
import io.kindred.protocol.discovery.ViewEntry.Source;
import io.kindred.protocol.discovery.ViewMessage.ExchangePush;
import io.kindred.protocol.discovery.ViewMessage.ExchangeReply;
import io.kindred.protocol.discovery.ViewMessage.ExchangeRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Exchanges of models and contacts. In each round a peer begins one exchange with its oldest random
 * contact, in which contacts are swapped as well, and one with a similar peer. A request and a
 * reply list the models that their sender knows, the reply only those that the request lists too,
 * so that no sketch travels to a peer that has it; the third message of an exchange carries what
 * the partner lacks.
 */
record Exchanges(DiscoveryContext context) {
  /** Requests that a peer answers in a round; the mean is two, whatever the number of peers. */
  private static final int MAX_SERVED = 32;

  /**
   * Requests of one partner that a peer answers in a round, so that one partner replaces a bounded
   * share of a view. A partner begins two exchanges in a round of its own, hardly ever both with
   * the same peer.
   */
  private static final int MAX_SERVED_OF_ONE = 2;

  private static final PeerIndex NOTHING_KNOWN = new PeerIndex(KnownModels.copyOf(List.of()));

  private ViewSettings settings() {
    return context.settings();
  }

  private TrustRules trust() {
    return new TrustRules(context);
  }

  /** Begins the exchanges of the round. */
  Step<DiscoveryState> begin(DiscoveryState state) {
    List<Effect> effects = new ArrayList<>();
    KnownModels known = state.table().known();
    DiscoveryState next = beginWithContact(state, known, false, effects);
    return new Step<>(beginWithSimilar(next, known, effects), effects);
  }

  private DiscoveryState beginWithContact(
      DiscoveryState state, KnownModels known, boolean retry, List<Effect> effects) {
    PeerSampling sampling = context.sampling();
    Optional<PeerId> lost = retry ? Optional.empty() : trust().lost(state);
    Optional<PeerId> chosen = lost.or(() -> sampling.oldest(state.contacts()));
    if (chosen.isEmpty()) {
      return state;
    }
    PeerId partner = chosen.get();
    RandomStream random = context.random(state.draws());
    List<Contact> offered = sampling.offer(state.contacts(), partner, true, random);
    DiscoveryState next =
        DiscoveryStateBuilder.from(state)
            .draws(state.draws() + 1)
            .contacts(PeerSampling.without(state.contacts(), partner))
            .build();
    return request(next, partner, known, offered, retry, effects);
  }

  private DiscoveryState beginWithSimilar(
      DiscoveryState state, KnownModels known, List<Effect> effects) {
    EntryTable entries = state.table();
    List<PeerId> partners = new ArrayList<>();
    for (int i = 0; i < Math.min(settings().size(), entries.size()); i++) {
      PeerId peer = entries.descriptor(i).peer();
      if (!entries.isDisputed(i) && !isPending(state, peer) && !trust().isExcluded(state, peer)) {
        partners.add(peer);
      }
    }
    if (partners.isEmpty()) {
      return state;
    }
    int chosen = context.random(state.draws()).nextInt(partners.size());
    DiscoveryState next = DiscoveryStateBuilder.from(state).draws(state.draws() + 1).build();
    return request(next, partners.get(chosen), known, List.of(), false, effects);
  }

  private static boolean isPending(DiscoveryState state, PeerId partner) {
    for (PendingExchange each : state.pending()) {
      if (each.partner().equals(partner)) {
        return true;
      }
    }
    return false;
  }

  private DiscoveryState request(
      DiscoveryState state,
      PeerId partner,
      KnownModels known,
      List<Contact> offered,
      boolean retry,
      List<Effect> effects) {
    long number = state.draws();
    effects.add(new Effect.Send(partner, new ExchangeRequest(number, state.own(), known, offered)));
    List<PendingExchange> pending = new ArrayList<>(state.pending());
    pending.add(
        new PendingExchange(number, partner, offered.stream().map(Contact::peer).toList(), retry));
    return DiscoveryStateBuilder.from(state).pending(pending).build();
  }

  /** Answers a request, unless this peer has answered its share in this round. */
  Step<DiscoveryState> requested(DiscoveryState state, PeerId from, ExchangeRequest request) {
    if (isServed(state, from, request.number())
        || !isValid(from, request.own(), List.of(), request.known(), request.contacts())) {
      return refused(state);
    }
    RandomStream random = context.random(state.draws());
    PeerSampling sampling = context.sampling();
    List<Contact> offered =
        request.contacts().isEmpty()
            ? List.of()
            : sampling.offer(state.contacts(), from, false, random);
    PeerIndex index = new PeerIndex(KnownModels.copyOf(request.known()));
    EntryTable entries = state.table();
    ExchangeReply reply =
        new ExchangeReply(
            request.number(),
            state.own(),
            context
                .view()
                .best(entries, from, request.own().map(Descriptor::sketch), index, random),
            entries.known(index),
            offered);
    List<ServedExchange> servedNow = new ArrayList<>(state.served());
    servedNow.add(new ServedExchange(request.number(), from, state.round(), false));
    List<Contact> contacts =
        sampling.swap(
            state.contacts(), offered.stream().map(Contact::peer).toList(), request.contacts());
    DiscoveryState next =
        DiscoveryStateBuilder.from(learn(state, from, request.own(), List.of(), index))
            .draws(state.draws() + 1)
            .contacts(contacts)
            .served(servedNow)
            .build();
    return Step.of(next, new Effect.Send(from, reply));
  }

  /** Whether this request was answered already, or its sender had its share of this round. */
  private static boolean isServed(DiscoveryState state, PeerId from, long number) {
    int ofOne = 0;
    for (ServedExchange each : state.served()) {
      if (each.isOf(from, number)) {
        return true;
      }
      ofOne += each.partner().equals(from) && each.round() == state.round() ? 1 : 0;
    }
    return ofOne >= MAX_SERVED_OF_ONE || state.served().size() >= MAX_SERVED;
  }

  /** Takes a reply in, and sends the partner what it lacks. */
  Step<DiscoveryState> replied(DiscoveryState state, PeerId from, ExchangeReply reply) {
    Optional<PendingExchange> exchange =
        state.pending().stream()
            .filter(each -> each.number() == reply.number() && each.partner().equals(from))
            .findFirst();
    if (exchange.isEmpty()
        || !isValid(from, reply.own(), reply.models(), reply.known(), reply.contacts())) {
      return refused(state);
    }
    List<PendingExchange> pending = new ArrayList<>(state.pending());
    pending.remove(exchange.get());
    PeerIndex index = new PeerIndex(KnownModels.copyOf(reply.known()));
    List<AdvertisedModel> models =
        context
            .view()
            .best(
                state.table(),
                from,
                reply.own().map(Descriptor::sketch),
                index,
                context.random(state.draws()));
    List<Contact> contacts =
        exchange.get().offered().isEmpty()
            ? state.contacts()
            : context
                .sampling()
                .swapped(state.contacts(), from, exchange.get().offered(), reply.contacts());
    DiscoveryState next =
        DiscoveryStateBuilder.from(learn(state, from, reply.own(), reply.models(), index))
            .draws(state.draws() + 1)
            .contacts(contacts)
            .pending(pending)
            .build();
    return models.isEmpty()
        ? Step.of(next)
        : Step.of(next, new Effect.Send(from, new ExchangePush(reply.number(), models)));
  }

  /** Takes the third message of an exchange in; each exchange has one. */
  Step<DiscoveryState> pushed(DiscoveryState state, PeerId from, ExchangePush push) {
    List<ServedExchange> served = new ArrayList<>(state.served());
    Optional<ServedExchange> open =
        served.stream()
            .filter(each -> each.isOf(from, push.number()) && !each.pushed())
            .findFirst();
    if (open.isEmpty() || !isValid(from, Optional.empty(), push.models(), List.of(), List.of())) {
      return refused(state);
    }
    served.set(
        served.indexOf(open.get()),
        new ServedExchange(push.number(), from, open.get().round(), true));
    return Step.of(
        DiscoveryStateBuilder.from(
                learn(state, from, Optional.empty(), push.models(), NOTHING_KNOWN))
            .served(served)
            .build());
  }

  /** A partner that cannot be reached is forgotten; another contact stands in for it once. */
  Step<DiscoveryState> requestFailed(DiscoveryState state, PeerId partner, long number) {
    Optional<PendingExchange> exchange =
        state.pending().stream()
            .filter(each -> each.number() == number && each.partner().equals(partner))
            .findFirst();
    DiscoveryState next = trust().unreachable(state, partner);
    if (exchange.isEmpty()) {
      return Step.of(next);
    }
    List<PendingExchange> pending = new ArrayList<>(next.pending());
    pending.remove(exchange.get());
    DiscoveryState without = DiscoveryStateBuilder.from(next).pending(pending).build();
    List<Effect> effects = new ArrayList<>();
    return exchange.get().retry()
        ? Step.of(without)
        : new Step<>(beginWithContact(without, without.table().known(), true, effects), effects);
  }

  private DiscoveryState learn(
      DiscoveryState state,
      PeerId from,
      Optional<Descriptor> owner,
      List<AdvertisedModel> models,
      PeerIndex known) {
    TrustRules trust = trust();
    SimilarityView view = context.view();
    DiscoveryState reached = TrustRules.reached(state, from);
    EntryTable entries = reached.table().copy(models.size() + 1);
    view.compare(entries, known);
    for (AdvertisedModel each : models) {
      PeerId peer = each.descriptor().peer();
      int age = each.age() + 1;
      if (!peer.equals(context.self())
          && age <= settings().expiry()
          && trust.accepts(reached, peer, age, Source.RELAYED)) {
        view.add(entries, each.descriptor(), age, Source.RELAYED, reached.own());
      }
    }
    if (owner.isPresent() && trust.accepts(reached, from, 0, Source.OWNER)) {
      view.add(entries, owner.get(), 0, Source.OWNER, reached.own());
    }
    return DiscoveryStateBuilder.from(reached).entries(view.trimmed(entries)).build();
  }

  private boolean isValid(
      PeerId from,
      Optional<Descriptor> own,
      List<AdvertisedModel> models,
      List<KnownModel> known,
      List<Contact> contacts) {
    return (own.isEmpty() || (own.get().peer().equals(from) && isValid(own.get())))
        && models.size() <= settings().models()
        && models.stream().allMatch(each -> isValid(each.descriptor()) && isValid(each.age()))
        && known.size() <= settings().capacity()
        && KnownModels.copyOf(known).haveAges(settings().expiry())
        && contacts.size() <= settings().shuffle()
        && contacts.stream().allMatch(each -> each.age() >= 0);
  }

  boolean isValid(Descriptor descriptor) {
    SketchRule rule = settings().sketch();
    return descriptor.version() >= 0
        && descriptor.sketch().form() == rule.form()
        && descriptor.sketch().bytes() == rule.bytes();
  }

  boolean isValid(int age) {
    return age >= 0 && age <= settings().expiry();
  }

  static Step<DiscoveryState> refused(DiscoveryState state) {
    return Step.of(state, new Effect.Observe(new Observation.Counted("unexpected-message")));
  }
}
