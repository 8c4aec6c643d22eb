package io.kindred.protocol.overlay;

import io.kindred.core.config.Named;
import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Bytes;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.signature.Signature;
import java.util.List;
import java.util.Optional;

/** Messages between peers that maintain a built overlay (SemanticDFL, section 3.7). */
public sealed interface MembershipMessage extends OverlayMessage.MembershipFamily {
  /**
   * From a zone member to the zone's leader: the member is alive.
   *
   * @param version version of the child zone that the member leads; zero on the lowest level
   */
  @Named("overlay/heartbeat")
  record Heartbeat(ZoneId zone, long version) implements MembershipMessage {
    @Override
    public long epoch() {
      return zone.epoch();
    }
  }

  /**
   * From the zone's leader to a member: renews the member's lease and names the deputies.
   *
   * @param homeCluster the member's cluster, on the lowest level
   * @param knownVersion newest version of its child zone that the member reported, above the lowest
   *     level
   * @param root the root of the hierarchy, as far as the leader knows
   * @param rootHeartbeat the newest heartbeat of the root that the leader knows
   */
  @Named("overlay/lease-renewal")
  record LeaseRenewal(
      ZoneId zone,
      long version,
      List<PeerId> deputies,
      Optional<ClusterReplica.ClusterPointer> homeCluster,
      long knownVersion,
      Optional<RootId> root,
      long rootHeartbeat)
      implements MembershipMessage {
    public LeaseRenewal {
      deputies = List.copyOf(deputies);
    }

    @Override
    public long epoch() {
      return zone.epoch();
    }
  }

  /** From the zone's leader to a deputy: the zone state that a takeover needs. */
  @Named("overlay/replicate-zone")
  record ReplicateZone(ZoneState state) implements MembershipMessage {
    public ZoneId zone() {
      return state.zone();
    }

    @Override
    public long epoch() {
      return state.zone().epoch();
    }
  }

  /**
   * From a leader that gives up a zone to its first deputy: the deputy leads the zone from now on.
   */
  @Named("overlay/transfer-leadership")
  record TransferLeadership(ZoneState state) implements MembershipMessage {
    @Override
    public long epoch() {
      return state.zone().epoch();
    }
  }

  /** From a member to the zone's leader: the member leaves the zone. */
  @Named("overlay/leave")
  record Leave(ZoneId zone) implements MembershipMessage {
    @Override
    public long epoch() {
      return zone.epoch();
    }
  }

  /**
   * Corrects a peer that assumes a wrong leader of a zone, or a wrong membership in it.
   *
   * @param leader the zone's leader; absent where the receiver is no member or the sender does not
   *     know the zone
   */
  @Named("overlay/not-leader")
  record NotLeader(ZoneId zone, long version, Optional<PeerId> leader)
      implements MembershipMessage {
    @Override
    public long epoch() {
      return zone.epoch();
    }
  }

  /** From the zone's leader: the receiver no longer holds a replica of this cluster. */
  @Named("overlay/replica-removed")
  record ReplicaRemoved(ClusterId cluster, long version) implements MembershipMessage {
    @Override
    public long epoch() {
      return cluster.zone().epoch();
    }
  }

  /** From a peer to some of its neighbours, once per lease: the root of its hierarchy. */
  @Named("overlay/root-gossip")
  record RootGossip(long epoch, RootId root) implements MembershipMessage {}

  /** From a peer without an overlay to a neighbour: asks for an {@link OverlayContact}. */
  @Named("overlay/find-overlay")
  record FindOverlay(long epoch) implements MembershipMessage {}

  /** Names the sender's overlay and home cluster, whose replicas take a {@link JoinRequest}. */
  @Named("overlay/overlay-contact")
  record OverlayContact(
      long epoch, RootId root, int signatureEntries, ClusterReplica.ClusterPointer homeCluster)
      implements MembershipMessage {}

  /** A joining peer, with all that a zone leader needs to admit it. */
  record JoiningPeer(PeerId peer, Signature signature, double capacity, Bytes proof) {}

  /**
   * Finds a zone for a joining peer: ascends to the root, then descends along the most similar
   * prototypes.
   *
   * @param fullZones zones that had no room
   * @param division whether all zones are full: the zone that the request reaches divides
   */
  @Named("overlay/join-request")
  @Buildable
  record JoinRequest(
      JoiningPeer joiner,
      ClusterId cluster,
      boolean ascending,
      List<ZoneId> fullZones,
      boolean division)
      implements MembershipMessage, ProofMessage {
    public JoinRequest {
      fullZones = List.copyOf(fullZones);
    }

    @Override
    public PeerId prover(PeerId sender) {
      return joiner.peer();
    }

    @Override
    public long epoch() {
      return cluster.zone().epoch();
    }
  }

  /**
   * From a replica of the cluster to the zone's leader: the leader should admit this peer.
   *
   * @param division whether a full zone divides, because all zones are full
   */
  @Named("overlay/join-forward")
  record JoinForward(JoiningPeer joiner, ClusterId cluster, boolean division)
      implements MembershipMessage, ProofMessage {
    @Override
    public PeerId prover(PeerId sender) {
      return joiner.peer();
    }

    @Override
    public long epoch() {
      return cluster.zone().epoch();
    }
  }

  /**
   * From the leader of a divided zone to the leader of its new part: the receiver leads that part.
   *
   * @param from the divided zone
   */
  @Named("overlay/divide-zone")
  record DivideZone(ZoneId from, ZoneState part) implements MembershipMessage {
    @Override
    public long epoch() {
      return from.epoch();
    }
  }

  /**
   * From the leader of a divided zone to a member that moves: its zone, cluster and leader now.
   *
   * @param from the divided zone
   * @param version version of the new zone
   */
  @Named("overlay/member-moved")
  record MemberMoved(ZoneId from, ClusterReplica.ClusterPointer home, long version)
      implements MembershipMessage {
    @Override
    public long epoch() {
      return from.epoch();
    }
  }

  /** From a member to the leader of its lowest zone: the member's signature has drifted. */
  @Named("overlay/signature-changed")
  record SignatureChanged(ZoneId zone) implements MembershipMessage {
    @Override
    public long epoch() {
      return zone.epoch();
    }
  }

  /** The zone has no room for the joining peer, or for the clusters of a child zone. */
  @Named("overlay/zone-full")
  record ZoneFull(ZoneId zone) implements MembershipMessage {
    @Override
    public long epoch() {
      return zone.epoch();
    }
  }
}
