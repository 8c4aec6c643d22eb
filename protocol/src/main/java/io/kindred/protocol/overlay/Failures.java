package io.kindred.protocol.overlay;

import io.kindred.core.Message;
import io.kindred.core.PeerId;
import io.kindred.protocol.clusters.ClusterDescriptor;
import io.kindred.protocol.overlay.OverlayMessage.Agreed;
import io.kindred.protocol.overlay.OverlayMessage.Appointment;
import io.kindred.protocol.overlay.OverlayMessage.Parent;
import io.kindred.protocol.overlay.OverlayMessage.Roots;
import io.kindred.protocol.overlay.Ward.Held;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What to do about a message that did not arrive. While an overlay is built it is sent again: all
 * wait for each other. Later it is sent as it would be now, if at all; what is said at every beat
 * needs no second time.
 */
final class Failures {
  private final Turn turn;

  Failures(Turn turn) {
    this.turn = turn;
  }

  void failed(PeerId to, Message message) {
    if (message instanceof SearchMessage search) {
      new Queries(turn).notDelivered(to, search);
    } else if (message instanceof OverlayMessage known
        && turn.settings.life().lives()
        && known.epoch() == turn.newest()
        && turn.knows(known.epoch())
        && !turn.standing.leaving()) {
      turn.enter(known.epoch());
      again(to, known);
    } else {
      turn.count("overlay-not-delivered");
    }
  }

  private void again(PeerId to, OverlayMessage message) {
    switch (message) {
      case LifeMessage.Copy copy -> {
        Ward ward = turn.watch().wards().get(copy.ward().level());
        if (ward != null
            && ward.stamp() == copy.ward().stamp()
            && new Wards(turn).deputies(ward).contains(to)) {
          turn.send(to, new LifeMessage.Copy(ward));
        }
      }
      case LifeMessage _ -> turn.count("overlay-not-delivered");
      case Agreed agreed -> turn.send(next(to, agreed), agreed);
      case Appointment old -> appoint(to, old);
      case Parent old -> parent(to, old);
      case Roots old -> roots(to, old);
      default -> {
        if (!turn.era().settled()) {
          turn.send(to, message);
        }
      }
    }
  }

  /** Any of those who hold a cluster can pass the word on to its peers. */
  private PeerId next(PeerId to, Agreed agreed) {
    if (agreed.at().isEmpty()) {
      return to;
    }
    List<ClusterDescriptor> below = new ArrayList<>();
    turn.seats().forEach(seat -> below.addAll(seat.children()));
    turn.watch().wards().values().forEach(ward -> below.addAll(ward.below()));
    for (ClusterDescriptor each : below) {
      int place = each.replicas().indexOf(to);
      if (each.id().equals(agreed.at().get()) && place >= 0) {
        return each.replicas().get((place + 1) % each.replicas().size());
      }
    }
    return to;
  }

  private void appoint(PeerId to, Appointment old) {
    Ward ward = turn.watch().wards().get(old.cluster().zone().level());
    Optional<Held> held = ward == null ? Optional.empty() : ward.cluster(old.cluster().id());
    if (ward != null && held.isPresent() && held.get().cluster().replicas().contains(to)) {
      turn.send(
          to,
          new Appointment(
              held.get().cluster(), held.get().members(), held.get().children(), ward.stamp()));
    }
  }

  private void parent(PeerId to, Parent old) {
    Ward ward = turn.watch().wards().get(old.parent().level());
    if (ward == null) {
      return;
    }
    for (Held held : ward.clusters()) {
      for (ClusterDescriptor child : held.children()) {
        if (child.id().equals(old.child()) && child.replicas().contains(to)) {
          turn.send(to, new Parent(child.id(), held.id(), held.cluster().replicas(), ward.stamp()));
        }
      }
    }
  }

  private void roots(PeerId to, Roots old) {
    for (Ward ward : turn.watch().wards().values()) {
      for (ClusterDescriptor root : ward.below()) {
        if (root.id().equals(old.root()) && root.replicas().contains(to)) {
          turn.send(to, new Roots(root.id(), ward.below(), ward.stamp()));
        }
      }
    }
  }
}
