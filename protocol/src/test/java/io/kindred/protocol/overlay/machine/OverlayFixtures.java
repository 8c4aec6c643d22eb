package io.kindred.protocol.overlay.machine;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.ClusterReplica;
import io.kindred.protocol.overlay.MaintenanceSettings;
import io.kindred.protocol.overlay.OverlayContext;
import io.kindred.protocol.overlay.OverlayMessage;
import io.kindred.protocol.overlay.SearchRule;
import io.kindred.protocol.overlay.ZoneMember;
import io.kindred.protocol.overlay.ZoneRef;
import io.kindred.protocol.overlay.ZoneState;
import io.kindred.protocol.overlay.clustering.ClusteringState;
import io.kindred.protocol.overlay.clustering.LocalSignature;
import io.kindred.protocol.overlay.formation.FormationState;
import io.kindred.protocol.overlay.formation.LevelState;
import io.kindred.protocol.overlay.formation.ZoneFormation;
import io.kindred.protocol.overlay.membership.MembershipState;
import io.kindred.protocol.signature.Precision;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.vrf.ElectionScore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Overlay states in the middle of a run, without the steps that lead to them. */
final class OverlayFixtures {
  static final PeerId SELF = ElectionsTest.SELF;
  static final PeerId OTHER = ElectionsTest.OTHER;
  static final PeerId THIRD = new PeerId(2);
  static final Signature OWN = signature(4);
  static final MaintenanceSettings MAINTAINED = MaintenanceSettings.DISABLED.withLease(0.5);
  static final SearchRule RULE = new SearchRule(8, SearchRule.BeamScope.NODE, 0);

  private OverlayFixtures() {}

  static Overlay overlay(MaintenanceSettings maintenance) {
    return new Overlay(context(maintenance));
  }

  /** The peer's identity and settings. */
  static OverlayContext context(MaintenanceSettings maintenance) {
    return ElectionsTest.context(ElectionsTest.SETTINGS.with(maintenance));
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

  static EpochState emptyEpoch() {
    return EpochState.empty(ElectionsTest.BEFORE, 0);
  }

  /** A peer that leads a zone which is being formed. */
  static EpochState formingZone(int level, ZoneFormation.Stage stage, PeerId... members) {
    ZoneFormation formation = ZoneFormation.of(new ZoneRef(zone(level, SELF), 0), stage);
    for (PeerId each : members) {
      formation = formation.add(new ZoneMember(each, 1, new ElectionScore(each.number(), each), 1));
    }
    LevelState levelState = LevelState.initial(level).start(List.of());
    return emptyEpoch()
        .with(
            new FormationState(
                Optional.empty(),
                new TreeMap<>(Map.of(level, levelState)),
                new TreeMap<>(Map.of(level, formation)),
                new TreeMap<>()));
  }

  /** A peer that leads a built zone. */
  static EpochState leadingZone(ZoneState zone) {
    return emptyEpoch().with(emptyEpoch().membership().withLedZone(zone));
  }

  static ZoneState zoneState(int level, ZoneState.ClusterEntry cluster, PeerId... members) {
    SortedMap<PeerId, ZoneState.MemberEntry> all = new TreeMap<>();
    for (PeerId each : members) {
      Optional<ZoneId> below = level == 1 ? Optional.empty() : Optional.of(zone(level - 1, each));
      all.put(
          each,
          new ZoneState.MemberEntry(each, 1, new ElectionScore(each.number(), each), below, 0));
    }
    return new ZoneState(
        zone(level, SELF), 0, false, all, List.of(cluster), List.of(), Optional.empty());
  }

  static EpochState holdingReplicas(ClusterReplica... replicas) {
    SortedMap<ClusterId, ClusterReplica> held = new TreeMap<>();
    for (ClusterReplica each : replicas) {
      held.put(each.descriptor().id(), each);
    }
    return emptyEpoch().with(ClusteringState.EMPTY.withReplicas(held));
  }

  /** An epoch whose overlay is built, in a home cluster with these replicas. */
  static EpochState inHomeCluster(EpochState epoch, ClusterId home, PeerId... replicas) {
    MembershipState membership =
        epoch
            .membership()
            .withHome(Optional.of(new ClusterReplica.ClusterPointer(home, List.of(replicas))))
            .withEntries(2);
    return epoch.with(membership);
  }

  /** A replica of a root cluster, which is its own only root. */
  static ClusterReplica rootReplica(
      ClusterDescriptor cluster, List<PeerId> members, ClusterDescriptor... children) {
    return ClusterReplica.of(
            new OverlayMessage.ReplicaAssigned(cluster, members, List.of(children), 0), null, 0)
        .withRoots(List.of(cluster), 0);
  }

  /** A state of one epoch, with a signature of the peer's own. */
  static OverlayState state(EpochState epoch) {
    OverlayState empty = OverlayState.EMPTY;
    LocalSignature localSignature =
        new LocalSignature(Optional.of(OWN), 2, Optional.empty(), Optional.empty());
    return new OverlayState(
        new TreeMap<>(Map.of(epoch.epoch(), epoch)),
        localSignature,
        empty.status(),
        empty.search());
  }

  static Step<OverlayState> receive(
      Overlay overlay, OverlayState state, PeerId from, Message message) {
    return overlay.step(state, new Event.Received(1, from, message));
  }

  static long counted(Step<OverlayState> step, String name) {
    Effect wanted = new Effect.Observe(new Observation.Counted(name));
    return step.effects().stream().filter(wanted::equals).count();
  }

  /** The messages that a step sends to a peer, in order. */
  static List<Message> sent(Step<OverlayState> step, PeerId to) {
    return step.effects().stream()
        .filter(
            each -> each instanceof Effect.Send(PeerId receiver, Message _) && receiver.equals(to))
        .map(each -> ((Effect.Send) each).message())
        .toList();
  }
}
