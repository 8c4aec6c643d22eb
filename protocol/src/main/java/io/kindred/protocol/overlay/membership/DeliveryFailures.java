package io.kindred.protocol.overlay.membership;

import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.overlay.MembershipMessage;
import io.kindred.protocol.overlay.OverlayMessage;
import io.kindred.protocol.overlay.OverlayMessage.OverlayBuilt;
import io.kindred.protocol.overlay.OverlayMessage.ParentAssigned;
import io.kindred.protocol.overlay.OverlayMessage.ReplicaAssigned;
import io.kindred.protocol.overlay.OverlayMessage.RootClusters;
import io.kindred.protocol.overlay.ZoneState;
import io.kindred.protocol.overlay.ZoneState.ClusterEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Retries messages that could not be delivered. While an overlay is built, the same message is sent
 * again, because peers wait for each other. Once it is built, the message is rebuilt from the
 * current state and sent only if it still applies. Messages that are repeated with every heartbeat
 * need no retry.
 */
final class DeliveryFailures {
  private final MembershipStep step;

  DeliveryFailures(MembershipStep step) {
    this.step = step;
  }

  void deliveryFailed(PeerId to, Message message) {
    if (message instanceof OverlayMessage known
        && step.settings().maintenance().enabled()
        && step.epochs().any()
        && known.epoch() == step.epochs().newest()
        && !step.status().leaving()) {
      resend(to, known);
    } else {
      step.count("overlay-not-delivered");
    }
  }

  private void resend(PeerId to, OverlayMessage message) {
    switch (message) {
      case MembershipMessage.ReplicateZone replicateZone -> {
        ZoneState zone = step.membership().ledZones().get(replicateZone.state().level());
        if (zone != null
            && zone.version() == replicateZone.state().version()
            && step.zones().deputies(zone).contains(to)) {
          step.send(to, new MembershipMessage.ReplicateZone(zone));
        }
      }
      case MembershipMessage _ -> step.count("overlay-not-delivered");
      case OverlayBuilt overlayBuilt -> step.send(alternateReplica(to, overlayBuilt), overlayBuilt);
      case ReplicaAssigned old -> resendReplica(to, old);
      case ParentAssigned old -> resendParent(to, old);
      case RootClusters old -> resendRoots(to, old);
      default -> {
        if (!step.isReady()) {
          step.send(to, message);
        }
      }
    }
  }

  /** The next replica in the list: any replica of a cluster can forward {@link OverlayBuilt}. */
  private PeerId alternateReplica(PeerId to, OverlayBuilt overlayBuilt) {
    if (overlayBuilt.cluster().isEmpty()) {
      return to;
    }
    List<ClusterDescriptor> below = new ArrayList<>();
    step.replicas().forEach(replica -> below.addAll(replica.children()));
    step.membership().ledZones().values().forEach(zone -> below.addAll(zone.rootClusters()));
    for (ClusterDescriptor each : below) {
      int index = each.replicas().indexOf(to);
      if (each.id().equals(overlayBuilt.cluster().get()) && index >= 0) {
        return each.replicas().get((index + 1) % each.replicas().size());
      }
    }
    return to;
  }

  private void resendReplica(PeerId to, ReplicaAssigned old) {
    ZoneState zone = step.membership().ledZones().get(old.descriptor().zone().level());
    Optional<ClusterEntry> cluster =
        zone == null ? Optional.empty() : zone.cluster(old.descriptor().id());
    if (zone != null && cluster.isPresent() && cluster.get().descriptor().replicas().contains(to)) {
      step.send(
          to,
          new ReplicaAssigned(
              cluster.get().descriptor(),
              cluster.get().members(),
              cluster.get().children(),
              zone.version()));
    }
  }

  private void resendParent(PeerId to, ParentAssigned old) {
    ZoneState zone = step.membership().ledZones().get(old.parent().level());
    if (zone == null) {
      return;
    }
    for (ClusterEntry cluster : zone.clusters()) {
      for (ClusterDescriptor child : cluster.children()) {
        if (child.id().equals(old.child()) && child.replicas().contains(to)) {
          step.send(
              to,
              new ParentAssigned(
                  child.id(), cluster.id(), cluster.descriptor().replicas(), zone.version()));
        }
      }
    }
  }

  private void resendRoots(PeerId to, RootClusters old) {
    for (ZoneState zone : step.membership().ledZones().values()) {
      for (ClusterDescriptor root : zone.rootClusters()) {
        if (root.id().equals(old.root()) && root.replicas().contains(to)) {
          step.send(to, new RootClusters(root.id(), zone.rootClusters(), zone.version()));
        }
      }
    }
  }
}
