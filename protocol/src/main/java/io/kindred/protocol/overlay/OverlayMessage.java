package io.kindred.protocol.overlay;

import io.kindred.core.config.Named;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Bytes;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.signature.QuantileSketch;
import io.kindred.protocol.signature.Signature;
import java.util.List;
import java.util.Optional;

/**
 * Messages between the overlays of two peers that build and maintain an overlay; {@link
 * SearchMessage} has those that search it.
 */
public sealed interface OverlayMessage extends Message {
  /** The epoch whose overlay the message is about. */
  long epoch();

  /** A message of zone formation, which happens once on every level. */
  sealed interface FormationMessage extends OverlayMessage {
    int level();
  }

  /** A message that maintains a built overlay. */
  sealed interface MembershipFamily extends OverlayMessage permits MembershipMessage {}

  /** The election score that a peer drew; receivers forward it while hops are left. */
  @Named("overlay/score")
  @Buildable
  record ScoreOffer(long epoch, int level, PeerId peer, Bytes proof, int hopsLeft)
      implements FormationMessage, ProofMessage {
    public ScoreOffer {
      ZoneId.requireLevel(level);
    }

    @Override
    public PeerId prover(PeerId sender) {
      return peer;
    }
  }

  /**
   * Invites peers without a zone to this zone; receivers that join forward it while hops are left.
   */
  @Named("overlay/probe")
  record Probe(ZoneId zone, Bytes proof, int distance, int hopsLeft)
      implements FormationMessage, ProofMessage {
    @Override
    public PeerId prover(PeerId sender) {
      return zone.initiator();
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

  /** The sender's zone, for neighbours that get no probe from the sender. */
  @Named("overlay/zone-announcement")
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

  /** From a peer to the zone's initiator: the peer has joined the zone. */
  @Named("overlay/register")
  record Register(ZoneId zone, double capacity, Bytes proof, int distance)
      implements FormationMessage, ProofMessage {
    @Override
    public PeerId prover(PeerId sender) {
      return sender;
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

  /**
   * From a member to its initiator: the zones of the member's neighbours, once all of them have
   * one.
   */
  @Named("overlay/neighbour-report")
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

  /** From a peer without a zone, or the only member of one: asks whether this zone has room. */
  @Named("overlay/zone-join-request")
  record ZoneJoinRequest(ZoneId zone, double capacity, Bytes proof)
      implements FormationMessage, ProofMessage {
    @Override
    public PeerId prover(PeerId sender) {
      return sender;
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

  @Named("overlay/zone-join-reply")
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

  /**
   * From the initiator of a zone that is too large to the surplus member that leads the others from
   * now on.
   *
   * @param registeredZone the zone that the members registered with
   */
  @Named("overlay/zone-split")
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

  /** Confirms a {@link ZoneSplit}: the sender leads the members from now on. */
  @Named("overlay/split-accepted")
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

  /** From the initiator of a split-off zone: the receiver is a member of that zone now. */
  @Named("overlay/zone-changed")
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

  /** The sender's zone has merged into another one. */
  @Named("overlay/zone-merged")
  record ZoneMerged(ZoneId from, ZoneRef to) implements OverlayMessage {
    @Override
    public long epoch() {
      return from.epoch();
    }
  }

  /**
   * From a zone's leader to a member: asks for its signature, or above the lowest level for its
   * clusters.
   */
  @Named("overlay/signature-probe")
  record SignatureProbe(ZoneId zone) implements OverlayMessage {
    @Override
    public long epoch() {
      return zone.epoch();
    }
  }

  /** The member's signature, and the least number of entries that the member needs. */
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

  /** The clusters of a child zone and the entries that its peers need; sent again after changes. */
  @Named("overlay/cluster-report")
  @Buildable
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
        throw new IllegalArgumentException(
            "clusters for " + zone + " must be of the level directly below it");
      }
    }

    public ClusterReport with(List<ClusterDescriptor> others) {
      return ClusterReportBuilder.from(this).clusters(others).build();
    }

    @Override
    public long epoch() {
      return zone.epoch();
    }
  }

  /**
   * The receiver holds a replica of this cluster: of its peers on the lowest level, of its child
   * clusters on others.
   */
  @Named("overlay/replica-assigned")
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
            "children of " + descriptor.id() + " must have a lower level");
      }
    }

    @Override
    public long epoch() {
      return descriptor.zone().epoch();
    }
  }

  /** The receiver belongs to this cluster, which these replicas hold. */
  @Named("overlay/home-cluster-assigned")
  record HomeClusterAssigned(ClusterId cluster, List<PeerId> replicas) implements OverlayMessage {
    public HomeClusterAssigned {
      replicas = ClusterReplica.requireReplicas(replicas);
    }

    @Override
    public long epoch() {
      return cluster.zone().epoch();
    }
  }

  /** The receiver's cluster belongs to this parent cluster, which these replicas hold. */
  @Named("overlay/parent-assigned")
  record ParentAssigned(ClusterId child, ClusterId parent, List<PeerId> replicas, long version)
      implements OverlayMessage {
    public ParentAssigned {
      replicas = ClusterReplica.requireReplicas(replicas);
      if (parent.level() <= child.level()) {
        throw new IllegalArgumentException("the parent of " + child + " must have a higher level");
      }
    }

    @Override
    public long epoch() {
      return child.zone().epoch();
    }
  }

  /** The receiver's cluster is a root cluster; these are all root clusters. */
  @Named("overlay/root-clusters")
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

  /**
   * Like {@link RootClusters} without descriptors: the first replica of each root cluster sends its
   * own as a {@link RootDescriptor}.
   */
  @Named("overlay/root-exchange")
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
   * From the root down to every peer: the overlay is built, and signatures have this number of
   * entries.
   *
   * @param root the root of the hierarchy
   * @param cluster the cluster that the receiver holds; absent for a peer of a lowest cluster
   */
  @Named("overlay/built")
  @Buildable
  record OverlayBuilt(long epoch, int signatureEntries, RootId root, Optional<ClusterId> cluster)
      implements OverlayMessage {}
}
