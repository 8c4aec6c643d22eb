package io.kindred.protocol.overlay;

import io.kindred.core.config.Named;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Bytes;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.signature.QuantileSketch;
import io.kindred.protocol.signature.Signature;
import java.util.List;
import java.util.Optional;

/**
 * Everything that the overlays of two peers say to each other while it is built; {@link
 * SearchMessage} is the rest.
 */
public sealed interface OverlayMessage extends Message {
  /** The epoch whose overlay it is about. */
  long epoch();

  /** A message of zone formation, which happens once on every level. */
  sealed interface FormationMessage extends OverlayMessage {
    int level();
  }

  /** A message that keeps alive what was built. */
  sealed interface MembershipFamily extends OverlayMessage permits MembershipMessage {}

  /** "This peer drew this score"; whoever hears it passes it on while hops are left. */
  @Named("overlay/score")
  record ScoreOffer(long epoch, int level, PeerId peer, Bytes proof, int hopsLeft)
      implements FormationMessage {
    public ScoreOffer {
      ZoneId.requireLevel(level);
    }
  }

  /** "Join my zone, unless you are in one." */
  @Named("overlay/probe")
  record Probe(ZoneId zone, Bytes proof, int distance, int hopsLeft) implements FormationMessage {
    @Override
    public int level() {
      return zone.level();
    }

    @Override
    public long epoch() {
      return zone.epoch();
    }
  }

  /** "I am in this zone", to neighbours that hear it from no probe. */
  @Named("overlay/border")
  record ZoneAnnouncement(ZoneRef zone) implements FormationMessage {
    @Override
    public int level() {
      return zone.zone().level();
    }

    @Override
    public long epoch() {
      return zone.zone().epoch();
    }
  }

  /** "I am in your zone." */
  @Named("overlay/register")
  record Register(ZoneId zone, double capacity, Bytes proof, int distance)
      implements FormationMessage {
    @Override
    public int level() {
      return zone.level();
    }

    @Override
    public long epoch() {
      return zone.epoch();
    }
  }

  /** "All my neighbours are settled, and these are their zones", from a member to its initiator. */
  @Named("overlay/neighbor")
  record NeighbourReport(ZoneId zone, List<ZoneRef> adjacentZones) implements FormationMessage {
    public NeighbourReport {
      adjacentZones = List.copyOf(adjacentZones);
    }

    @Override
    public int level() {
      return zone.level();
    }

    @Override
    public long epoch() {
      return zone.epoch();
    }
  }

  /** "No probe reached me; have you room?" */
  @Named("overlay/join")
  record ZoneJoinRequest(ZoneId zone, double capacity, Bytes proof) implements FormationMessage {
    @Override
    public int level() {
      return zone.level();
    }

    @Override
    public long epoch() {
      return zone.epoch();
    }
  }

  @Named("overlay/admission")
  record ZoneJoinReply(ZoneId zone, boolean accepted) implements FormationMessage {
    @Override
    public int level() {
      return zone.level();
    }

    @Override
    public long epoch() {
      return zone.epoch();
    }
  }

  /** "My zone is too large: these are yours, who registered with that zone." */
  @Named("overlay/hand-over")
  record ZoneSplit(ZoneRef from, ZoneId registeredZone, List<ZoneMember> members)
      implements FormationMessage {
    public ZoneSplit {
      members = List.copyOf(members);
    }

    @Override
    public int level() {
      return from.zone().level();
    }

    @Override
    public long epoch() {
      return from.zone().epoch();
    }
  }

  /** "I lead those whom you handed over." */
  @Named("overlay/accepted")
  record SplitAccepted(ZoneId from) implements FormationMessage {
    @Override
    public int level() {
      return from.level();
    }

    @Override
    public long epoch() {
      return from.epoch();
    }
  }

  /** "You are in my zone now." */
  @Named("overlay/adopted")
  record ZoneChanged(ZoneId from, ZoneRef to) implements FormationMessage {
    @Override
    public int level() {
      return from.level();
    }

    @Override
    public long epoch() {
      return from.epoch();
    }
  }

  /** "My zone is no more; it has become part of that one." */
  @Named("overlay/moved")
  record ZoneMerged(ZoneId from, ZoneRef to) implements OverlayMessage {
    @Override
    public long epoch() {
      return from.epoch();
    }
  }

  /** "Tell me your signature", or on higher levels your clusters. */
  @Named("overlay/signature-probe")
  record SignatureProbe(ZoneId zone) implements OverlayMessage {
    @Override
    public long epoch() {
      return zone.epoch();
    }
  }

  /** The signature and the least number of entries that this peer would need. */
  @Named("overlay/signature")
  record SignatureReply(ZoneId zone, Signature signature, int minimumEntries)
      implements OverlayMessage {
    public SignatureReply {
      if (zone.level() != 1) {
        throw new IllegalArgumentException("a signature for " + zone + ", which has clusters");
      }
    }

    @Override
    public long epoch() {
      return zone.epoch();
    }
  }

  /** The clusters of a zone below, and what its peers would need; again when they changed. */
  @Named("overlay/contribution")
  record ClusterReport(
      ZoneId zone,
      ZoneId childZone,
      long version,
      List<ClusterDescriptor> clusters,
      QuantileSketch minimumEntries)
      implements OverlayMessage {
    public ClusterReport {
      clusters = List.copyOf(clusters);
      if (zone.level() < 2
          || clusters.stream().anyMatch(each -> each.zone().level() != zone.level() - 1)) {
        throw new IllegalArgumentException("clusters for " + zone + " that are not just below");
      }
    }

    ClusterReport with(List<ClusterDescriptor> others) {
      return new ClusterReport(zone, childZone, version, others, minimumEntries);
    }

    @Override
    public long epoch() {
      return zone.epoch();
    }
  }

  /** "You hold this cluster": its peers on the lowest level, the clusters in it on others. */
  @Named("overlay/appointment")
  record ReplicaAssigned(
      ClusterDescriptor descriptor,
      List<PeerId> members,
      List<ClusterDescriptor> children,
      long version)
      implements OverlayMessage {
    public ReplicaAssigned {
      members = List.copyOf(members);
      children = List.copyOf(children);
      int level = descriptor.zone().level();
      if (children.stream().anyMatch(each -> each.zone().level() >= level)) {
        throw new IllegalArgumentException(
            "who goes down from " + descriptor.id() + " never arrives");
      }
    }

    @Override
    public long epoch() {
      return descriptor.zone().epoch();
    }
  }

  /** "You belong to this cluster, which these hold." */
  @Named("overlay/placement")
  record HomeClusterAssigned(ClusterId cluster, List<PeerId> replicas) implements OverlayMessage {
    public HomeClusterAssigned {
      replicas = ClusterReplica.requireReplicas(replicas);
    }

    @Override
    public long epoch() {
      return cluster.zone().epoch();
    }
  }

  /** "The cluster you hold belongs to that one." */
  @Named("overlay/parent")
  record ParentAssigned(ClusterId child, ClusterId parent, List<PeerId> replicas, long version)
      implements OverlayMessage {
    public ParentAssigned {
      replicas = ClusterReplica.requireReplicas(replicas);
      if (parent.level() <= child.level()) {
        throw new IllegalArgumentException("who goes up from " + child + " never arrives");
      }
    }

    @Override
    public long epoch() {
      return child.zone().epoch();
    }
  }

  /** "The cluster you hold is one of the top; these are all of them." */
  @Named("overlay/roots")
  record RootClusters(ClusterId root, List<ClusterDescriptor> clusters, long version)
      implements OverlayMessage {
    public RootClusters {
      clusters = List.copyOf(clusters);
    }

    @Override
    public long epoch() {
      return root.zone().epoch();
    }
  }

  /** The same without descriptors: the others tell theirs themselves. */
  @Named("overlay/root-call")
  record RootExchange(ClusterId root, List<List<PeerId>> replicas) implements OverlayMessage {
    public RootExchange {
      replicas = List.copyOf(replicas);
    }

    @Override
    public long epoch() {
      return root.zone().epoch();
    }
  }

  @Named("overlay/root-descriptor")
  record RootDescriptor(ClusterDescriptor descriptor) implements OverlayMessage {
    @Override
    public long epoch() {
      return descriptor.zone().epoch();
    }
  }

  /**
   * "All is built; signatures have so many entries": from the top down to every peer.
   *
   * @param root which hierarchy it is
   * @param cluster the cluster that the receiver holds; absent for its peers
   */
  @Named("overlay/agreed")
  record OverlayBuilt(long epoch, int signatureEntries, RootId root, Optional<ClusterId> cluster)
      implements OverlayMessage {}
}
