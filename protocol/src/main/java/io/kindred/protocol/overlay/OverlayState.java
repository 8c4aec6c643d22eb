package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.protocol.clusters.ClusterId;
import io.kindred.protocol.clusters.ZoneId;
import io.kindred.protocol.election.Score;
import io.kindred.protocol.search.Threshold;
import io.kindred.protocol.signatures.Signature;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** All that a peer's overlay remembers. */
public record OverlayState(Formation formation, Place place, Own own, Desk desk) {
  static final OverlayState EMPTY =
      new OverlayState(
          new Formation(
              Optional.empty(), List.of(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>()),
          new Place(new TreeMap<>(), Optional.empty(), Optional.empty(), List.of()),
          new Own(Optional.empty(), 0, Optional.empty(), Optional.empty(), 0, 0),
          new Desk(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), List.of(), List.of(), 0));

  /** How zones form: by level. {@code moved} names where a zone went that is no more. */
  record Formation(
      Optional<Score.Drawn> drawn,
      List<PeerId> neighbours,
      SortedMap<Integer, Vertex> vertices,
      SortedMap<Integer, Lead> leads,
      SortedMap<Integer, Adjacent> moved) {}

  /**
   * Where the peer stands: clusters that it holds, the one that it belongs to. {@code early} is
   * what it was told of clusters before it was told that it holds them.
   */
  public record Place(
      SortedMap<ClusterId, Seat> seats,
      Optional<Seat.Pointer> home,
      Optional<Integer> entries,
      List<OverlayMessage> early) {}

  /**
   * Its signature, the zone that waits for it, and its threshold with what the last search let
   * through.
   */
  record Own(
      Optional<Signature> signature,
      int least,
      Optional<ZoneId> asked,
      Optional<Threshold> threshold,
      long passed,
      long scored) {}

  /**
   * Queries that it asked or helps to answer; {@code waiting} are those that came before it knew
   * where they go, {@code seen} the last that it compared for.
   */
  record Desk(
      SortedMap<QueryId, Asked> asked,
      SortedMap<QueryId, Entry> entries,
      SortedMap<Descent.Key, Descent> descents,
      List<SearchMessage.Rising> waiting,
      List<Descent.Key> seen,
      long nextAlarm) {
    Desk asking(SortedMap<QueryId, Asked> next) {
      return new Desk(next, entries, descents, waiting, seen, nextAlarm);
    }

    Desk leading(SortedMap<QueryId, Entry> next) {
      return new Desk(asked, next, descents, waiting, seen, nextAlarm);
    }

    Desk descending(SortedMap<Descent.Key, Descent> next) {
      return new Desk(asked, entries, next, waiting, seen, nextAlarm);
    }

    Desk keeping(List<SearchMessage.Rising> next) {
      return new Desk(asked, entries, descents, next, seen, nextAlarm);
    }

    Desk seeing(List<Descent.Key> next) {
      return new Desk(asked, entries, descents, waiting, next, nextAlarm);
    }

    Desk alarmed(long next) {
      return new Desk(asked, entries, descents, waiting, seen, next);
    }
  }

  /** A query of its own. */
  record Asked(SearchMessage.Rising query, long since) {}

  /** The zone that this peer is in, on a level. */
  public Optional<Adjacent> zone(int level) {
    Vertex vertex = formation.vertices().get(level);
    return vertex == null ? Optional.empty() : vertex.residence().zone();
  }

  /** The members of the zone that this peer leads on a level; empty where it leads none. */
  public List<PeerId> led(int level) {
    Lead lead = formation.leads().get(level);
    return lead == null ? List.of() : List.copyOf(lead.members().keySet());
  }

  /** The zones that this peer leads, one a level at most. */
  public List<ZoneId> ledZones() {
    return formation.leads().values().stream().map(Lead::id).toList();
  }
}
