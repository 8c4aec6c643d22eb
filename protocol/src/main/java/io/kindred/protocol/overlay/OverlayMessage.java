package io.kindred.protocol.overlay;

import io.kindred.core.Message;
import io.kindred.core.PeerId;
import io.kindred.core.settings.Named;
import io.kindred.core.weights.Bytes;
import io.kindred.protocol.clusters.ClusterDescriptor;
import io.kindred.protocol.clusters.ClusterId;
import io.kindred.protocol.clusters.ZoneId;
import io.kindred.protocol.signatures.QuantileSketch;
import io.kindred.protocol.signatures.Signature;
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
  sealed interface OfLevel extends OverlayMessage {
    int level();
  }

  /** A message that keeps alive what was built. */
  sealed interface OfLife extends OverlayMessage permits LifeMessage {}

  /** "This peer drew this score"; whoever hears it passes it on while hops are left. */
  @Named("overlay/score")
  record ScoreOffer(long epoch, int level, PeerId peer, Bytes proof, int hopsLeft)
      implements OfLevel {
    public ScoreOffer {
      ZoneId.requireLevel(level);
    }
  }

  /** "Join my zone, unless you are in one." */
  @Named("overlay/probe")
  record Probe(ZoneId zone, Bytes proof, int distance, int hopsLeft) implements OfLevel {
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
  record Border(Adjacent zone) implements OfLevel {
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
  record Register(ZoneId zone, double capacity, Bytes proof, int distance) implements OfLevel {
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
  record Neighbor(ZoneId zone, List<Adjacent> adjacent) implements OfLevel {
    public Neighbor {
      adjacent = List.copyOf(adjacent);
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
  record Join(ZoneId zone, double capacity, Bytes proof) implements OfLevel {
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
  record Admission(ZoneId zone, boolean welcome) implements OfLevel {
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
  record HandOver(Adjacent from, ZoneId registered, List<Member> members) implements OfLevel {
    public HandOver {
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
  record Accepted(ZoneId from) implements OfLevel {
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
  record Adopted(ZoneId from, Adjacent to) implements OfLevel {
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
  record Moved(ZoneId from, Adjacent to) implements OverlayMessage {
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
  record SignatureReply(ZoneId zone, Signature signature, int least) implements OverlayMessage {
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
  record Contribution(
      ZoneId zone, ZoneId of, long stamp, List<ClusterDescriptor> clusters, QuantileSketch least)
      implements OverlayMessage {
    public Contribution {
      clusters = List.copyOf(clusters);
      if (zone.level() < 2
          || clusters.stream().anyMatch(each -> each.zone().level() != zone.level() - 1)) {
        throw new IllegalArgumentException("clusters for " + zone + " that are not just below");
      }
    }

    Contribution with(List<ClusterDescriptor> others) {
      return new Contribution(zone, of, stamp, others, least);
    }

    @Override
    public long epoch() {
      return zone.epoch();
    }
  }

  /** "You hold this cluster": its peers on the lowest level, the clusters in it on others. */
  @Named("overlay/appointment")
  record Appointment(
      ClusterDescriptor cluster, List<PeerId> members, List<ClusterDescriptor> children, long stamp)
      implements OverlayMessage {
    public Appointment {
      members = List.copyOf(members);
      children = List.copyOf(children);
      int level = cluster.zone().level();
      if (children.stream().anyMatch(each -> each.zone().level() >= level)) {
        throw new IllegalArgumentException("who goes down from " + cluster.id() + " never arrives");
      }
    }

    @Override
    public long epoch() {
      return cluster.zone().epoch();
    }
  }

  /** "You belong to this cluster, which these hold." */
  @Named("overlay/placement")
  record Placement(ClusterId cluster, List<PeerId> replicas) implements OverlayMessage {
    public Placement {
      replicas = Seat.holders(replicas);
    }

    @Override
    public long epoch() {
      return cluster.zone().epoch();
    }
  }

  /** "The cluster you hold belongs to that one." */
  @Named("overlay/parent")
  record Parent(ClusterId child, ClusterId parent, List<PeerId> replicas, long stamp)
      implements OverlayMessage {
    public Parent {
      replicas = Seat.holders(replicas);
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
  record Roots(ClusterId root, List<ClusterDescriptor> clusters, long stamp)
      implements OverlayMessage {
    public Roots {
      clusters = List.copyOf(clusters);
    }

    @Override
    public long epoch() {
      return root.zone().epoch();
    }
  }

  /** The same without descriptors: the others tell theirs themselves. */
  @Named("overlay/root-call")
  record RootCall(ClusterId root, List<List<PeerId>> replicas) implements OverlayMessage {
    public RootCall {
      replicas = List.copyOf(replicas);
    }

    @Override
    public long epoch() {
      return root.zone().epoch();
    }
  }

  @Named("overlay/root-descriptor")
  record RootDescriptor(ClusterDescriptor cluster) implements OverlayMessage {
    @Override
    public long epoch() {
      return cluster.zone().epoch();
    }
  }

  /**
   * "All is built; signatures have so many entries": from the top down to every peer.
   *
   * @param top which hierarchy it is
   * @param at the cluster that the receiver holds; absent for its peers
   */
  @Named("overlay/agreed")
  record Agreed(long epoch, int entries, Crown top, Optional<ClusterId> at)
      implements OverlayMessage {}
}
