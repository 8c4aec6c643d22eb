package io.kindred.protocol.overlay.membership;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.ClusterReplica;
import io.kindred.protocol.overlay.MaintenanceSettings;
import io.kindred.protocol.overlay.MembershipMessage;
import io.kindred.protocol.overlay.OverlayMessage;
import io.kindred.protocol.overlay.OverlayMessage.FormationMessage;
import io.kindred.protocol.overlay.OverlayMessage.HomeClusterAssigned;
import io.kindred.protocol.overlay.OverlayMessage.OverlayBuilt;
import io.kindred.protocol.overlay.OverlayMessage.ParentAssigned;
import io.kindred.protocol.overlay.OverlayMessage.ReplicaAssigned;
import io.kindred.protocol.overlay.OverlayMessage.RootClusters;
import io.kindred.protocol.overlay.OverlayMessage.RootDescriptor;
import io.kindred.protocol.overlay.OverlayMessage.RootExchange;
import io.kindred.protocol.overlay.OverlayMessage.SignatureProbe;
import io.kindred.protocol.overlay.OverlayMessage.SplitAccepted;
import io.kindred.protocol.overlay.OverlayMessage.ZoneChanged;
import io.kindred.protocol.overlay.OverlayMessage.ZoneJoinReply;
import io.kindred.protocol.overlay.OverlayMessage.ZoneMerged;
import io.kindred.protocol.overlay.OverlayMessage.ZoneSplit;
import io.kindred.protocol.overlay.StepView;
import io.kindred.protocol.overlay.ZoneLease;
import io.kindred.protocol.overlay.ZoneState;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Whether the sender of a message is in the role that the message needs, as far as the receiving
 * peer can tell. A peer follows the leaders of its own zones, so it knows the leader and the
 * deputies of each; of other zones it knows the initiator. Where it knows nothing of a zone, it
 * believes the sender: the first word of a zone comes from a peer that it cannot know yet.
 */
public final class SenderRoles {
  private final PeerId self;
  private final MembershipState membership;
  private final SortedMap<ClusterId, ClusterReplica> replicas;
  private final MaintenanceSettings maintenance;
  private final long expiry;

  /** Checks messages by what a peer knows in one epoch. */
  public SenderRoles(
      StepView view, MembershipState membership, SortedMap<ClusterId, ClusterReplica> replicas) {
    this.self = view.self();
    this.membership = membership;
    this.replicas = replicas;
    this.maintenance = view.settings().maintenance();
    expiry = view.tick() - maintenance.leaseTicks();
  }

  public boolean accepts(PeerId from, OverlayMessage message) {
    if (from.equals(self)) {
      return true;
    }
    return switch (message) {
      case FormationMessage formation -> acceptsFormation(from, formation);
      case ZoneMerged merged -> from.equals(merged.from().initiator());
      case SignatureProbe probe -> mayLead(from, probe.zone());
      case ReplicaAssigned assigned -> mayLead(from, assigned.descriptor().zone());
      case HomeClusterAssigned assigned -> from.equals(assigned.cluster().zone().initiator());
      case ParentAssigned assigned -> mayLead(from, assigned.parent().zone());
      case RootClusters roots -> mayLeadAbove(from, roots.root().zone());
      case RootExchange exchange -> mayLeadAbove(from, exchange.root().zone());
      case RootDescriptor root -> root.descriptor().replicas().contains(from);
      case OverlayBuilt built -> mayAnnounce(from, built);
      case MembershipMessage membership -> acceptsMembership(from, membership);
      case OverlayMessage.SignatureReply _, OverlayMessage.ClusterReport _ -> true;
    };
  }

  private static boolean acceptsFormation(PeerId from, FormationMessage message) {
    return switch (message) {
      case ZoneJoinReply reply -> from.equals(reply.zone().initiator());
      case ZoneSplit split -> from.equals(split.from().zone().initiator());
      case ZoneChanged changed -> from.equals(changed.to().zone().initiator());
      // Proofs, registrations and the pending split decide about these.
      case OverlayMessage.ScoreOffer _,
          OverlayMessage.Probe _,
          OverlayMessage.Register _,
          OverlayMessage.ZoneJoinRequest _,
          OverlayMessage.ZoneAnnouncement _,
          OverlayMessage.NeighbourReport _,
          SplitAccepted _ ->
          true;
    };
  }

  private boolean acceptsMembership(PeerId from, MembershipMessage message) {
    return switch (message) {
      case MembershipMessage.ReplicateZone replicated -> mayHandOver(from, replicated.zone());
      case MembershipMessage.TransferLeadership transfer ->
          mayHandOver(from, transfer.state().zone());
      case MembershipMessage.ReplicaRemoved removed -> mayLead(from, removed.cluster().zone());
      case MembershipMessage.DivideZone divided -> mayLead(from, divided.from());
      case MembershipMessage.MemberMoved moved -> mayLead(from, moved.from());
      case MembershipMessage.ZoneFull full ->
          full.zone().level() == 1 || mayLead(from, full.zone());
      case MembershipMessage.JoinForward forward -> isMember(from, forward.cluster().zone());
      case MembershipMessage.SignatureChanged changed -> isMember(from, changed.zone());
      // Terms decide between two leaders, and each answers the other. The rest is looked up among
      // the members of a zone, or nothing depends on the sender.
      case MembershipMessage.LeaseRenewal _,
          MembershipMessage.NotLeader _,
          MembershipMessage.Heartbeat _,
          MembershipMessage.Leave _,
          MembershipMessage.JoinRequest _,
          MembershipMessage.RootGossip _,
          MembershipMessage.FindOverlay _,
          MembershipMessage.OverlayContact _ ->
          true;
    };
  }

  /** The lease on a zone, unless it has expired: another peer may lead the zone by now. */
  private Optional<ZoneLease> validLease(int level) {
    return Optional.ofNullable(membership.leases().get(level))
        .filter(lease -> lease.renewedAt() >= expiry);
  }

  /**
   * Whether a peer may lead a zone: its initiator, its leader or a deputy, where that is known.
   * Without maintenance, the initiator leads its zone for good.
   */
  private boolean mayLead(PeerId peer, ZoneId zone) {
    return peer.equals(zone.initiator())
        || (maintenance.enabled()
            && validLease(zone.level())
                .filter(lease -> lease.zone().equals(zone))
                .map(lease -> isLeader(peer, lease))
                .orElse(true));
  }

  private static boolean isLeader(PeerId peer, ZoneLease lease) {
    return peer.equals(lease.leader())
        || lease.deputies().contains(peer)
        || peer.equals(lease.zone().initiator());
  }

  /** Whether a peer may lead the zone above a zone: only the lower one's leader knows that zone. */
  private boolean mayLeadAbove(PeerId peer, ZoneId zone) {
    return validLease(zone.level() + 1).map(lease -> isLeader(peer, lease)).orElse(true);
  }

  /**
   * A zone's state comes from its leader. A zone with one member has the deputies of the zone
   * below, which know its leader as the leader of that one.
   */
  private boolean mayHandOver(PeerId peer, ZoneId zone) {
    boolean member = membership.leases().containsKey(zone.level());
    return mayLead(peer, zone)
        && (member
            || !membership.ledZones().isEmpty()
            || validLease(1).map(lease -> isLeader(peer, lease)).orElse(true));
  }

  /** Whether a peer is a member of a zone that this peer leads. */
  private boolean isMember(PeerId peer, ZoneId zone) {
    ZoneState led = membership.ledZones().get(zone.level());
    return led == null || !led.zone().equals(zone) || led.members().containsKey(peer);
  }

  /** The word that the overlay is built comes from above: to members from their super-peers. */
  private boolean mayAnnounce(PeerId peer, OverlayBuilt built) {
    if (built.cluster().isEmpty()) {
      return membership
          .homeCluster()
          .map(home -> home.replicas().contains(peer) || mayLead(peer, home.cluster().zone()))
          .orElse(true);
    }
    ClusterReplica replica = replicas.get(built.cluster().get());
    return replica == null || replica.parent().map(up -> up.replicas().contains(peer)).orElse(true);
  }
}
