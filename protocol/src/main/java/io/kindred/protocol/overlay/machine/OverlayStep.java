package io.kindred.protocol.overlay.machine;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.protocol.overlay.KnownEpochs;
import io.kindred.protocol.overlay.OverlayContext;
import io.kindred.protocol.overlay.OverlayEvent;
import io.kindred.protocol.overlay.OverlayInput;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.StepOutcome;
import io.kindred.protocol.overlay.StepView;
import io.kindred.protocol.overlay.ZoneView;
import io.kindred.protocol.overlay.clustering.ClusteringProtocol;
import io.kindred.protocol.overlay.clustering.ClusteringView;
import io.kindred.protocol.overlay.clustering.LocalSignature;
import io.kindred.protocol.overlay.clustering.PeerClustering;
import io.kindred.protocol.overlay.formation.FormationProtocol;
import io.kindred.protocol.overlay.formation.FormationState;
import io.kindred.protocol.overlay.membership.LocalStatus;
import io.kindred.protocol.overlay.membership.MembershipProtocol;
import io.kindred.protocol.overlay.membership.MembershipState;
import io.kindred.protocol.overlay.membership.MembershipView;
import io.kindred.protocol.overlay.membership.PeerMembership;
import io.kindred.protocol.overlay.membership.SenderRoles;
import io.kindred.protocol.overlay.search.SearchProtocol;
import io.kindred.protocol.overlay.search.SearchState;
import io.kindred.protocol.overlay.search.SearchView;
import io.kindred.protocol.vrf.Epoch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A step of the overlay while it is computed: it hands each sub-protocol its own state and a view
 * of the rest, and keeps what comes back. Messages that the peer sends to itself stay inside the
 * step. A step works on one epoch at a time.
 */
final class OverlayStep {
  /** Epochs that are kept: the one that answers queries and the one that is being built. */
  private static final int MAX_EPOCHS = 2;

  private final OverlayContext context;
  private final long tick;
  private final Consumer<OverlayEvent> router;
  private final NavigableMap<Long, EpochState> epochs;
  private final List<Effect> effects = new ArrayList<>();
  private final Deque<Message> selfMessages = new ArrayDeque<>();
  private LocalSignature localSignature;
  private LocalStatus status;
  private SearchState search;
  private EpochState epochState;

  /** The router handles the events that the sub-protocols raise. */
  OverlayStep(
      OverlayContext context, OverlayState state, long tick, Consumer<OverlayEvent> router) {
    this.context = context;
    this.tick = tick;
    this.router = router;
    localSignature = state.localSignature();
    status = state.status();
    search = state.search();
    epochs = new TreeMap<>(state.epochs());
    epochState =
        epochs.isEmpty()
            ? EpochState.empty(context.previousEpoch(), tick)
            : epochs.lastEntry().getValue();
  }

  Step<OverlayState> finish() {
    saveEpoch();
    return new Step<>(new OverlayState(epochs, localSignature, status, search), effects);
  }

  PeerId self() {
    return context.self();
  }

  OverlaySettings settings() {
    return context.settings();
  }

  private StepView view() {
    return new StepView(context, epochState.previousEpoch(), epochState.startedAt(), tick);
  }

  void form(OverlayInput input) {
    StepOutcome<FormationState> outcome =
        FormationProtocol.step(epochState.formation(), input, view());
    epochState = epochState.with(outcome.state());
    apply(outcome);
  }

  void cluster(OverlayInput input) {
    StepOutcome<PeerClustering> outcome =
        ClusteringProtocol.step(
            new PeerClustering(localSignature, epochState.clustering()),
            input,
            new ClusteringView(
                view(),
                epochState.formation(),
                new ZoneView(
                    self(),
                    epochState.membership().leases(),
                    epochState.membership().ledZones(),
                    settings()),
                epochState.isReady()));
    localSignature = outcome.state().local();
    epochState = epochState.with(outcome.state().epoch());
    apply(outcome);
  }

  void maintain(OverlayInput input) {
    StepOutcome<PeerMembership> outcome =
        MembershipProtocol.step(
            new PeerMembership(status, epochState.membership()),
            input,
            new MembershipView(
                view(),
                knownEpochs(),
                epochState.clustering().heldReplicas(),
                localSignature.signature(),
                epochState.formation().ownScore()));
    status = outcome.state().local();
    epochState = epochState.with(outcome.state().epoch());
    apply(outcome);
  }

  void search(OverlayInput input) {
    StepOutcome<SearchState> outcome =
        SearchProtocol.step(
            search,
            input,
            new SearchView(
                view(),
                epochState.clustering().heldReplicas(),
                epochState.membership().homeCluster(),
                epochState.isReady(),
                localSignature.signature()));
    search = outcome.state();
    apply(outcome);
  }

  /** The effects of a sub-protocol's step happen, and its events are handled one after another. */
  private void apply(StepOutcome<?> outcome) {
    for (Effect effect : outcome.effects()) {
      if (effect instanceof Effect.Send send && send.to().equals(self())) {
        selfMessages.add(send.message());
      } else {
        effects.add(effect);
      }
    }
    outcome.events().forEach(router);
  }

  @Nullable Message pollSelfMessage() {
    return selfMessages.poll();
  }

  void count(String name) {
    effects.add(new Effect.Observe(new Observation.Counted(name)));
  }

  LocalStatus status() {
    return status;
  }

  void put(LocalStatus next) {
    status = next;
  }

  FormationState formation() {
    return epochState.formation();
  }

  boolean isReady() {
    return epochState.isReady();
  }

  boolean hasUnsentQueries() {
    return search.queries().pending().values().stream().anyMatch(each -> !each.sent());
  }

  /** What this peer knows of the roles of others, in the epoch that this step works on. */
  SenderRoles senderRoles() {
    MembershipState membership = epochState.membership();
    return new SenderRoles(view(), membership, epochState.clustering().heldReplicas());
  }

  KnownEpochs knownEpochs() {
    return epochs.isEmpty()
        ? new KnownEpochs(context.previousEpoch().number(), false)
        : new KnownEpochs(epochs.lastKey(), true);
  }

  boolean hasEpoch(long epoch) {
    return epochs.containsKey(epoch);
  }

  private void saveEpoch() {
    epochs.computeIfPresent(epochState.epoch(), (number, known) -> epochState);
  }

  /** Switches to another epoch, one that is kept. */
  void enterEpoch(long epoch) {
    saveEpoch();
    EpochState other = epochs.get(epoch);
    if (other == null) {
      throw new IllegalArgumentException(self() + " has no overlay of epoch " + epoch);
    }
    epochState = other;
  }

  /** Switches to the newest epoch, if there is one. */
  void enterNewestEpoch() {
    if (!epochs.isEmpty()) {
      enterEpoch(epochs.lastKey());
    }
  }

  /** Switches to the epoch that answers queries. */
  void enterReadyEpoch() {
    saveEpoch();
    EpochState best = epochState;
    for (EpochState each : epochs.values()) {
      if (each.isReady() || !best.isReady()) {
        best = each;
      }
    }
    epochState = best;
  }

  /**
   * Begins an epoch and drops the oldest one. The peer draws no score where others have already
   * built the overlay.
   */
  void beginEpoch(long epoch, boolean draws) {
    saveEpoch();
    Epoch before = context.previousEpoch();
    for (EpochState known : epochs.headMap(epoch, true).values()) {
      before = known.previousEpoch();
    }
    while (before.number() + 1 < epoch) {
      before = before.next();
    }
    epochState = EpochState.empty(before, tick);
    if (draws) {
      epochState =
          epochState.with(
              FormationState.drawn(context.verifier().draw(self(), context.secret(), before)));
    }
    epochs.put(epoch, epochState);
    while (epochs.size() > MAX_EPOCHS) {
      epochs.remove(epochs.firstKey());
    }
  }

  /** Forgets all epochs. */
  void forgetEpochs() {
    epochs.clear();
    epochState = EpochState.empty(context.previousEpoch(), tick);
  }
}
