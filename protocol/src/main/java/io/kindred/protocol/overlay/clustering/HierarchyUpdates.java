package io.kindred.protocol.overlay.clustering;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.overlay.ClusterReplica;
import io.kindred.protocol.overlay.Copies;
import io.kindred.protocol.overlay.MembershipMessage.ReplicaRemoved;
import io.kindred.protocol.overlay.OverlayBuiltBuilder;
import io.kindred.protocol.overlay.OverlayEvent;
import io.kindred.protocol.overlay.OverlayMessage;
import io.kindred.protocol.overlay.OverlayMessage.OverlayBuilt;
import io.kindred.protocol.overlay.OverlayMessage.ParentAssigned;
import io.kindred.protocol.overlay.OverlayMessage.ReplicaAssigned;
import io.kindred.protocol.overlay.OverlayMessage.RootClusters;
import io.kindred.protocol.overlay.OverlayMessage.RootDescriptor;
import io.kindred.protocol.overlay.OverlayMessage.RootExchange;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Handles the messages that assign a peer its position in the hierarchy. */
final class HierarchyUpdates {
  private static final int MAX_EARLY_MESSAGES = 1024;

  private final ClusteringStep step;

  HierarchyUpdates(ClusteringStep step) {
    this.step = step;
  }

  /** Processes the messages that arrived before the replica: short ones overtake long ones. */
  void replicaAssigned(PeerId from, ReplicaAssigned replicaAssigned) {
    ClusterReplica known = step.replica(replicaAssigned.descriptor().id());
    // Two leaders of one term use the same versions: the leader that this peer follows is right.
    boolean trusted =
        step.zones().leaderOf(replicaAssigned.descriptor().zone()).filter(from::equals).isPresent();
    if (known != null && known.version() > replicaAssigned.version() && !trusted) {
      step.count("overlay-outdated");
      return;
    }
    step.put(ClusterReplica.of(replicaAssigned, known, step.tick()));
    List<OverlayMessage> early = step.earlyMessages();
    step.earlyMessages(List.of());
    early.forEach(message -> step.raise(new OverlayEvent.MessageDue(step.self(), message)));
  }

  private void deferEarly(OverlayMessage message) {
    if (step.earlyMessages().size() < MAX_EARLY_MESSAGES) {
      step.earlyMessages(Copies.with(step.earlyMessages(), message));
    } else {
      step.count("overlay-no-such-replica");
    }
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
   * Versions decide only without maintenance. With maintenance, a leader above may be one of an
   * earlier term that was cut off for a while. Leaders publish repeatedly, so the last message is
   * right in the end.
   */
  private boolean isOutdated(ClusterReplica replica, long version) {
    return !step.settings().maintenance().enabled() && replica.versions().parent() > version;
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

  /** The first replica of a root cluster sends the descriptor to the replicas of all roots. */
  void exchangeRoots(RootExchange exchange) {
    updateReplica(exchange, exchange.root(), this::withKnownRoots);
    List<OverlayMessage> early = step.earlyMessages();
    step.earlyMessages(early.stream().filter(each -> !(each instanceof RootDescriptor)).toList());
    early.stream()
        .filter(RootDescriptor.class::isInstance)
        .forEach(each -> step.raise(new OverlayEvent.MessageDue(step.self(), each)));
    step.raise(new OverlayEvent.RootDescriptorDue(exchange));
  }

  void sendRoot(RootExchange exchange) {
    ClusterReplica replica = step.replica(exchange.root());
    if (replica == null || !replica.descriptor().replicas().getFirst().equals(step.self())) {
      return;
    }
    RootDescriptor own = new RootDescriptor(replica.descriptor());
    exchange.replicas().stream()
        .flatMap(List::stream)
        .distinct()
        .sorted()
        .forEach(peer -> step.send(peer, own));
  }

  /** Adds the cluster itself and the roots known to other replicas of this peer. */
  private ClusterReplica withKnownRoots(ClusterReplica replica) {
    ClusterReplica extended = replica.addRoot(replica.descriptor());
    for (ClusterReplica other : step.replicas()) {
      for (ClusterDescriptor root : other.roots().values()) {
        extended = extended.addRoot(root);
      }
    }
    return extended;
  }

  /** Adds another root cluster to every root replica of this peer. */
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
    step.raise(new OverlayEvent.WayUpKnown());
  }

  private void updateReplica(
      OverlayMessage message, ClusterId cluster, UnaryOperator<ClusterReplica> update) {
    ClusterReplica replica = step.replica(cluster);
    if (replica == null) {
      deferEarly(message);
      return;
    }
    step.put(update.apply(replica));
    step.raise(new OverlayEvent.WayUpKnown());
  }

  /** Passes on that the overlay is built, to the child clusters or the peers of a cluster. */
  void overlayBuilt(OverlayBuilt overlayBuilt) {
    ClusterReplica replica = step.replica(overlayBuilt.cluster().orElseThrow());
    if (replica == null) {
      deferEarly(overlayBuilt);
      return;
    }
    for (ClusterDescriptor child : replica.children()) {
      step.send(
          child.replicas().getFirst(),
          OverlayBuiltBuilder.from(overlayBuilt).cluster(Optional.of(child.id())).build());
    }
    for (PeerId member : replica.members()) {
      step.send(member, OverlayBuiltBuilder.from(overlayBuilt).cluster(Optional.empty()).build());
    }
  }

  void replicaRemoved(ReplicaRemoved replicaRemoved) {
    ClusterReplica replica = step.replica(replicaRemoved.cluster());
    if (replica != null && replica.version() <= replicaRemoved.version()) {
      step.dropReplica(replicaRemoved.cluster());
    }
  }

  /** A replica that its zone no longer refreshes has been assigned to other peers. */
  void dropStaleReplicas(long oldestTick) {
    for (ClusterReplica replica : step.replicas()) {
      if (replica.versions().lastHeard() < oldestTick) {
        step.count("overlay-replica-expired");
        step.dropReplica(replica.descriptor().id());
      }
    }
  }
}
