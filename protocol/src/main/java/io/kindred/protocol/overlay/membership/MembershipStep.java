package io.kindred.protocol.overlay.membership;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.overlay.ClusterReplica;
import io.kindred.protocol.overlay.ClusterScores;
import io.kindred.protocol.overlay.KnownEpochs;
import io.kindred.protocol.overlay.OverlayEvent;
import io.kindred.protocol.overlay.OverlayLocalMessage;
import io.kindred.protocol.overlay.OverlayTimer;
import io.kindred.protocol.overlay.RootId;
import io.kindred.protocol.overlay.SearchMessage.ScoredCluster;
import io.kindred.protocol.overlay.StepOutcome;
import io.kindred.protocol.overlay.SubProtocolStep;
import io.kindred.protocol.overlay.ZoneLease;
import io.kindred.protocol.overlay.ZoneState;
import io.kindred.protocol.overlay.ZoneView;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.vrf.ElectionScore;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A step of membership while it is computed. */
final class MembershipStep extends SubProtocolStep {
  private final MembershipView view;
  private final BiConsumer<MembershipStep, MembershipEvent> handlers;
  private LocalStatus status;
  private MembershipState state;
  private boolean newEpoch;

  MembershipStep(
      PeerMembership state,
      MembershipView view,
      BiConsumer<MembershipStep, MembershipEvent> handlers) {
    super(view.step());
    this.view = view;
    this.handlers = handlers;
    this.status = state.local();
    this.state = state.epoch();
  }

  StepOutcome<PeerMembership> finish() {
    return outcome(new PeerMembership(status, state));
  }

  /** Has another part of membership handle an event, before this one goes on. */
  void handle(MembershipEvent event) {
    handlers.accept(this, event);
  }

  void startHeartbeatTimer() {
    setTimer(new OverlayTimer.HeartbeatDue(), settings().maintenance().heartbeatTicks());
  }

  KnownEpochs epochs() {
    return view.epochs();
  }

  /** Begins the next epoch once this step has ended; nothing else is left to do in this one. */
  void requestNextEpoch() {
    newEpoch = true;
    raise(new OverlayEvent.EpochRequested(view.epochs().newest() + 1));
  }

  /** Whether this step has requested another epoch. */
  boolean requestedEpoch() {
    return newEpoch;
  }

  Optional<Signature> signature() {
    return view.signature();
  }

  /** This peer's score of this epoch, drawn now if the peer joined after the elections. */
  ElectionScore.ProvenScore ownScoreOrDraw() {
    return view.ownScore()
        .orElseGet(
            () -> context().verifier().draw(self(), context().secret(), view().previousEpoch()));
  }

  List<ScoredCluster> scoreClusters(Signature joining, List<ClusterDescriptor> clusters) {
    return scoreClusters(view.signature(), joining, clusters);
  }

  boolean areComparable(List<ClusterDescriptor> clusters) {
    return ClusterScores.areComparable(view.signature(), clusters);
  }

  @Nullable ClusterReplica replica(ClusterId cluster) {
    return view.replicas().get(cluster);
  }

  List<ClusterReplica> replicas() {
    return List.copyOf(view.replicas().values());
  }

  LocalStatus status() {
    return status;
  }

  void put(LocalStatus next) {
    status = next;
  }

  MembershipState membership() {
    return state;
  }

  ZoneView zones() {
    return new ZoneView(self(), state.leases(), state.ledZones(), settings());
  }

  boolean isReady() {
    return state.isReady();
  }

  Optional<ClusterReplica.ClusterPointer> homeCluster() {
    return state.homeCluster();
  }

  /**
   * Sets the peer's home cluster. A joining peer that knows the overlay is built needs nothing
   * else: the method is notified, whichever message assigned the cluster.
   */
  void setHomeCluster(ClusterReplica.ClusterPointer home) {
    boolean ready = state.isReady();
    state = state.withHome(Optional.of(home));
    if (!ready && state.isReady() && status.joiningSince() >= 0) {
      status = status.withJoining(-1, List.of());
      notifyMethod(new OverlayLocalMessage.Ready(epoch(), state.signatureEntries().orElseThrow()));
    }
  }

  void clearHomeCluster() {
    state = state.withHome(Optional.empty());
  }

  /** Returns whether the number has changed. */
  boolean setSignatureEntries(int entries) {
    boolean changed = !state.signatureEntries().equals(Optional.of(entries));
    state = state.withEntries(entries);
    return changed;
  }

  void put(ZoneLease lease) {
    state = state.with(lease);
  }

  void put(ZoneState zone) {
    state = state.withLedZone(zone);
  }

  void putStandby(ZoneState zone) {
    state = state.withStandbyZone(zone);
  }

  /** Drops the lease, the led zone and the standby zone of a level. */
  void leaveZone(int level) {
    state = state.without(level);
    if (level == 1) {
      raise(new OverlayEvent.LowestZoneLeft());
    }
  }

  void setHeartbeats(int level, SortedMap<PeerId, Long> lastHeartbeats) {
    state = state.withHeartbeats(level, lastHeartbeats);
  }

  void setRoot(RootId root) {
    state = state.withRoot(root);
  }

  /** Records a heartbeat of the root, unless a newer one is known. */
  void recordRootHeartbeat(long number) {
    if (number > state.rootHeartbeat().sequence()) {
      state = state.with(new MembershipState.RootHeartbeat(number, tick()));
    }
  }

  /** Whether this peer could lead a zone whose state it receives. */
  boolean canLead(ZoneState zone) {
    boolean valid =
        zone.isValid()
            && areComparable(zone.rootClusters())
            && areComparable(zone.descriptors())
            && zone.clusters().stream().allMatch(each -> areComparable(each.children()));
    if (!valid) {
      count("overlay-invalid-zone-state");
    }
    return valid;
  }
}
