package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.OverlayMessage.HomeClusterAssigned;
import io.kindred.protocol.overlay.OverlayMessage.OverlayBuilt;
import io.kindred.protocol.overlay.OverlayMessage.ParentAssigned;
import io.kindred.protocol.overlay.OverlayMessage.ReplicaAssigned;
import io.kindred.protocol.overlay.OverlayMessage.RootClusters;
import io.kindred.protocol.overlay.OverlayMessage.RootDescriptor;
import io.kindred.protocol.overlay.OverlayMessage.RootExchange;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What a peer is told about its place in the hierarchy. */
final class HierarchyUpdates {
  private static final int MAX_EARLY_MESSAGES = 1024;

  private final OverlayStep step;

  HierarchyUpdates(OverlayStep step) {
    this.step = step;
  }

  /** Long messages are overtaken by short ones: what came before is looked at again. */
  void replicaAssigned(PeerId from, ReplicaAssigned replicaAssigned) {
    ClusterReplica known = step.replica(replicaAssigned.descriptor().id());
    // Two leaders of one term count alike: the one that it follows is right.
    boolean trusted =
        new Heartbeats(step)
            .leaderOf(replicaAssigned.descriptor().zone())
            .filter(from::equals)
            .isPresent();
    if (known != null && known.version() > replicaAssigned.version() && !trusted) {
      step.count("overlay-outdated");
      return;
    }
    step.put(ClusterReplica.of(replicaAssigned, known, step.tick));
    List<OverlayMessage> early = step.earlyMessages();
    step.earlyMessages(List.of());
    early.forEach(message -> Overlay.receive(step, step.self(), message));
  }

  private void deferEarly(OverlayMessage message) {
    if (step.earlyMessages().size() < MAX_EARLY_MESSAGES) {
      step.earlyMessages(Copies.with(step.earlyMessages(), message));
    } else {
      step.count("overlay-no-such-seat");
    }
  }

  void homeClusterAssigned(HomeClusterAssigned homeClusterAssigned) {
    ZoneId zone = homeClusterAssigned.cluster().zone();
    ZoneLease known = step.membership().leases().get(1);
    if (known != null && !known.zone().equals(zone)) {
      // Two zones count on it, which lost messages can bring about: the first one has it.
      step.send(zone.initiator(), new MembershipMessage.Leave(zone));
      return;
    }
    step.setHomeCluster(
        Optional.of(
            new ClusterReplica.ClusterPointer(
                homeClusterAssigned.cluster(), homeClusterAssigned.replicas())));
    step.put(ZoneLease.of(zone, step.tick));
  }

  void parentAssigned(ParentAssigned parentAssigned) {
    updateReplica(
        parentAssigned,
        parentAssigned.child(),
        replica ->
            isOutdated(replica, parentAssigned.version())
                ? replica
                : replica.withParent(
                    new ClusterReplica.ClusterPointer(
                        parentAssigned.parent(), parentAssigned.replicas()),
                    parentAssigned.version()));
  }

  /**
   * While an overlay is built. Later the leader above may be one of an earlier term that was cut
   * off for a while; it repeats itself, so whoever spoke last is right in the end.
   */
  private boolean isOutdated(ClusterReplica replica, long stamp) {
    return !step.settings.maintenance().enabled() && replica.versions().parent() > stamp;
  }

  void rootsReceived(RootClusters rootClusters) {
    updateReplica(
        rootClusters,
        rootClusters.root(),
        replica ->
            isOutdated(replica, rootClusters.version())
                ? replica
                : replica.withRoots(rootClusters.clusters(), rootClusters.version()));
  }

  /** Tells all others of the own cluster, if it is the first to hold it. */
  void exchangeRoots(RootExchange call) {
    updateReplica(call, call.root(), this::withKnownRoots);
    List<OverlayMessage> early = step.earlyMessages();
    step.earlyMessages(early.stream().filter(each -> !(each instanceof RootDescriptor)).toList());
    early.stream()
        .filter(RootDescriptor.class::isInstance)
        .forEach(each -> Overlay.receive(step, step.self(), each));
    ClusterReplica replica = step.replica(call.root());
    if (replica == null || !replica.descriptor().replicas().getFirst().equals(step.self())) {
      return;
    }
    RootDescriptor own = new RootDescriptor(replica.descriptor());
    call.replicas().stream()
        .flatMap(List::stream)
        .distinct()
        .sorted()
        .forEach(peer -> step.send(peer, own));
  }

  /** With itself and what other seats at the top have heard of. */
  private ClusterReplica withKnownRoots(ClusterReplica replica) {
    ClusterReplica crowned = replica.addRoot(replica.descriptor());
    for (ClusterReplica other : step.replicas()) {
      for (ClusterDescriptor root : other.roots().values()) {
        crowned = crowned.addRoot(root);
      }
    }
    return crowned;
  }

  /** Every top cluster that this peer holds gets to know of the other one. */
  void rootReceived(RootDescriptor root) {
    ClusterDescriptor other = root.descriptor();
    boolean early = true;
    for (ClusterReplica replica : step.replicas()) {
      if (replica.roots().containsKey(replica.descriptor().id())) {
        step.put(replica.addRoot(other));
        early = false;
      }
    }
    if (early) {
      deferEarly(root);
    }
    new QueryProtocol(step).resumeDeferred();
  }

  private void updateReplica(
      OverlayMessage message, ClusterId cluster, UnaryOperator<ClusterReplica> how) {
    ClusterReplica replica = step.replica(cluster);
    if (replica == null) {
      deferEarly(message);
      return;
    }
    step.put(how.apply(replica));
    new QueryProtocol(step).resumeDeferred();
  }

  void overlayBuilt(OverlayBuilt overlayBuilt) {
    Optional<ClusterId> at = overlayBuilt.cluster();
    if (at.isEmpty()) {
      // A top that turned out not to be the last says so again when it is.
      step.setRoot(overlayBuilt.root());
      step.recordRootHeartbeat(1);
      if (step.setSignatureEntries(overlayBuilt.signatureEntries())) {
        // Who leads a zone looks after it from now on; what was built long before is as good.
        List.copyOf(step.membership().leases().values())
            .forEach(lease -> step.put(lease.withRenewal(step.tick)));
        step.notifyMethod(
            new OverlayLocalMessage.Ready(overlayBuilt.epoch(), overlayBuilt.signatureEntries()));
      }
      return;
    }
    ClusterReplica replica = step.replica(at.get());
    if (replica == null) {
      deferEarly(overlayBuilt);
      return;
    }
    for (ClusterDescriptor child : replica.children()) {
      step.send(
          child.replicas().getFirst(),
          new OverlayBuilt(
              overlayBuilt.epoch(),
              overlayBuilt.signatureEntries(),
              overlayBuilt.root(),
              Optional.of(child.id())));
    }
    for (PeerId member : replica.members()) {
      step.send(
          member,
          new OverlayBuilt(
              overlayBuilt.epoch(),
              overlayBuilt.signatureEntries(),
              overlayBuilt.root(),
              Optional.empty()));
    }
  }
}
