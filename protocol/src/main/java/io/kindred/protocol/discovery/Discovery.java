package io.kindred.protocol.discovery;

import io.kindred.core.peer.Event;
import io.kindred.core.peer.LocalMessage;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.FindSimilar;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.ModelPulled;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.ModelTrained;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.PeerUnreachable;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.Search;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.Similar;
import io.kindred.protocol.discovery.ViewMessage.ExchangePush;
import io.kindred.protocol.discovery.ViewMessage.ExchangeReply;
import io.kindred.protocol.discovery.ViewMessage.ExchangeRequest;
import io.kindred.protocol.discovery.ViewMessage.Query;
import io.kindred.protocol.discovery.ViewMessage.QueryAnswer;
import java.util.List;
import java.util.Optional;

/**
 * A view of the most similar peers, kept fresh by gossip: no query, no super-peer, no repair. The
 * peer's own rounds are its clock: each trained model begins two exchanges, so the number of
 * messages depends neither on the number of peers nor on time that passes.
 */
public record Discovery(DiscoveryContext context) implements Machine<DiscoveryState> {
  /** Exchanges of earlier rounds that stay open: those that a peer began, and those it answered. */
  private static final int MAX_OPEN = 8;

  /** Records that a codec needs for this machine besides its state. */
  public static List<Class<?>> records() {
    return List.of(
        ExchangeRequest.class,
        ExchangeReply.class,
        ExchangePush.class,
        Query.class,
        QueryAnswer.class,
        ModelTrained.class,
        FindSimilar.class,
        Similar.class,
        ModelPulled.class,
        PeerUnreachable.class,
        Search.class,
        DiscoveryLocalMessage.SearchFinished.class);
  }

  @Override
  public DiscoveryState initial() {
    return new DiscoveryState(
        0, 0, Optional.empty(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of());
  }

  @Override
  public Step<DiscoveryState> step(DiscoveryState state, Event event) {
    return switch (event) {
      // Contacts become random before the first models are there to compare.
      case Event.Started started ->
          new Exchanges(context).begin(introduced(state, started.neighbours()));
      case Event.Restored restored -> Step.of(restored(state, restored.neighbours()));
      case Event.NeighboursChanged changed -> Step.of(introduced(state, changed.neighbours()));
      case Event.Received received ->
          received(state, received.from(), received.message(), received.tick());
      case Event.SendFailed failed -> sendFailed(state, failed);
      case Event.TimerFired fired ->
          fired.timer().name().equals(ViewSearches.TIMEOUT)
              ? new ViewSearches(context).timedOut(state, fired.timer().number(), fired.tick())
              : Step.of(state);
      case Event.Notified notified -> notified(state, notified.message(), notified.tick());
      case Event.Computed _, Event.LinkMeasured _, Event.LeaveRequested _ -> Step.of(state);
    };
  }

  private DiscoveryState introduced(DiscoveryState state, List<PeerId> peers) {
    return DiscoveryStateBuilder.from(state)
        .draws(state.draws() + 1)
        .contacts(
            context.sampling().introduce(state.contacts(), peers, context.random(state.draws())))
        .build();
  }

  /** Exchanges and searches of the time before a restart will not be answered any more. */
  private DiscoveryState restored(DiscoveryState state, List<PeerId> neighbours) {
    return introduced(
        DiscoveryStateBuilder.from(state)
            .pending(List.of())
            .served(List.of())
            .searches(List.of())
            .build(),
        neighbours);
  }

  private Step<DiscoveryState> received(
      DiscoveryState state, PeerId from, Message message, long tick) {
    Exchanges exchanges = new Exchanges(context);
    ViewSearches searches = new ViewSearches(context);
    return switch (message) {
      case ExchangeRequest request -> exchanges.requested(state, from, request);
      case ExchangeReply reply -> exchanges.replied(state, from, reply);
      case ExchangePush push -> exchanges.pushed(state, from, push);
      case Query query -> searches.queried(state, from, query);
      case QueryAnswer answer -> searches.answered(state, from, answer, tick);
      default -> Exchanges.refused(state);
    };
  }

  private Step<DiscoveryState> sendFailed(DiscoveryState state, Event.SendFailed failed) {
    return switch (failed.message()) {
      case ExchangeRequest request ->
          new Exchanges(context).requestFailed(state, failed.to(), request.number());
      case Query query ->
          new ViewSearches(context)
              .failed(
                  new TrustRules(context).unreachable(state, failed.to()),
                  failed.to(),
                  query.number(),
                  failed.tick());
      default -> Step.of(state);
    };
  }

  private Step<DiscoveryState> notified(DiscoveryState state, LocalMessage message, long tick) {
    return switch (message) {
      case ModelTrained trained -> trained(state, trained);
      case FindSimilar find -> new PeerChoice(context).similar(state, find);
      case ModelPulled pulled -> new TrustRules(context).pulled(state, pulled);
      case PeerUnreachable failed ->
          Step.of(new TrustRules(context).unreachable(state, failed.peer()));
      case Search search -> new ViewSearches(context).start(state, search, tick);
      default -> Step.of(state);
    };
  }

  private Step<DiscoveryState> trained(DiscoveryState state, ModelTrained trained) {
    int round = state.round() + 1;
    DiscoveryState next =
        DiscoveryStateBuilder.from(state)
            .round(round)
            .own(Optional.of(new Descriptor(context.self(), trained.version(), trained.sketch())))
            .contacts(PeerSampling.older(state.contacts()))
            .entries(context.view().nextRound(state.table(), state.own(), trained.sketch()))
            .pending(newest(state.pending()))
            .served(newest(state.served().stream().filter(each -> !each.pushed()).toList()))
            .distrusted(TrustRules.current(state.distrusted(), round))
            .build();
    return new Exchanges(context).begin(next);
  }

  /**
   * A message may take longer than a round. Without the reply, the contact that an exchange began
   * with is lost; without the push, sketches were sent for nothing. Exchanges that began before
   * these are not waited for any more.
   */
  private static <T> List<T> newest(List<T> exchanges) {
    return exchanges.subList(Math.max(0, exchanges.size() - MAX_OPEN), exchanges.size());
  }
}
