package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.core.settings.Named;
import io.kindred.core.weights.Bytes;
import io.kindred.protocol.clusters.ClusterId;
import io.kindred.protocol.clusters.ZoneId;
import io.kindred.protocol.signatures.Signature;
import java.util.List;
import java.util.Optional;

/** What overlays say to each other to keep alive what was built (SemanticDFL, section 3.7). */
public sealed interface LifeMessage extends OverlayMessage.OfLife {
  /**
   * "I am there", from a tenant to its zone's leader.
   *
   * @param stamp of what it leads itself; zero on the lowest level
   */
  @Named("overlay/beat")
  record Beat(ZoneId zone, long stamp) implements LifeMessage {
    @Override
    public long epoch() {
      return zone.epoch();
    }
  }

  /**
   * "I lead this zone, and these would after me", from its leader to a tenant: the lease is
   * renewed.
   *
   * @param home the tenant's cluster, on the lowest level
   * @param known stamp of the newest that it contributed, above that
   * @param top which hierarchy it is, as far as the leader knows
   * @param pulse the newest sign of life from there
   */
  @Named("overlay/renewal")
  record Renewal(
      ZoneId zone,
      long stamp,
      List<PeerId> deputies,
      Optional<Seat.Pointer> home,
      long known,
      Optional<Crown> top,
      long pulse)
      implements LifeMessage {
    public Renewal {
      deputies = List.copyOf(deputies);
    }

    @Override
    public long epoch() {
      return zone.epoch();
    }
  }

  /** "This is what you need to know to lead after me", to deputies. */
  @Named("overlay/copy")
  record Copy(Ward ward) implements LifeMessage {
    public ZoneId zone() {
      return ward.zone();
    }

    @Override
    public long epoch() {
      return ward.zone().epoch();
    }
  }

  /** "I go; lead it from now on." */
  @Named("overlay/resignation")
  record Resignation(Ward ward) implements LifeMessage {
    @Override
    public long epoch() {
      return ward.zone().epoch();
    }
  }

  /** "I go", to the leader of the zone. */
  @Named("overlay/farewell")
  record Farewell(ZoneId zone) implements LifeMessage {
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
  record Deposed(ZoneId zone, long stamp, Optional<PeerId> leader) implements LifeMessage {
    @Override
    public long epoch() {
      return zone.epoch();
    }
  }

  /** "You no longer hold this cluster." */
  @Named("overlay/dismissal")
  record Dismissal(ClusterId cluster, long stamp) implements LifeMessage {
    @Override
    public long epoch() {
      return cluster.zone().epoch();
    }
  }

  /** "This is the overlay I am in", now and then between neighbours. */
  @Named("overlay/hail")
  record Hail(long epoch, Crown top) implements LifeMessage {}

  /** "I am in none. Who is?" */
  @Named("overlay/lost")
  record Lost(long epoch) implements LifeMessage {}

  /** "I am; ask those who hold my cluster for a place." */
  @Named("overlay/shelter")
  record Shelter(long epoch, Crown top, int entries, Seat.Pointer home) implements LifeMessage {}

  /** A peer that looks for a place, with all that a zone has to know of it. */
  record Newcomer(PeerId peer, Signature signature, double capacity, Bytes proof) {}

  /**
   * "Where do I belong?" Upward to the top, then down along the most similar prototypes.
   *
   * @param full zones that had no room
   */
  @Named("overlay/attach")
  record Attach(Newcomer who, ClusterId at, boolean rising, List<ZoneId> full)
      implements LifeMessage {
    public Attach {
      full = List.copyOf(full);
    }

    @Override
    public long epoch() {
      return at.zone().epoch();
    }
  }

  /** "This peer belongs to that cluster of yours", from who holds it to who leads its zone. */
  @Named("overlay/admit")
  record Admit(Newcomer who, ClusterId at) implements LifeMessage {
    @Override
    public long epoch() {
      return at.zone().epoch();
    }
  }

  /** "My model is no longer what you knew", to the leader of the lowest zone. */
  @Named("overlay/drifted")
  record Drifted(ZoneId zone) implements LifeMessage {
    @Override
    public long epoch() {
      return zone.epoch();
    }
  }

  /** "My zone has no room." */
  @Named("overlay/full")
  record Full(ZoneId zone) implements LifeMessage {
    @Override
    public long epoch() {
      return zone.epoch();
    }
  }
}
