package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.protocol.clusters.ClusterId;
import io.kindred.protocol.election.Epoch;
import io.kindred.protocol.election.Score;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An overlay of one epoch, as a peer knows it. While the next is built the one before still
 * answers, so a peer may have two.
 *
 * @param before the epoch whose seed its scores follow from
 * @param since when it began for this peer
 */
public record Era(Epoch before, long since, Formation formation, Place place, Watch watch) {
  /** How zones form: by level. {@code moved} names where a zone went that is no more. */
  record Formation(
      Optional<Score.Drawn> drawn,
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
   * How it is kept alive: by level.
   *
   * @param tenancies zones that this peer is in
   * @param wards zones that it leads
   * @param copies zones that it would lead after others
   * @param heard when it last heard of the tenants of a zone that it leads
   * @param regroup how far the lowest zone that it leads is with being clustered again
   * @param top tells one hierarchy from another
   */
  record Watch(
      SortedMap<Integer, Tenancy> tenancies,
      SortedMap<Integer, Ward> wards,
      SortedMap<Integer, Ward> copies,
      SortedMap<Integer, SortedMap<PeerId, Long>> heard,
      Optional<Regroup> regroup,
      Optional<Crown> top,
      Pulse pulse) {
    Watch with(Tenancy next) {
      return new Watch(
          Rows.with(tenancies, next.level(), next), wards, copies, heard, regroup, top, pulse);
    }

    /** Who leads a zone needs no copy of it. */
    Watch leading(Ward next) {
      return new Watch(
          tenancies,
          Rows.with(wards, next.level(), next),
          Rows.without(copies, next.level()),
          heard,
          regroup,
          top,
          pulse);
    }

    Watch copying(Ward next) {
      return new Watch(
          tenancies, wards, Rows.with(copies, next.level(), next), heard, regroup, top, pulse);
    }

    Watch without(int level) {
      return new Watch(
          Rows.without(tenancies, level),
          Rows.without(wards, level),
          Rows.without(copies, level),
          heard,
          level == 1 ? Optional.empty() : regroup,
          top,
          pulse);
    }

    Watch hearing(int level, SortedMap<PeerId, Long> next) {
      return new Watch(
          tenancies, wards, copies, Rows.with(heard, level, next), regroup, top, pulse);
    }

    Watch regrouping(Optional<Regroup> next) {
      return new Watch(tenancies, wards, copies, heard, next, top, pulse);
    }

    Watch under(Crown next) {
      return new Watch(tenancies, wards, copies, heard, regroup, Optional.of(next), pulse);
    }

    Watch with(Pulse next) {
      return new Watch(tenancies, wards, copies, heard, regroup, top, next);
    }
  }

  /** The newest sign of life from the top, and when it came. */
  record Pulse(long number, long tick) {}

  static Era blank(Epoch before, long since) {
    return new Era(
        before,
        since,
        new Formation(Optional.empty(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>()),
        new Place(new TreeMap<>(), Optional.empty(), Optional.empty(), List.of()),
        new Watch(
            new TreeMap<>(),
            new TreeMap<>(),
            new TreeMap<>(),
            new TreeMap<>(),
            Optional.empty(),
            Optional.empty(),
            new Pulse(0, since)));
  }

  long number() {
    return before.number() + 1;
  }

  /** Whether this peer belongs to a cluster of it and was told that all is built. */
  boolean settled() {
    return place.home().isPresent() && place.entries().isPresent();
  }

  Era with(Formation next) {
    return new Era(before, since, next, place, watch);
  }

  Era with(Place next) {
    return new Era(before, since, formation, next, watch);
  }

  Era with(Watch next) {
    return new Era(before, since, formation, place, next);
  }
}
