package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.core.weights.Digest;
import io.kindred.protocol.clusters.ZoneId;
import io.kindred.protocol.election.Epoch;
import io.kindred.protocol.search.Threshold;
import io.kindred.protocol.signatures.Signature;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** All that a peer's overlay remembers. */
public record OverlayState(SortedMap<Long, Era> eras, Own own, Desk desk, Standing standing) {
  static final OverlayState EMPTY =
      new OverlayState(
          new TreeMap<>(),
          new Own(Optional.empty(), 0, Optional.empty(), Optional.empty(), Optional.empty(), 0, 0),
          Desk.empty(0),
          Standing.NEW);

  private static final Epoch NOTHING = Epoch.zero(Digest.of(new byte[0]));

  /**
   * Its signature, and its threshold with what the last search let through.
   *
   * @param asked the zone that waits for the signature
   * @param given the one that its place was found with
   */
  record Own(
      Optional<Signature> signature,
      int least,
      Optional<ZoneId> asked,
      Optional<Signature> given,
      Optional<Threshold> threshold,
      long passed,
      long scored) {
    /** The signature was given away. */
    Own placed() {
      return new Own(signature, least, Optional.empty(), signature, threshold, passed, scored);
    }

    Own askedBy(ZoneId zone) {
      return new Own(signature, least, Optional.of(zone), given, threshold, passed, scored);
    }
  }

  /**
   * Queries that it asked or helps to answer; {@code waiting} are those that came before it knew
   * where they go, {@code seen} the last that it compared for or passed on, {@code led} the last
   * that it led to their end.
   */
  record Desk(
      SortedMap<QueryId, Asked> asked,
      SortedMap<QueryId, Entry> entries,
      SortedMap<Descent.Key, Descent> descents,
      List<SearchMessage.Rising> waiting,
      List<Descent.Seen> seen,
      List<QueryId> led,
      long nextAlarm) {
    /** How many of the last queries a super-peer knows again, on a level. */
    private static final int MOST_KNOWN = 256;

    static Desk empty(long nextAlarm) {
      return new Desk(
          new TreeMap<>(),
          new TreeMap<>(),
          new TreeMap<>(),
          List.of(),
          List.of(),
          List.of(),
          nextAlarm);
    }

    Desk asking(SortedMap<QueryId, Asked> next) {
      return new Desk(next, entries, descents, waiting, seen, led, nextAlarm);
    }

    Desk leading(SortedMap<QueryId, Entry> next) {
      return new Desk(asked, next, descents, waiting, seen, led, nextAlarm);
    }

    /** A query is at its end. */
    Desk finishing(QueryId id) {
      List<QueryId> more = Rows.last(MOST_KNOWN, Rows.with(led, id));
      return new Desk(asked, Rows.without(entries, id), descents, waiting, seen, more, nextAlarm);
    }

    /** Whether it leads a query, or did. */
    boolean knows(QueryId id) {
      return entries.containsKey(id) || led.contains(id);
    }

    Desk descending(SortedMap<Descent.Key, Descent> next) {
      return new Desk(asked, entries, next, waiting, seen, led, nextAlarm);
    }

    Desk keeping(List<SearchMessage.Rising> next) {
      return new Desk(asked, entries, descents, next, seen, led, nextAlarm);
    }

    /**
     * A query was taken on. Levels are counted apart: what is passed on crowds out nothing else.
     */
    Desk seeing(Descent.Seen now) {
      List<Descent.Seen> more = new ArrayList<>();
      List<Descent.Seen> here = new ArrayList<>();
      for (Descent.Seen each : seen) {
        if (!each.isOf(now.key(), now.from())) {
          (each.key().at().level() == now.key().at().level() ? here : more).add(each);
        }
      }
      more.addAll(Rows.last(MOST_KNOWN, Rows.with(here, now)));
      return new Desk(asked, entries, descents, waiting, List.copyOf(more), led, nextAlarm);
    }

    Desk alarmed(long next) {
      return new Desk(asked, entries, descents, waiting, seen, led, next);
    }
  }

  /**
   * A query of its own.
   *
   * @param sent whether it went out; without a place in the overlay there is nobody to send it to
   */
  record Asked(SearchMessage.Sought sought, Optional<Double> threshold, boolean sent, long since) {}

  /**
   * How it stands to the network.
   *
   * @param neighbours whom it can speak to without knowing anything else
   * @param beats signs of life that it has given
   * @param seeking since when it looks for a place in an overlay that others have built; negative
   *     where it does not
   * @param full zones that had no room for it
   * @param doubt whether there may be another hierarchy than its own
   * @param leaving whether it was asked to go
   */
  record Standing(
      List<PeerId> neighbours,
      long beats,
      long seeking,
      List<ZoneId> full,
      Optional<Doubt> doubt,
      boolean leaving) {
    /** That what it takes for the top is not what others do: since when, and when last. */
    record Doubt(Crown own, long since, long last) {}

    static final Standing NEW = new Standing(List.of(), 0, -1, List.of(), Optional.empty(), false);

    Standing with(List<PeerId> others) {
      return new Standing(others, beats, seeking, full, doubt, leaving);
    }

    Standing beaten() {
      return new Standing(neighbours, beats + 1, seeking, full, doubt, leaving);
    }

    Standing seeks(long since, List<ZoneId> refused) {
      return new Standing(neighbours, beats, since, refused, doubt, leaving);
    }

    Standing doubts(Optional<Doubt> other) {
      return new Standing(neighbours, beats, seeking, full, other, leaving);
    }

    Standing leaves() {
      return new Standing(neighbours, beats, seeking, full, doubt, true);
    }
  }

  /** The newest overlay that is built, or the newest of all. */
  public Optional<Era> era() {
    Optional<Era> newest = Optional.empty();
    for (Era each : eras.values()) {
      if (newest.isEmpty() || each.settled() || !newest.get().settled()) {
        newest = Optional.of(each);
      }
    }
    return newest;
  }

  /** Where the peer stands in it. */
  public Era.Place place() {
    return era().map(Era::place).orElseGet(() -> Era.blank(NOTHING, 0).place());
  }

  /** The zone that this peer is in, on a level. */
  public Optional<ZoneId> zone(int level) {
    return era()
        .flatMap(
            era -> {
              Tenancy tenancy = era.watch().tenancies().get(level);
              Vertex vertex = era.formation().vertices().get(level);
              return tenancy != null
                  ? Optional.of(tenancy.zone())
                  : vertex == null
                      ? Optional.empty()
                      : vertex.residence().zone().map(Adjacent::zone);
            });
  }

  /** When the oldest of its own queries was asked that has no answer yet. */
  public Optional<Long> oldestQuery() {
    return desk.asked().values().stream().map(Asked::since).min(Comparator.naturalOrder());
  }

  /** Zones that are built and that this peer leads, with who is in them. */
  public SortedMap<ZoneId, List<PeerId>> built() {
    SortedMap<ZoneId, List<PeerId>> built = new TreeMap<>();
    era()
        .ifPresent(
            era ->
                era.watch()
                    .wards()
                    .values()
                    .forEach(ward -> built.put(ward.zone(), List.copyOf(ward.tenants().keySet()))));
    return built;
  }

  /** The zones that this peer leads, one a level at most, with who is in them. */
  public SortedMap<ZoneId, List<PeerId>> led() {
    SortedMap<ZoneId, List<PeerId>> led = new TreeMap<>();
    era()
        .ifPresent(
            era -> {
              era.formation().leads().values().stream()
                  .filter(lead -> !lead.built() && !era.settled())
                  .forEach(lead -> led.put(lead.id(), List.copyOf(lead.members().keySet())));
            });
    led.putAll(built());
    return led;
  }
}
