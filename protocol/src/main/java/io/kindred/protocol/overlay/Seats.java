package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.protocol.clusters.ClusterDescriptor;
import io.kindred.protocol.clusters.ClusterId;
import io.kindred.protocol.clusters.ZoneId;
import io.kindred.protocol.overlay.OverlayMessage.Agreed;
import io.kindred.protocol.overlay.OverlayMessage.Appointment;
import io.kindred.protocol.overlay.OverlayMessage.Parent;
import io.kindred.protocol.overlay.OverlayMessage.Placement;
import io.kindred.protocol.overlay.OverlayMessage.RootCall;
import io.kindred.protocol.overlay.OverlayMessage.RootDescriptor;
import io.kindred.protocol.overlay.OverlayMessage.Roots;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What a peer is told about its place in the hierarchy. */
final class Seats {
  private static final int MOST_EARLY = 1024;

  private final Turn turn;

  Seats(Turn turn) {
    this.turn = turn;
  }

  /** Long messages are overtaken by short ones: what came before is looked at again. */
  void appointed(PeerId from, Appointment appointment) {
    Seat known = turn.seat(appointment.cluster().id());
    // Two leaders of one term count alike: the one that it follows is right.
    boolean trusted =
        new Lives(turn).leaderOf(appointment.cluster().zone()).filter(from::equals).isPresent();
    if (known != null && known.stamp() > appointment.stamp() && !trusted) {
      turn.count("overlay-outdated");
      return;
    }
    turn.put(Seat.of(appointment, known, turn.tick));
    List<OverlayMessage> early = turn.early();
    turn.early(List.of());
    early.forEach(message -> Overlay.receive(turn, turn.self(), message));
  }

  private void tooEarly(OverlayMessage message) {
    if (turn.early().size() < MOST_EARLY) {
      turn.early(Rows.with(turn.early(), message));
    } else {
      turn.count("overlay-no-such-seat");
    }
  }

  void placed(Placement placement) {
    ZoneId zone = placement.cluster().zone();
    Tenancy known = turn.watch().tenancies().get(1);
    if (known != null && !known.zone().equals(zone)) {
      // Two zones count on it, which lost messages can bring about: the first one has it.
      turn.send(zone.initiator(), new LifeMessage.Farewell(zone));
      return;
    }
    turn.settle(Optional.of(new Seat.Pointer(placement.cluster(), placement.replicas())));
    turn.put(Tenancy.of(zone, turn.tick));
  }

  void parented(Parent parent) {
    change(
        parent,
        parent.child(),
        seat ->
            isOutdated(seat, parent.stamp())
                ? seat
                : seat.below(new Seat.Pointer(parent.parent(), parent.replicas()), parent.stamp()));
  }

  /**
   * While an overlay is built. Later the leader above may be one of an earlier term that was cut
   * off for a while; it repeats itself, so whoever spoke last is right in the end.
   */
  private boolean isOutdated(Seat seat, long stamp) {
    return !turn.settings.life().lives() && seat.stamps().above() > stamp;
  }

  void rooted(Roots roots) {
    change(
        roots,
        roots.root(),
        seat ->
            isOutdated(seat, roots.stamp()) ? seat : seat.among(roots.clusters(), roots.stamp()));
  }

  /** Tells all others of the own cluster, if it is the first to hold it. */
  void called(RootCall call) {
    change(call, call.root(), this::besideKnown);
    List<OverlayMessage> early = turn.early();
    turn.early(early.stream().filter(each -> !(each instanceof RootDescriptor)).toList());
    early.stream()
        .filter(RootDescriptor.class::isInstance)
        .forEach(each -> Overlay.receive(turn, turn.self(), each));
    Seat seat = turn.seat(call.root());
    if (seat == null || !seat.cluster().replicas().getFirst().equals(turn.self())) {
      return;
    }
    RootDescriptor own = new RootDescriptor(seat.cluster());
    call.replicas().stream()
        .flatMap(List::stream)
        .distinct()
        .sorted()
        .forEach(peer -> turn.send(peer, own));
  }

  /** With itself and what other seats at the top have heard of. */
  private Seat besideKnown(Seat seat) {
    Seat crowned = seat.beside(seat.cluster());
    for (Seat other : turn.seats()) {
      for (ClusterDescriptor root : other.roots().values()) {
        crowned = crowned.beside(root);
      }
    }
    return crowned;
  }

  /** Every top cluster that this peer holds gets to know of the other one. */
  void met(RootDescriptor root) {
    ClusterDescriptor other = root.cluster();
    boolean early = true;
    for (Seat seat : turn.seats()) {
      if (seat.roots().containsKey(seat.cluster().id())) {
        turn.put(seat.beside(other));
        early = false;
      }
    }
    if (early) {
      tooEarly(root);
    }
    new Queries(turn).resume();
  }

  private void change(OverlayMessage message, ClusterId cluster, UnaryOperator<Seat> how) {
    Seat seat = turn.seat(cluster);
    if (seat == null) {
      tooEarly(message);
      return;
    }
    turn.put(how.apply(seat));
    new Queries(turn).resume();
  }

  void agreed(Agreed agreed) {
    Optional<ClusterId> at = agreed.at();
    if (at.isEmpty()) {
      // A top that turned out not to be the last says so again when it is.
      turn.crown(agreed.top());
      turn.pulse(1);
      if (turn.agree(agreed.entries())) {
        // Who leads a zone looks after it from now on; what was built long before is as good.
        List.copyOf(turn.watch().tenancies().values())
            .forEach(tenancy -> turn.put(tenancy.heardAt(turn.tick)));
        turn.tell(new OverlayNote.Ready(agreed.epoch(), agreed.entries()));
      }
      return;
    }
    Seat seat = turn.seat(at.get());
    if (seat == null) {
      tooEarly(agreed);
      return;
    }
    for (ClusterDescriptor child : seat.children()) {
      turn.send(
          child.replicas().getFirst(),
          new Agreed(agreed.epoch(), agreed.entries(), agreed.top(), Optional.of(child.id())));
    }
    for (PeerId member : seat.members()) {
      turn.send(
          member, new Agreed(agreed.epoch(), agreed.entries(), agreed.top(), Optional.empty()));
    }
  }
}
