package io.kindred.protocol.discovery;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.peer.Ticks;
import io.kindred.core.peer.Timer;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.SearchFinished;
import io.kindred.protocol.discovery.DiscoveryState.PendingExchange;
import io.kindred.protocol.discovery.DiscoveryState.SearchState;
import io.kindred.protocol.discovery.ViewEntry.Source;
import io.kindred.protocol.discovery.ViewMessage.Query;
import io.kindred.protocol.discovery.ViewMessage.QueryAnswer;
import io.kindred.protocol.overlay.Candidate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Searches for models similar to any target: a best-first walk over the views of other peers. The
 * asker keeps the best models that it has heard of, and asks the owners of the best ones for better
 * ones, a few at a time, until it has asked the owners of all that it wants or spent its budget.
 */
record ViewSearches(DiscoveryContext context) {
  static final String TIMEOUT = "discovery-query";

  private ViewSettings settings() {
    return context.settings();
  }

  Step<DiscoveryState> start(DiscoveryState state, DiscoveryLocalMessage.Search search, long tick) {
    List<ViewEntry> found = new ArrayList<>();
    for (ViewEntry each : state.entries()) {
      found.add(each.withSimilarity(search.target().cosine(each.descriptor().sketch())));
    }
    found.sort(ViewEntry.MOST_SIMILAR);
    return advance(
        state,
        new SearchState(
            search.number(), tick, search.target(), search.wanted(), found, List.of(), List.of()),
        tick);
  }

  /** Asks the next peers, or ends the search. */
  private Step<DiscoveryState> advance(DiscoveryState state, SearchState search, long tick) {
    List<PeerId> asked = new ArrayList<>(search.asked());
    List<PeerId> waiting = new ArrayList<>(search.waiting());
    List<Effect> effects = new ArrayList<>();
    while (waiting.size() < settings().searchParallelism()
        && asked.size() < settings().searchBudget()) {
      Optional<PeerId> next = next(state, search, asked);
      if (next.isEmpty()) {
        break;
      }
      effects.add(
          new Effect.Send(
              next.get(), new Query(search.number(), search.target(), answerSize(search))));
      effects.add(
          new Effect.SetTimer(
              new Timer(TIMEOUT, search.number()), Ticks.ofSeconds(settings().searchTimeout())));
      asked.add(next.get());
      waiting.add(next.get());
    }
    List<SearchState> others =
        new ArrayList<>(
            state.searches().stream().filter(each -> each.number() != search.number()).toList());
    if (!waiting.isEmpty()) {
      others.add(SearchStateBuilder.from(search).asked(asked).waiting(waiting).build());
      return new Step<>(DiscoveryStateBuilder.from(state).searches(others).build(), effects);
    }
    List<Candidate> candidates =
        search.found().stream()
            .limit(search.wanted())
            .map(each -> new Candidate(each.peer(), each.similarity()))
            .toList();
    return Step.of(
        DiscoveryStateBuilder.from(state).searches(others).build(),
        new Effect.Notify(
            Component.METHOD,
            new SearchFinished(
                search.number(), candidates, asked.size(), tick - search.startTick())));
  }

  private int answerSize(SearchState search) {
    return Math.min(settings().models(), search.wanted());
  }

  /** The owner of the best model that was not asked; before any model is known, a contact. */
  private Optional<PeerId> next(DiscoveryState state, SearchState search, List<PeerId> asked) {
    Optional<PeerId> owner =
        search.found().stream()
            .limit(search.wanted())
            .map(ViewEntry::peer)
            .filter(peer -> !asked.contains(peer) && !peer.equals(context.self()))
            .findFirst();
    boolean few = search.found().size() < search.wanted();
    return owner.isPresent() || !few
        ? owner
        // A contact with which an exchange has begun is no contact until it replies.
        : Stream.concat(
                state.contacts().stream().map(Contact::peer),
                state.pending().stream().map(PendingExchange::partner))
            .filter(peer -> !asked.contains(peer))
            .findFirst();
  }

  /** Answers another peer's query from this peer's view. */
  Step<DiscoveryState> queried(DiscoveryState state, PeerId from, Query query) {
    if (query.wanted() < 1
        || query.wanted() > settings().models()
        || query.target().form() != settings().sketch().form()
        || query.target().bytes() != settings().sketch().bytes()) {
      return Exchanges.refused(state);
    }
    List<ViewEntry> known = new ArrayList<>(state.entries());
    state.own().ifPresent(own -> known.add(new ViewEntry(own, 0, 0, Source.OWNER, true, 0)));
    List<ViewEntry> ranked = new ArrayList<>();
    for (ViewEntry each : known) {
      if (!each.peer().equals(from) && !each.isDisputed()) {
        ranked.add(each.withSimilarity(query.target().cosine(each.descriptor().sketch())));
      }
    }
    ranked.sort(ViewEntry.MOST_SIMILAR);
    List<AdvertisedModel> models =
        ranked.stream().limit(query.wanted()).map(ViewEntry::advertised).toList();
    return Step.of(state, new Effect.Send(from, new QueryAnswer(query.number(), models)));
  }

  /** Takes an answer in; answers of peers that were not asked are refused. */
  Step<DiscoveryState> answered(DiscoveryState state, PeerId from, QueryAnswer answer, long tick) {
    Optional<SearchState> search = waitingFor(state, answer.number(), from);
    Exchanges exchanges = new Exchanges(context);
    if (search.isEmpty()
        || answer.models().size() > answerSize(search.get())
        || !answer.models().stream()
            .allMatch(
                each -> exchanges.isValid(each.descriptor()) && exchanges.isValid(each.age()))) {
      return Exchanges.refused(state);
    }
    List<ViewEntry> found = new ArrayList<>(search.get().found());
    for (AdvertisedModel each : answer.models()) {
      PeerId peer = each.descriptor().peer();
      OptionalInt known =
          IntStream.range(0, found.size())
              .filter(i -> found.get(i).peer().equals(peer))
              .findFirst();
      boolean usable =
          !peer.equals(context.self())
              && new TrustRules(context).accepts(state, peer, each.age(), Source.RELAYED);
      if (usable && known.isEmpty()) {
        found.add(
            new ViewEntry(
                each.descriptor(),
                each.age(),
                search.get().target().cosine(each.descriptor().sketch()),
                peer.equals(from) ? Source.OWNER : Source.RELAYED,
                false,
                0));
      }
    }
    found.sort(ViewEntry.MOST_SIMILAR);
    List<ViewEntry> kept =
        found.subList(
            0, Math.min(found.size(), Math.max(settings().size(), 2 * search.get().wanted())));
    return advance(
        state,
        SearchStateBuilder.from(withoutWaiting(search.get(), from)).found(kept).build(),
        tick);
  }

  /** A peer that does not answer is no longer waited for. */
  Step<DiscoveryState> failed(DiscoveryState state, PeerId to, long number, long tick) {
    Optional<SearchState> search = waitingFor(state, number, to);
    if (search.isEmpty()) {
      return Step.of(state);
    }
    SearchState without = withoutWaiting(search.get(), to);
    return advance(
        state,
        SearchStateBuilder.from(without)
            .found(without.found().stream().filter(each -> !each.peer().equals(to)).toList())
            .build(),
        tick);
  }

  /** The timer of the peer that has waited for the longest time. */
  Step<DiscoveryState> timedOut(DiscoveryState state, long number, long tick) {
    Optional<SearchState> search =
        state.searches().stream().filter(each -> each.number() == number).findFirst();
    return search.isEmpty() || search.get().waiting().isEmpty()
        ? Step.of(state)
        : failed(state, search.get().waiting().getFirst(), number, tick);
  }

  private static SearchState withoutWaiting(SearchState search, PeerId peer) {
    return SearchStateBuilder.from(search)
        .waiting(search.waiting().stream().filter(each -> !each.equals(peer)).toList())
        .build();
  }

  private static Optional<SearchState> waitingFor(DiscoveryState state, long number, PeerId peer) {
    return state.searches().stream()
        .filter(each -> each.number() == number && each.waiting().contains(peer))
        .findFirst();
  }
}
