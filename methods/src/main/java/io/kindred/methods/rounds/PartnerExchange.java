package io.kindred.methods.rounds;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.weights.Weights;
import io.kindred.methods.discovery.CompareModels;
import io.kindred.methods.discovery.PeerSearch;
import io.kindred.methods.discovery.PeerSearchState;
import io.kindred.methods.rounds.GossipState.Asker;
import io.kindred.methods.rounds.GossipState.Phase;
import io.kindred.methods.rounds.GossipState.StoredUpdate;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.ModelPulled;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The exchange of updates with partners that a search found for one round. A partner does not know
 * in advance which peers will find it, so a peer sends its update to its partners and asks for
 * theirs. Any peer may ask. A peer that has not reached the round answers as soon as it has made
 * its update.
 *
 * <p>Updates of peers that are no partners are merged as well, because they have been transferred
 * anyway: of as many peers as a search may find, a bound on memory and on work.
 *
 * @param staleness rounds that an update may lag behind and still be merged
 */
record PartnerExchange<M extends LocalState>(
    RoundAlgorithm<M> algorithm, PeerSearch search, int staleness) implements UpdateExchange {
  /** Limit of peers that wait for an update, and of answers for one update. */
  private static final int MAX_ASKERS = 4096;

  private static Effect counted(String name) {
    return new Effect.Observe(new Observation.Counted(name));
  }

  /** Peers find each other by the search; only discovery uses the neighbours in the topology. */
  @Override
  public GossipState introduced(GossipState state, List<PeerId> neighbours) {
    return state;
  }

  @Override
  public Step<GossipState> neighboursChanged(GossipState state, List<PeerId> neighbours) {
    return Step.of(state);
  }

  /** Describes the update that the peer has made to other peers, and begins the search. */
  PeerSearch.Progress describe(GossipState state, LocalState before, long tick) {
    PeerSearchState known = searchState(state);
    return search.describe(
        known.with(
            known
                .model()
                .beginningWith(weights(algorithm.outgoingUpdate(localState(before))))
                .trained(weights(state.sharedUpdate().orElseThrow()), state.round(), tick)),
        tick);
  }

  private M localState(LocalState stored) {
    return algorithm.stateType().cast(stored);
  }

  private static PeerSearchState searchState(GossipState state) {
    return state.search().orElseThrow();
  }

  private static Weights weights(ModelUpdate update) {
    return update.models().getFirst().weights();
  }

  private static Effect send(GossipState state, PeerId to, boolean requestsReply) {
    return new Effect.Send(
        to,
        new PartnerUpdate(
            state.lastSharedRound(),
            searchState(state).model().version(),
            state.sharedUpdate().orElseThrow(),
            requestsReply,
            0));
  }

  /** Answers the peers that waited for the update that the peer has just made. */
  Step<GossipState> answerAskers(GossipState state) {
    List<Effect> effects = new ArrayList<>();
    List<Asker> waiting = new ArrayList<>();
    GossipState next = state;
    for (Asker each : state.askers()) {
      if (each.round() <= state.lastSharedRound()) {
        effects.add(send(state, each.peer(), false));
        next = next.withAnswerTo(each.peer());
      } else {
        waiting.add(each);
      }
    }
    return new Step<>(GossipStateBuilder.from(next).askers(waiting).build(), effects);
  }

  /** Asks the partners for their updates, except those whose update has arrived. */
  @Override
  public List<Effect> share(GossipState state, boolean requestsReply) {
    return state.neighbours().stream()
        .filter(partner -> !hasArrived(state, partner))
        .map(partner -> send(state, partner, true))
        .toList();
  }

  private static boolean hasArrived(GossipState state, PeerId partner) {
    return state.newestUpdate(partner, round -> round >= state.round()).isPresent();
  }

  @Override
  public boolean isComplete(GossipState state) {
    return state.neighbours().stream().allMatch(partner -> hasArrived(state, partner));
  }

  @Override
  public List<PeerId> senders(GossipState state) {
    return state.storedUpdates().stream().map(StoredUpdate::from).distinct().sorted().toList();
  }

  /** The partners of the next round are not known yet, so all updates are kept that it may use. */
  @Override
  public GossipState atRound(GossipState state, int round) {
    List<StoredUpdate> kept =
        state.storedUpdates().stream().filter(each -> each.round() >= round - staleness).toList();
    return GossipStateBuilder.from(state.atRound(round, kept)).neighbours(List.of()).build();
  }

  /** Takes an update in, and answers it if its sender asks. */
  @Override
  public Step<GossipState> received(GossipState state, Event.Received received) {
    if (!(received.message() instanceof PartnerUpdate message)
        || !message.isValid(algorithm.context().rounds(), algorithm.layout(state.localState()))) {
      return Step.of(state, counted("unexpected-message"));
    }
    PeerId from = received.from();
    List<Effect> effects = new ArrayList<>();
    GossipState next = state;
    if (message.requestsReply() && message.round() > state.lastSharedRound()) {
      next = withAsker(state, new Asker(from, message.round()));
    } else if (message.requestsReply()
        && state.answers(from)
        && state.answered().size() < MAX_ASKERS) {
      effects.add(send(state, from, false));
      next = state.withAnswerTo(from);
    }
    if (state.isLate(message.round(), staleness)) {
      effects.add(counted("late-model"));
    } else if (isStorable(state, from)) {
      next =
          next.storing(
              new StoredUpdate(
                  from, message.round(), 1, message.version(), message.update(), false),
              received.tick());
    }
    return new Step<>(next, effects);
  }

  private static GossipState withAsker(GossipState state, Asker asker) {
    List<Asker> askers = new ArrayList<>(state.askers());
    askers.removeIf(each -> each.peer().equals(asker.peer()));
    if (askers.size() < MAX_ASKERS) {
      askers.add(asker);
    }
    return GossipStateBuilder.from(state).askers(askers).build();
  }

  private boolean isStorable(GossipState state, PeerId from) {
    List<PeerId> others = new ArrayList<>(senders(state));
    others.removeAll(state.neighbours());
    return state.neighbours().contains(from)
        || others.contains(from)
        || others.size() < search.wanted();
  }

  /** Compares the updates that are merged next with the sketches that their owners advertised. */
  Optional<Effect> check(GossipState state) {
    List<StoredUpdate> unchecked = unchecked(state);
    return unchecked.isEmpty() || search.discovery().sketchingOfPulled().isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Effect.Compute(
                state.round(),
                new Ticket.Call(
                    new CompareModels(
                        searchState(state).model().trained(),
                        unchecked.stream().map(each -> weights(each.update())).toList(),
                        search.initialWeights(),
                        search.discovery().sketchingOfPulled()))));
  }

  private List<StoredUpdate> unchecked(GossipState state) {
    return state.merging().stream()
        .flatMap(from -> state.usableUpdate(from, staleness).stream())
        .filter(each -> !each.checked())
        .toList();
  }

  /** Tells discovery what the updates are, each once. Updates without a cosine are dropped. */
  Step<GossipState> checked(GossipState state, CompareModels.Comparisons comparisons) {
    List<Effect> effects = new ArrayList<>();
    List<StoredUpdate> updates = new ArrayList<>(state.storedUpdates());
    List<PeerId> merging = new ArrayList<>(state.merging());
    List<StoredUpdate> unchecked = unchecked(state);
    for (int i = 0; i < unchecked.size(); i++) {
      StoredUpdate each = unchecked.get(i);
      effects.add(
          new Effect.Notify(
              Component.DISCOVERY,
              new ModelPulled(each.from(), each.version(), comparisons.sketches().get(i))));
      int place = updates.indexOf(each);
      if (comparisons.cosines().get(i).isPresent()) {
        updates.set(place, StoredUpdateBuilder.from(each).checked(true).build());
      } else {
        updates.remove(place);
        merging.remove(each.from());
        effects.add(counted("incomparable-model"));
      }
    }
    return new Step<>(
        GossipStateBuilder.from(state)
            .phase(Phase.MERGING)
            .storedUpdates(updates)
            .merging(merging)
            .build(),
        effects);
  }

  /**
   * One lost message does not mean that a partner is down. After all retries the peer no longer
   * waits for the partner, and its discovery forgets the partner until it is heard of again.
   */
  @Override
  public Step<GossipState> sendFailed(GossipState state, Event.SendFailed failed) {
    Effect counted = counted("send-failed");
    if (!(failed.message() instanceof PartnerUpdate message)) {
      return Step.of(state, counted);
    }
    PeerId to = failed.to();
    boolean awaited =
        state.phase() == Phase.WAITING
            && message.round() == state.round()
            && state.neighbours().contains(to)
            && !hasArrived(state, to);
    boolean useful = message.requestsReply() ? awaited : message.round() == state.lastSharedRound();
    if (useful && message.attempt() < RETRIES) {
      return Step.of(state, counted, new Effect.Send(to, message.nextAttempt()));
    }
    if (!message.requestsReply()) {
      return Step.of(state, counted);
    }
    List<Effect> effects = new ArrayList<>();
    effects.add(counted);
    search.discovery().unreachable(to).ifPresent(effects::add);
    List<PeerId> left = new ArrayList<>(state.neighbours());
    if (awaited) {
      left.remove(to);
    }
    return new Step<>(GossipStateBuilder.from(state).neighbours(left).build(), effects);
  }
}
