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
   * @param top tells one hierarchy from another
   */
  record Watch(
      SortedMap<Integer, Tenancy> tenancies,
      SortedMap<Integer, Ward> wards,
      SortedMap<Integer, Ward> copies,
      SortedMap<Integer, SortedMap<PeerId, Long>> heard,
      Optional<Crown> top,
      Pulse pulse) {}

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
