package io.kindred.lab.run;

import io.kindred.core.PeerId;
import io.kindred.lab.report.OverlayTree;
import io.kindred.protocol.clusters.ClusterDescriptor;
import io.kindred.protocol.clusters.ClusterId;
import io.kindred.protocol.overlay.OverlayState;
import io.kindred.protocol.overlay.Seat;
import io.kindred.simulator.Everybody;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The overlay's clusters put together from what their super-peers hold. */
public final class Hierarchy {
  private Hierarchy() {}

  /** Every cluster that somebody holds, as the newest of its holders knows it. */
  public static SortedMap<ClusterId, Seat> seats(Collection<OverlayState> states) {
    SortedMap<ClusterId, Seat> seats = new TreeMap<>();
    for (OverlayState state : states) {
      state.place().seats().forEach((id, seat) -> seats.merge(id, seat, Hierarchy::newer));
    }
    return seats;
  }

  private static Seat newer(Seat one, Seat other) {
    return other.stamps().own() > one.stamps().own() ? other : one;
  }

  static List<OverlayState> states(Everybody everybody) {
    return everybody.present().stream()
        .flatMap(peer -> everybody.state(peer).layers().stream())
        .filter(OverlayState.class::isInstance)
        .map(OverlayState.class::cast)
        .toList();
  }

  /** From the clusters without a parent down. */
  public static OverlayTree tree(SortedMap<ClusterId, Seat> seats) {
    return new OverlayTree(
        seats.values().stream()
            .filter(seat -> seat.parent().isEmpty())
            .map(root -> cluster(root, seats))
            .toList());
  }

  private static OverlayTree.Cluster cluster(Seat seat, SortedMap<ClusterId, Seat> seats) {
    List<OverlayTree.Cluster> below = new ArrayList<>();
    for (ClusterDescriptor child : seat.children()) {
      Seat held = seats.get(child.id());
      if (held != null) {
        below.add(cluster(held, seats));
      }
    }
    ClusterDescriptor own = seat.cluster();
    return new OverlayTree.Cluster(
        own.id().level(),
        own.zone().initiator().number(),
        own.cluster(),
        own.size(),
        numbers(own.replicas()),
        below,
        numbers(seat.members()));
  }

  private static List<Long> numbers(List<PeerId> peers) {
    return peers.stream().map(PeerId::number).toList();
  }
}
