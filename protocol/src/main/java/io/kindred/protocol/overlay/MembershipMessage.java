package io.kindred.protocol.overlay;

import io.kindred.core.config.Named;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Bytes;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.signature.Signature;
import java.util.List;
import java.util.Optional;

/** What overlays say to each other to keep alive what was built (SemanticDFL, section 3.7). */
public sealed interface MembershipMessage extends OverlayMessage.MembershipFamily {
  /**
   * "I am there", from a tenant to its zone's leader.
   *
   * @param version of what it leads itself; zero on the lowest level
   */
  @Named("overlay/beat")
  record Heartbeat(ZoneId zone, long version) implements MembershipMessage {
    @Override
    public long epoch() {
      return zone.epoch();
    }
  }

  /**
   * "I lead this zone, and these would after me", from its leader to a tenant: the lease is
   * renewed.
   *
   * @param homeCluster the tenant's cluster, on the lowest level
   * @param knownVersion stamp of the newest that it contributed, above that
   * @param root which hierarchy it is, as far as the leader knows
   * @param rootHeartbeat the newest sign of life from there
   */
  @Named("overlay/renewal")
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

  /** "This is what you need to know to lead after me", to deputies. */
  @Named("overlay/copy")
  record ReplicateZone(ZoneState state) implements MembershipMessage {
    public ZoneId zone() {
      return state.zone();
    }

    @Override
    public long epoch() {
      return state.zone().epoch();
    }
  }

  /** "I go; lead it from now on." */
  @Named("overlay/resignation")
  record TransferLeadership(ZoneState state) implements MembershipMessage {
    @Override
    public long epoch() {
      return state.zone().epoch();
    }
  }

  /** "I go", to the leader of the zone. */
  @Named("overlay/farewell")
  record Leave(ZoneId zone) implements MembershipMessage {
    @Override
    public long epoch() {
      return zone.epoch();
    }
  }

  /**
   * "You do not lead this zone, or are not in it."
   *
   * @param leader who leads it; absent where the receiver is not in it
   */
  @Named("overlay/deposed")
  record NotLeader(ZoneId zone, long version, Optional<PeerId> leader)
      implements MembershipMessage {
    @Override
    public long epoch() {
      return zone.epoch();
    }
  }

  /** "You no longer hold this cluster." */
  @Named("overlay/dismissal")
  record ReplicaRemoved(ClusterId cluster, long version) implements MembershipMessage {
    @Override
    public long epoch() {
      return cluster.zone().epoch();
    }
  }

  /** "This is the overlay I am in", now and then between neighbours. */
  @Named("overlay/hail")
  record RootGossip(long epoch, RootId root) implements MembershipMessage {}

  /** "I am in none. Who is?" */
  @Named("overlay/lost")
  record FindOverlay(long epoch) implements MembershipMessage {}

  /** "I am; ask those who hold my cluster for a place." */
  @Named("overlay/shelter")
  record OverlayContact(
      long epoch, RootId root, int signatureEntries, ClusterReplica.ClusterPointer homeCluster)
      implements MembershipMessage {}

  /** A peer that looks for a place, with all that a zone has to know of it. */
  record JoiningPeer(PeerId peer, Signature signature, double capacity, Bytes proof) {}

  /**
   * "Where do I belong?" Upward to the top, then down along the most similar prototypes.
   *
   * @param fullZones zones that had no room
   */
  @Named("overlay/attach")
  record JoinRequest(
      JoiningPeer joiner, ClusterId cluster, boolean ascending, List<ZoneId> fullZones)
      implements MembershipMessage {
    public JoinRequest {
      fullZones = List.copyOf(fullZones);
    }

    @Override
    public long epoch() {
      return cluster.zone().epoch();
    }
  }

  /** "This peer belongs to that cluster of yours", from who holds it to who leads its zone. */
  @Named("overlay/admit")
  record JoinForward(JoiningPeer joiner, ClusterId cluster) implements MembershipMessage {
    @Override
    public long epoch() {
      return cluster.zone().epoch();
    }
  }

  /** "My model is no longer what you knew", to the leader of the lowest zone. */
  @Named("overlay/drifted")
  record SignatureChanged(ZoneId zone) implements MembershipMessage {
    @Override
    public long epoch() {
      return zone.epoch();
    }
  }

  /** "My zone has no room." */
  @Named("overlay/full")
  record ZoneFull(ZoneId zone) implements MembershipMessage {
    @Override
    public long epoch() {
      return zone.epoch();
    }
  }
}
