package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.protocol.clusters.ClusterDescriptor;
import io.kindred.protocol.clusters.ZoneId;
import io.kindred.protocol.overlay.LifeMessage.Admit;
import io.kindred.protocol.overlay.LifeMessage.Attach;
import io.kindred.protocol.overlay.LifeMessage.Full;
import io.kindred.protocol.overlay.LifeMessage.Lost;
import io.kindred.protocol.overlay.LifeMessage.Newcomer;
import io.kindred.protocol.overlay.LifeMessage.Shelter;
import io.kindred.protocol.overlay.OverlayState.Standing;
import io.kindred.protocol.overlay.SearchMessage.Branch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a peer without a place finds one (SemanticDFL, section 3.7): a neighbour names those who hold
 * its cluster; from there the request rises to the top and goes down to the most similar child on
 * every level, and the zone that it reaches takes the newcomer if it has room. Else it is tried
 * elsewhere. Where nobody has room, or nobody has an overlay, the next epoch begins.
 */
final class Newcomers {
  /** Leases after which a peer that finds no place begins another epoch. */
  private static final int PATIENCE_LEASES = 8;

  private static final int MOST_FULL = 64;

  private final Turn turn;

  Newcomers(Turn turn) {
    this.turn = turn;
  }

  /** Has lost its zone, or was away. */
  void lose() {
    turn.count("overlay-lost");
    new Lives(turn).moveOut();
    turn.standing = turn.standing.seeks(turn.tick, List.of());
  }

  void seek() {
    Standing standing = turn.standing;
    if (standing.seeking() < 0) {
      turn.standing = standing.seeks(turn.tick, List.of());
    } else if (turn.tick - standing.seeking()
        > PATIENCE_LEASES * turn.settings.life().leaseTicks()) {
      turn.count("overlay-despaired");
      new Lives(turn).beginEpoch(turn.newest() + 1);
      return;
    }
    List<PeerId> neighbours = standing.neighbours();
    if (!neighbours.isEmpty() && turn.own.signature().isPresent()) {
      PeerId next = neighbours.get((int) (standing.beats() % neighbours.size()));
      turn.send(next, new Lost(turn.newest()));
    }
  }

  /** Tells somebody without a place where to ask. */
  void shelter(PeerId from) {
    if (!turn.knows(turn.newest()) || turn.standing.leaving()) {
      return;
    }
    turn.enter(turn.newest());
    Optional<Crown> top = turn.watch().top();
    if (turn.era().settled() && top.isPresent()) {
      turn.send(
          from,
          new Shelter(
              turn.epoch(),
              top.get(),
              turn.era().place().entries().orElseThrow(),
              turn.home().orElseThrow()));
    }
  }

  void sheltered(Shelter shelter) {
    if (shelter.epoch() < turn.newest() || turn.own.signature().isEmpty()) {
      return;
    }
    if (turn.knows(shelter.epoch())) {
      turn.enter(shelter.epoch());
      if (turn.era().settled()) {
        return;
      }
    } else if (!turn.canFollow(shelter.epoch())) {
      turn.count("overlay-other-epoch");
      return;
    }
    // An overlay that others have built in the meantime: there is nobody left to build one with.
    turn.begin(shelter.epoch(), false);
    turn.agree(shelter.entries());
    turn.crown(shelter.top());
    turn.pulse(1);
    Standing standing = turn.standing;
    turn.standing =
        standing.seeks(standing.seeking() < 0 ? turn.tick : standing.seeking(), standing.full());
    Seat.Pointer home = shelter.home();
    turn.send(
        home.replicas().get((int) (standing.beats() % home.replicas().size())),
        new Attach(introduced(), home.cluster(), true, standing.full()));
  }

  /** With the signature that it will be placed by. */
  private Newcomer introduced() {
    turn.own = turn.own.placed();
    return new Newcomer(
        turn.self(),
        turn.own.signature().orElseThrow(),
        turn.context.capacity(),
        turn.lot().proof());
  }

  /** The last peer of its zone looks for another one. */
  void seekCompany(Ward ward) {
    Optional<Seat.Pointer> home = turn.home();
    if (home.isEmpty() || turn.own.signature().isEmpty()) {
      return;
    }
    Standing standing = turn.standing;
    List<ZoneId> full =
        standing.full().contains(ward.zone())
            ? standing.full()
            : Rows.with(standing.full(), ward.zone());
    turn.standing = standing.seeks(turn.tick, full);
    turn.send(turn.self(), new Attach(introduced(), home.get().cluster(), true, full));
  }

  void attach(Attach attach) {
    Seat seat = turn.seat(attach.at());
    if (seat == null) {
      turn.count("overlay-no-such-seat");
      return;
    }
    if (attach.rising() && seat.parent().isPresent()) {
      Seat.Pointer parent = seat.parent().get();
      pass(attach, parent, true);
    } else if (attach.rising()) {
      List<ClusterDescriptor> roots =
          seat.roots().isEmpty() ? List.of(seat.cluster()) : List.copyOf(seat.roots().values());
      descend(attach, seat, roots);
    } else if (attach.at().level() > 1) {
      descend(attach, seat, seat.children());
    } else {
      new Lives(turn)
          .leaderOf(attach.at().zone())
          .ifPresent(leader -> turn.send(leader, new Admit(attach.who(), attach.at())));
    }
  }

  private void descend(Attach attach, Seat seat, List<ClusterDescriptor> children) {
    List<ClusterDescriptor> open =
        children.stream().filter(each -> !attach.full().contains(each.zone())).toList();
    List<Branch> sorted = Queries.scored(turn, attach.who().signature(), open);
    if (sorted.isEmpty()) {
      turn.send(attach.who().peer(), new Full(seat.cluster().zone()));
      return;
    }
    Branch best = sorted.getFirst();
    pass(attach, new Seat.Pointer(best.cluster(), best.replicas()), false);
  }

  private void pass(Attach attach, Seat.Pointer to, boolean rising) {
    List<PeerId> replicas = to.replicas();
    PeerId next =
        replicas.contains(turn.self())
            ? turn.self()
            : replicas.get(
                (int)
                    Math.floorMod(
                        attach.who().peer().number() + turn.tick, (long) replicas.size()));
    turn.send(next, new Attach(attach.who(), to.cluster(), rising, attach.full()));
  }

  void full(Full full) {
    Tenancy above = turn.watch().tenancies().get(full.zone().level());
    if (full.zone().level() > 1 && above != null && above.zone().equals(full.zone())) {
      // A whole zone that the one above does not take.
      new Lives(turn).despair();
      return;
    }
    Standing standing = turn.standing;
    if (standing.seeking() < 0 || standing.full().contains(full.zone())) {
      return;
    }
    List<ZoneId> more = new ArrayList<>(standing.full());
    more.add(full.zone());
    turn.standing = standing.seeks(standing.seeking(), more.size() > MOST_FULL ? List.of() : more);
  }
}
