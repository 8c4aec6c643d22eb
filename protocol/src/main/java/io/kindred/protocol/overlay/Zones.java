package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.core.weights.Bytes;
import io.kindred.protocol.clusters.ZoneId;
import io.kindred.protocol.election.Score;
import io.kindred.protocol.overlay.OverlayMessage.Admission;
import io.kindred.protocol.overlay.OverlayMessage.Adopted;
import io.kindred.protocol.overlay.OverlayMessage.Border;
import io.kindred.protocol.overlay.OverlayMessage.Join;
import io.kindred.protocol.overlay.OverlayMessage.Neighbor;
import io.kindred.protocol.overlay.OverlayMessage.Probe;
import io.kindred.protocol.overlay.OverlayMessage.Register;
import io.kindred.protocol.overlay.Vertex.Frontier;
import io.kindred.protocol.overlay.Vertex.Phase;
import io.kindred.protocol.overlay.Vertex.Residence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How a peer finds its zone (SemanticDFL, algorithm 3): by the first probe that reaches it; else by
 * asking zones nearby for room; else by starting one. Everybody tells its links where it is, and
 * its initiator, once and in one message, which zones it borders on.
 */
final class Zones {
  static final String UNREACHED = "overlay-unreached";

  private final Turn turn;

  Zones(Turn turn) {
    this.turn = turn;
  }

  void initiate(int level) {
    Score.Drawn drawn = turn.drawn();
    Adjacent zone = new Adjacent(turn.ownZone(level), drawn.score().bits());
    turn.put(turn.vertex(level).with(Residence.in(zone, 0)));
    new Leads(turn).start(zone);
    announce(level, drawn.proof(), Optional.empty(), turn.settings.radius() - 1);
    report(level);
  }

  /** Probes, where hops are left, or just the news, to links and whoever else was heard of. */
  private void announce(int level, Bytes proof, Optional<PeerId> from, int hopsLeft) {
    Vertex vertex = turn.vertex(level);
    Residence residence = vertex.residence();
    Adjacent zone = residence.zone().orElseThrow();
    Probe probe = new Probe(zone.zone(), proof, residence.distance() + 1, hopsLeft);
    SortedSet<PeerId> near = new TreeSet<>(vertex.frontier().zones().keySet());
    near.addAll(neighbours(vertex));
    for (PeerId peer : near) {
      boolean probed =
          hopsLeft >= 0 && vertex.links().contains(peer) && !Optional.of(peer).equals(from);
      turn.send(peer, probed ? probe : new Border(zone));
    }
  }

  /**
   * Links and, above the lowest level, the initiators of all zones that border on the own one. Some
   * of these are no links, for there are at most so many; and as zones below settle one after
   * another, one that is no link may not have spoken yet when all links have. A zone that did not
   * wait for it could call itself the last, and the one that came late made a second top. So those
   * at both ends of a border tell each other where they are, even if neither elects with the other.
   */
  private SortedSet<PeerId> neighbours(Vertex vertex) {
    SortedSet<PeerId> all = new TreeSet<>(vertex.links());
    Lead below = turn.lead(vertex.level() - 1);
    if (below != null) {
      below.adjacent().keySet().forEach(zone -> all.add(zone.initiator()));
    }
    return all;
  }

  void announceTo(int level, PeerId peer) {
    Vertex vertex = turn.vertex(level);
    if (vertex.assigned()) {
      turn.send(peer, new Border(vertex.residence().zone().orElseThrow()));
    }
  }

  void probed(PeerId from, Probe probe) {
    ZoneId zone = probe.zone();
    if (zone.epoch() != turn.epoch()) {
      turn.count("overlay-other-epoch");
      return;
    }
    Optional<Score> score = turn.check(zone.initiator(), probe.proof());
    if (score.isEmpty()) {
      return;
    }
    Adjacent found = new Adjacent(zone, score.get().bits());
    Phase phase = turn.vertex(zone.level()).residence().phase();
    if (phase != Phase.ELECTING && phase != Phase.WAITING) {
      noted(from, found);
      return;
    }
    remember(from, found);
    Vertex vertex = turn.vertex(zone.level());
    turn.put(vertex.with(Residence.in(found, probe.distance())));
    register(zone, probe.distance());
    announce(zone.level(), probe.proof(), Optional.of(from), probe.hopsLeft() - 1);
    report(zone.level());
  }

  private void register(ZoneId zone, int distance) {
    turn.send(
        zone.initiator(),
        new Register(zone, turn.context.capacity(), turn.drawn().proof(), distance));
  }

  void bordered(PeerId from, Border border) {
    noted(from, border.zone());
  }

  /**
   * Who was not told when we found our zone, as it is no neighbour of ours, waits for an answer.
   */
  private void noted(PeerId from, Adjacent zone) {
    int level = zone.zone().level();
    boolean news = remember(from, zone);
    Vertex vertex = turn.vertex(level);
    if (news && vertex.assigned() && !neighbours(vertex).contains(from)) {
      announceTo(level, from);
    }
    report(level);
  }

  private boolean remember(PeerId from, Adjacent zone) {
    Vertex vertex = turn.vertex(zone.zone().level());
    Frontier frontier = vertex.frontier();
    boolean news = !frontier.zones().containsKey(from);
    turn.put(
        vertex.with(new Frontier(Rows.with(frontier.zones(), from, zone), frontier.reported())));
    return news;
  }

  /** Tells the initiator which zones are near, once all links are settled; later only new ones. */
  void report(int level) {
    Vertex vertex = turn.vertex(level);
    Frontier frontier = vertex.frontier();
    if (!vertex.assigned()) {
      return;
    }
    // Whoever sent a score is linked to us, even if we are not to it.
    boolean settled =
        frontier.zones().keySet().containsAll(neighbours(vertex))
            && frontier.zones().keySet().containsAll(vertex.ballot().heard());
    if (frontier.reported().isEmpty() && !settled) {
      return;
    }
    ZoneId own = vertex.residence().zone().orElseThrow().zone();
    List<ZoneId> told = new ArrayList<>(frontier.reported().orElse(List.of()));
    SortedMap<ZoneId, Adjacent> fresh = new TreeMap<>();
    for (Adjacent each : frontier.zones().values()) {
      if (!each.zone().equals(own) && !told.contains(each.zone())) {
        fresh.put(each.zone(), each);
      }
    }
    if (frontier.reported().isPresent() && fresh.isEmpty()) {
      return;
    }
    told.addAll(fresh.keySet());
    turn.put(vertex.with(new Frontier(frontier.zones(), Optional.of(List.copyOf(told)))));
    turn.send(own.initiator(), new Neighbor(own, List.copyOf(fresh.values())));
  }

  void unreached(int level) {
    Vertex vertex = turn.vertex(level);
    if (vertex.residence().phase() == Phase.WAITING) {
      seekRoom(level, near(vertex));
    }
  }

  private static List<Adjacent> near(Vertex vertex) {
    return List.copyOf(new TreeSet<>(vertex.frontier().zones().values()));
  }

  /** Asks the given zones one after another. */
  void seekRoom(int level, List<Adjacent> candidates) {
    Vertex vertex = turn.vertex(level);
    turn.put(
        vertex.with(
            new Residence(Phase.JOINING, vertex.residence().zone(), 0, List.copyOf(candidates))));
    if (!candidates.isEmpty()) {
      ZoneId first = candidates.getFirst().zone();
      turn.send(first.initiator(), new Join(first, turn.context.capacity(), turn.drawn().proof()));
    } else if (turn.lead(level) == null) {
      initiate(level);
    } else {
      new Leads(turn).refused(level);
    }
  }

  void admitted(Admission admission) {
    int level = admission.zone().level();
    Vertex vertex = turn.vertex(level);
    Residence residence = vertex.residence();
    if (residence.phase() == Phase.JOINING) {
      List<Adjacent> candidates = residence.candidates();
      if (candidates.isEmpty() || !candidates.getFirst().zone().equals(admission.zone())) {
        return;
      }
      if (admission.welcome()) {
        moveInto(level, candidates.getFirst());
      } else {
        seekRoom(level, candidates.subList(1, candidates.size()));
      }
    } else if (!admission.welcome() && vertex.isIn(admission.zone())) {
      // It had registered too late.
      turn.put(vertex.with(new Frontier(vertex.frontier().zones(), Optional.empty())));
      seekRoom(
          level,
          near(vertex).stream().filter(each -> !each.zone().equals(admission.zone())).toList());
    }
  }

  private void moveInto(int level, Adjacent zone) {
    Vertex vertex = turn.vertex(level);
    turn.put(
        vertex
            .with(Residence.in(zone, turn.settings.radius() + 1))
            .with(new Frontier(vertex.frontier().zones(), Optional.empty())));
    new Leads(turn).gaveUp(level, zone);
    announce(level, turn.drawn().proof(), Optional.empty(), -1);
    report(level);
  }

  void adopted(Adopted adopted) {
    Vertex vertex = turn.vertex(adopted.level());
    if (!vertex.isIn(adopted.from())) {
      turn.count("overlay-adopted-elsewhere");
      return;
    }
    resettle(vertex, adopted.to(), vertex.residence().distance());
  }

  /** The zone was split: the new initiator has to be told everything anew. */
  void resettle(Vertex vertex, Adjacent zone, int distance) {
    turn.put(
        vertex
            .with(Residence.in(zone, distance))
            .with(new Frontier(vertex.frontier().zones(), Optional.empty())));
    report(vertex.level());
  }
}
