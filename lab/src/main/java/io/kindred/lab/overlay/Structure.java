package io.kindred.lab.overlay;

import io.kindred.core.PeerId;
import io.kindred.lab.run.Hierarchy;
import io.kindred.protocol.clusters.ClusterDescriptor;
import io.kindred.protocol.clusters.ClusterId;
import io.kindred.protocol.clusters.ZoneId;
import io.kindred.protocol.overlay.Era;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.OverlayState;
import io.kindred.protocol.overlay.Seat;
import io.kindred.protocol.wire.Wire;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The overlay as nobody in it sees it: put together from what all peers remember. */
public final class Structure {
  private final SortedMap<PeerId, OverlayState> states;
  private final OverlaySettings settings;
  private final Wire wire;
  private final SortedMap<ClusterId, Seat> seats;
  private final SortedMap<ZoneId, List<PeerId>> zones = new TreeMap<>();

  /** Of the peers that are there. */
  Structure(SortedMap<PeerId, OverlayState> states, OverlaySettings settings, Wire wire) {
    this.states = states;
    this.settings = settings;
    this.wire = wire;
    this.seats = Hierarchy.seats(states.values());
    for (OverlayState state : states.values()) {
      state.led().forEach((zone, members) -> zones.merge(zone, members, Structure::longer));
    }
  }

  private static List<PeerId> longer(List<PeerId> one, List<PeerId> other) {
    return other.size() > one.size() ? other : one;
  }

  private Optional<OverlayState> of(PeerId peer) {
    return Optional.ofNullable(states.get(peer));
  }

  /** Who leads whom, on every level. */
  public SortedMap<ZoneId, List<PeerId>> zones() {
    return zones;
  }

  public List<List<PeerId>> zones(int level) {
    return zones.entrySet().stream()
        .filter(each -> each.getKey().level() == level)
        .map(Map.Entry::getValue)
        .toList();
  }

  public SortedMap<ClusterId, Seat> clusters() {
    return seats;
  }

  public List<Seat> clusters(int level) {
    return seats.values().stream().filter(seat -> seat.cluster().id().level() == level).toList();
  }

  /** Levels of clusters; the top ones are on the last. */
  public int depth() {
    return seats.keySet().stream().mapToInt(ClusterId::level).max().orElse(0);
  }

  /** Clusters without a parent. */
  public List<Seat> roots() {
    return seats.values().stream().filter(seat -> seat.parent().isEmpty()).toList();
  }

  /** Bytes of what each peer holds of clusters: descriptors and pointers. */
  public List<Long> stateBytes() {
    return states.values().stream()
        .map(state -> (long) wire.encode(Era.Place.class, state.place()).bytes().length)
        .toList();
  }

  /** Bytes of all that each peer's overlay remembers. */
  public List<Long> memoryBytes() {
    return states.values().stream()
        .map(state -> (long) wire.encode(OverlayState.class, state).bytes().length)
        .toList();
  }

  /** The bound of proposition 3: H S_Z (S_P + r S_D), with the largest of each that there is. */
  public long stateBound() {
    long signature = 0;
    long descriptor = 0;
    for (Seat seat : seats.values()) {
      ClusterDescriptor each = seat.cluster();
      signature = Math.max(signature, each.prototype().bytes());
      descriptor = Math.max(descriptor, wire.encode(ClusterDescriptor.class, each).bytes().length);
    }
    return (long) depth() * settings.zoneSize() * (signature + settings.replicas() * descriptor);
  }

  /** The number of entries that all agreed on, or zero. */
  public int entries() {
    return states.values().stream().findFirst().flatMap(state -> state.place().entries()).orElse(0);
  }

  /** What is wrong with it, in words; nothing if all is well. */
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    checkZones(faults);
    checkHomes(faults);
    checkHolders(faults);
    checkPointers(faults);
    checkTop(faults);
    return faults;
  }

  private void checkZones(List<String> faults) {
    SortedMap<Integer, SortedMap<PeerId, Integer>> memberships = new TreeMap<>();
    zones.forEach(
        (zone, members) -> {
          if (members.size() > settings.zoneSize()) {
            faults.add(zone + " has " + members.size() + " members");
          }
          for (PeerId member : members) {
            memberships
                .computeIfAbsent(zone.level(), level -> new TreeMap<>())
                .merge(member, 1, Integer::sum);
            Optional<ZoneId> own = of(member).flatMap(state -> state.zone(zone.level()));
            if (own.isEmpty() || !own.get().equals(zone)) {
              faults.add(member + " is listed in " + zone + " but says " + own);
            }
          }
        });
    memberships.forEach(
        (level, counts) ->
            counts.forEach(
                (peer, count) -> {
                  if (count != 1) {
                    faults.add(peer + " is in " + count + " zones of level " + level);
                  }
                }));
    int covered = memberships.getOrDefault(1, new TreeMap<>()).size();
    if (covered != states.size()) {
      faults.add(covered + " of " + states.size() + " peers are in a zone");
    }
  }

  private void checkHomes(List<String> faults) {
    for (PeerId peer : states.keySet()) {
      OverlayState state = states.get(peer);
      Optional<Seat.Pointer> home = state.place().home();
      Seat seat = home.map(each -> seats.get(each.cluster())).orElse(null);
      if (home.isEmpty() || seat == null) {
        faults.add(peer + " has no cluster");
      } else if (!seat.members().contains(peer)
          || !seat.cluster().replicas().equals(home.get().replicas())) {
        faults.add(peer + " and its cluster " + home.get() + " disagree");
      }
      if (state.place().entries().isEmpty()) {
        faults.add(peer + " was not told that all is built");
      }
    }
  }

  private void checkHolders(List<String> faults) {
    SortedMap<ZoneId, SortedSet<PeerId>> candidates = new TreeMap<>();
    for (Seat seat : seats.values()) {
      SortedSet<PeerId> below =
          candidates.computeIfAbsent(seat.cluster().zone(), zone -> new TreeSet<>());
      below.addAll(seat.members());
      seat.children().forEach(child -> below.addAll(child.replicas()));
    }
    seats.forEach(
        (id, seat) -> {
          ClusterDescriptor cluster = seat.cluster();
          int possible = candidates.getOrDefault(cluster.zone(), new TreeSet<>()).size();
          if (cluster.replicas().size() != Math.min(settings.replicas(), possible)) {
            faults.add(id + " has replicas " + cluster.replicas() + " of " + possible);
          }
          for (PeerId holder : cluster.replicas()) {
            Seat held = of(holder).map(state -> state.place().seats().get(id)).orElse(null);
            if (held == null || !said(seat).equals(said(held))) {
              faults.add(holder + " holds something else of " + id);
            }
          }
          if (seat.children().size() > settings.fanOut()) {
            faults.add(id + " has " + seat.children().size() + " children");
          }
        });
  }

  /** Without how new it is: that differs where somebody was told twice. */
  private static Seat said(Seat seat) {
    return new Seat(
        seat.cluster(),
        seat.members(),
        seat.children(),
        seat.parent(),
        seat.roots(),
        new Seat.Stamps(0, 0, 0));
  }

  private void checkPointers(List<String> faults) {
    seats.forEach(
        (id, seat) -> {
          if (seat.parent().isPresent()) {
            Seat.Pointer pointer = seat.parent().get();
            Seat parent = seats.get(pointer.cluster());
            if (parent == null
                || parent.children().stream().noneMatch(seat.cluster()::isNearly)
                || !parent.cluster().replicas().equals(pointer.replicas())) {
              faults.add(id + " and its parent " + pointer.cluster() + " disagree");
            }
          }
          for (ClusterDescriptor child : seat.children()) {
            Seat below = seats.get(child.id());
            if (below == null || below.parent().filter(up -> up.cluster().equals(id)).isEmpty()) {
              faults.add(id + " and its child " + child.id() + " disagree");
            }
          }
        });
  }

  private void checkTop(List<String> faults) {
    List<Seat> roots = roots();
    if (roots.isEmpty() || roots.size() >= Math.max(2, settings.zoneSize())) {
      faults.add(roots.size() + " top clusters");
    }
    List<ClusterId> all =
        roots.stream().map(seat -> seat.cluster().id()).sorted(Comparator.naturalOrder()).toList();
    for (Seat root : roots) {
      if (!List.copyOf(root.roots().keySet()).equals(all)) {
        faults.add(root.cluster().id() + " knows top clusters " + root.roots().keySet());
      }
      if (root.cluster().id().level() != depth()) {
        faults.add(root.cluster().id() + " has no parent, but is not at the top");
      }
    }
    int bound = 3 + 2 * (32 - Integer.numberOfLeadingZeros(states.size()));
    if (depth() > bound) {
      faults.add(depth() + " levels");
    }
  }
}
