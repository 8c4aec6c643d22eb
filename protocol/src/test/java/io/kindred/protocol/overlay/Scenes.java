package io.kindred.protocol.overlay;

import io.kindred.core.Effect;
import io.kindred.core.Event;
import io.kindred.core.Message;
import io.kindred.core.Observation;
import io.kindred.core.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.protocol.clusters.ClusterDescriptor;
import io.kindred.protocol.clusters.ZoneId;
import io.kindred.protocol.election.Score;
import io.kindred.protocol.overlay.OverlayState.Own;
import io.kindred.protocol.signatures.Precision;
import io.kindred.protocol.signatures.Signature;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A peer in the middle of something, without the way there. */
final class Scenes {
  static final PeerId SELF = ElectionsTest.SELF;
  static final PeerId OTHER = ElectionsTest.OTHER;
  static final PeerId THIRD = new PeerId(2);
  static final Signature OWN = signature(4);
  static final LifeRule LIVING = LifeRule.NONE.with(0.5);
  static final SearchRule RULE = new SearchRule(8, SearchRule.Reading.NODE, 0);

  private Scenes() {}

  static Overlay overlay(LifeRule life) {
    return ElectionsTest.overlay(ElectionsTest.SETTINGS.with(life));
  }

  static Signature signature(int dimension) {
    return Signature.of(dimension, Precision.FLOAT32, Ints.of(0, 2), Floats.of(1, 2));
  }

  static ZoneId zone(int level, PeerId initiator) {
    return new ZoneId(1, level, initiator);
  }

  static ClusterDescriptor cluster(ZoneId zone, Signature prototype, PeerId... replicas) {
    return new ClusterDescriptor(0, replicas[0], prototype, List.of(replicas), 1, zone);
  }

  static Era blank() {
    return Era.blank(ElectionsTest.BEFORE, 0);
  }

  /** A peer that leads a zone which is being built. */
  static Era leading(int level, Lead.Stage stage, PeerId... members) {
    Lead lead = Lead.of(new Adjacent(zone(level, SELF), 0), stage);
    for (PeerId each : members) {
      lead = lead.add(new Member(each, 1, new Score(each.number(), each), 1));
    }
    Vertex vertex = Vertex.fresh(level).begin(List.of());
    return blank()
        .with(
            new Era.Formation(
                Optional.empty(),
                new TreeMap<>(Map.of(level, vertex)),
                new TreeMap<>(Map.of(level, lead)),
                new TreeMap<>()));
  }

  /** A peer that looks after a zone which is built. */
  static Era tending(Ward ward) {
    return blank().with(blank().watch().leading(ward));
  }

  static Ward ward(int level, Ward.Held held, PeerId... tenants) {
    SortedMap<PeerId, Ward.Tenant> all = new TreeMap<>();
    for (PeerId each : tenants) {
      Optional<ZoneId> below = level == 1 ? Optional.empty() : Optional.of(zone(level - 1, each));
      all.put(each, new Ward.Tenant(each, 1, new Score(each.number(), each), below, 0));
    }
    return new Ward(zone(level, SELF), 0, false, all, List.of(held), List.of(), Optional.empty());
  }

  static Era holding(Seat... seats) {
    Era.Place place = blank().place();
    for (Seat each : seats) {
      place =
          new Era.Place(
              Rows.with(place.seats(), each.cluster().id(), each),
              place.home(),
              place.entries(),
              place.early());
    }
    return blank().with(place);
  }

  /** A seat at the top, with itself as the only root. */
  static Seat top(ClusterDescriptor cluster, List<PeerId> members, ClusterDescriptor... children) {
    return Seat.of(new OverlayMessage.Appointment(cluster, members, List.of(children), 0), null, 0)
        .among(List.of(cluster), 0);
  }

  /** With a signature of its own. */
  static OverlayState state(Era era) {
    OverlayState empty = OverlayState.EMPTY;
    Own own =
        new Own(Optional.of(OWN), 2, Optional.empty(), Optional.empty(), Optional.empty(), 0, 0);
    return new OverlayState(
        new TreeMap<>(Map.of(era.number(), era)), own, empty.desk(), empty.standing());
  }

  static Step<OverlayState> receive(
      Overlay overlay, OverlayState state, PeerId from, Message message) {
    return overlay.step(state, new Event.Received(1, from, message));
  }

  static long counted(Step<OverlayState> step, String name) {
    Effect wanted = new Effect.Observe(new Observation.Counted(name));
    return step.effects().stream().filter(wanted::equals).count();
  }

  /** What it sends to somebody, in order. */
  static List<Message> sent(Step<OverlayState> step, PeerId to) {
    return step.effects().stream()
        .filter(each -> each instanceof Effect.Send(PeerId whom, Message _) && whom.equals(to))
        .map(each -> ((Effect.Send) each).message())
        .toList();
  }
}
