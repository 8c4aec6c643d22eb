package io.kindred.studies.overlay;

import io.kindred.core.config.Named;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.LocalMessage;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Step;
import io.kindred.core.peer.Timer;
import io.kindred.core.record.Buildable;
import io.kindred.protocol.overlay.OverlayLocalMessage;
import io.kindred.protocol.overlay.SearchRule;
import io.kindred.protocol.signature.Signature;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Takes the place of a method: gives the overlay a signature and issues the queries that the shell
 * requests, one after another. Every query resets the threshold, so that no query profits from an
 * earlier one.
 */
final class QueryClient implements Machine<QueryClient.State> {
  private static final String QUERY_TIMER = "ask";

  /** The query that waits for its timer. */
  record State(Optional<IssueQuery> scheduledQuery) {}

  /** To the shell: the overlay is ready or has answered, and the client needs the next query. */
  @Named("overlay-lab/idle")
  record ReadyForQuery(Optional<OverlayLocalMessage.SearchFinished> lastResult)
      implements LocalMessage {}

  /**
   * From the shell: issue this query after the given number of ticks.
   *
   * @param newModel a new signature to give to the overlay before the query
   */
  @Named("overlay-lab/ask")
  @Buildable
  record IssueQuery(
      long number,
      int wanted,
      SearchRule rule,
      long afterTicks,
      Optional<OverlayLocalMessage.SignatureUpdated> newModel)
      implements LocalMessage {
    IssueQuery(long number, int wanted, SearchRule rule, long afterTicks) {
      this(number, wanted, rule, afterTicks, Optional.empty());
    }

    IssueQuery withModel(OverlayLocalMessage.SignatureUpdated other) {
      return IssueQueryBuilder.from(this).newModel(Optional.of(other)).build();
    }
  }

  /** From the shell: there are no more queries. */
  @Named("overlay-lab/rest")
  record NoMoreQueries() implements LocalMessage {}

  private final Signature signature;
  private final int minimumEntries;

  QueryClient(Signature signature, int entries) {
    this.signature = signature;
    this.minimumEntries = entries;
  }

  static List<Class<?>> records() {
    return List.of(ReadyForQuery.class, IssueQuery.class, NoMoreQueries.class);
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
              state,
              new Effect.Notify(
                  Component.DISCOVERY,
                  new OverlayLocalMessage.SignatureUpdated(signature, minimumEntries)));
      case Event.Notified notified -> onLocalMessage(state, notified.message());
      case Event.TimerFired _ -> issueQuery(state);
      default -> Step.of(state);
    };
  }

  private static Step<State> onLocalMessage(State state, LocalMessage message) {
    return switch (message) {
      case OverlayLocalMessage.Ready _ -> notifyShell(state, new ReadyForQuery(Optional.empty()));
      case OverlayLocalMessage.SearchFinished searchFinished ->
          notifyShell(state, new ReadyForQuery(Optional.of(searchFinished)));
      case IssueQuery issueQuery -> {
        List<Effect> effects = new ArrayList<>();
        issueQuery
            .newModel()
            .ifPresent(model -> effects.add(new Effect.Notify(Component.DISCOVERY, model)));
        effects.add(
            new Effect.SetTimer(
                new Timer(QUERY_TIMER, issueQuery.number()), Math.max(1, issueQuery.afterTicks())));
        yield new Step<>(new State(Optional.of(issueQuery)), effects);
      }
      default -> Step.of(state);
    };
  }

  private static Step<State> notifyShell(State state, LocalMessage message) {
    return Step.of(state, new Effect.Notify(Component.SHELL, message));
  }

  private static Step<State> issueQuery(State state) {
    return state
        .scheduledQuery()
        .map(
            issueQuery ->
                Step.of(
                    new State(Optional.empty()),
                    new Effect.Notify(
                        Component.DISCOVERY,
                        new OverlayLocalMessage.Search(
                            issueQuery.number(), issueQuery.wanted(), issueQuery.rule(), true))))
        .orElse(Step.of(state));
  }
}
