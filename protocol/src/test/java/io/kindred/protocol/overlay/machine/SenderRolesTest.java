package io.kindred.protocol.overlay.machine;

import static io.kindred.protocol.overlay.machine.OverlayFixtures.MAINTAINED;
import static io.kindred.protocol.overlay.machine.OverlayFixtures.OTHER;
import static io.kindred.protocol.overlay.machine.OverlayFixtures.OWN;
import static io.kindred.protocol.overlay.machine.OverlayFixtures.SELF;
import static io.kindred.protocol.overlay.machine.OverlayFixtures.THIRD;
import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.weights.Bytes;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.ClusterReplica;
import io.kindred.protocol.overlay.ClusterReplica.ClusterPointer;
import io.kindred.protocol.overlay.MaintenanceSettings;
import io.kindred.protocol.overlay.MembershipMessage.JoinForward;
import io.kindred.protocol.overlay.MembershipMessage.JoiningPeer;
import io.kindred.protocol.overlay.MembershipMessage.ReplicaRemoved;
import io.kindred.protocol.overlay.MembershipMessage.ReplicateZone;
import io.kindred.protocol.overlay.MembershipMessage.SignatureChanged;
import io.kindred.protocol.overlay.MembershipMessage.TransferLeadership;
import io.kindred.protocol.overlay.MembershipMessage.ZoneFull;
import io.kindred.protocol.overlay.OverlayContext;
import io.kindred.protocol.overlay.OverlayMessage;
import io.kindred.protocol.overlay.OverlayMessage.HomeClusterAssigned;
import io.kindred.protocol.overlay.OverlayMessage.OverlayBuilt;
import io.kindred.protocol.overlay.OverlayMessage.ParentAssigned;
import io.kindred.protocol.overlay.OverlayMessage.ReplicaAssigned;
import io.kindred.protocol.overlay.OverlayMessage.RootClusters;
import io.kindred.protocol.overlay.OverlayMessage.RootDescriptor;
import io.kindred.protocol.overlay.OverlayMessage.RootExchange;
import io.kindred.protocol.overlay.OverlayMessage.SignatureProbe;
import io.kindred.protocol.overlay.OverlayMessage.ZoneChanged;
import io.kindred.protocol.overlay.OverlayMessage.ZoneJoinReply;
import io.kindred.protocol.overlay.OverlayMessage.ZoneMerged;
import io.kindred.protocol.overlay.OverlayMessage.ZoneSplit;
import io.kindred.protocol.overlay.RootId;
import io.kindred.protocol.overlay.StepView;
import io.kindred.protocol.overlay.ZoneLease;
import io.kindred.protocol.overlay.ZoneRef;
import io.kindred.protocol.overlay.ZoneState;
import io.kindred.protocol.overlay.membership.MembershipState;
import io.kindred.protocol.overlay.membership.SenderRoles;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A peer takes placement, parents, roots, agreement, hand-over and adoption only from peers in the
 * role for it. The peer is in {@code OTHER}'s zone of level 1, with {@code THIRD} as a deputy, and
 * leads a zone of its own on level 2.
 */
class SenderRolesTest {
  private static final PeerId STRANGER = new PeerId(9);
  private static final PeerId MEMBER = new PeerId(4);
  private static final PeerId INITIATOR = new PeerId(5);
  private static final ZoneId HOME = OverlayFixtures.zone(1, INITIATOR);
  private static final ZoneId LED = OverlayFixtures.zone(2, SELF);
  private static final ZoneId ABOVE = OverlayFixtures.zone(3, INITIATOR);
  private static final ClusterId CLUSTER = new ClusterId(HOME, 0);
  private static final ClusterDescriptor HELD = OverlayFixtures.cluster(HOME, OWN, SELF, THIRD);
  private static final ClusterDescriptor PARENT = OverlayFixtures.cluster(LED, OWN, SELF);
  private static final RootId ROOT = new RootId(ABOVE, 0, OTHER);
  private static final JoiningPeer JOINER =
      new JoiningPeer(STRANGER, OWN, 1, Bytes.wrap(new byte[0]));
  private static final ZoneState STATE =
      OverlayFixtures.zoneState(
          2, new ZoneState.ClusterEntry(PARENT, List.of(), List.of(HELD)), SELF, MEMBER);

  record Row(OverlayMessage message, List<PeerId> accepted, List<PeerId> refused) {}

  private static List<Row> rows() {
    List<PeerId> leaders = List.of(OTHER, THIRD, INITIATOR, SELF);
    List<PeerId> strangers = List.of(STRANGER, MEMBER);
    ZoneRef stranger = new ZoneRef(OverlayFixtures.zone(1, STRANGER), 3);
    ZoneState home =
        new ZoneState(HOME, 1, false, new TreeMap<>(), List.of(), List.of(), Optional.empty());
    return List.of(
        new Row(new ReplicaAssigned(HELD, List.of(SELF), List.of(), 1), leaders, strangers),
        new Row(new ReplicaRemoved(CLUSTER, 1), leaders, strangers),
        new Row(new SignatureProbe(HOME), leaders, strangers),
        new Row(new ReplicateZone(home), leaders, strangers),
        new Row(new TransferLeadership(home), leaders, strangers),
        new Row(new HomeClusterAssigned(CLUSTER, List.of(SELF)), List.of(INITIATOR), strangers),
        new Row(
            new ParentAssigned(PARENT.id(), new ClusterId(ABOVE, 0), List.of(OTHER), 1),
            leaders,
            strangers),
        new Row(new RootClusters(PARENT.id(), List.of(PARENT), 1), leaders, strangers),
        new Row(new RootExchange(PARENT.id(), List.of(List.of(SELF))), leaders, strangers),
        new Row(new RootDescriptor(HELD), List.of(SELF, THIRD), List.of(OTHER, STRANGER)),
        new Row(
            new OverlayBuilt(1, 2, ROOT, Optional.of(CLUSTER)), List.of(MEMBER), List.of(STRANGER)),
        new Row(new OverlayBuilt(1, 2, ROOT, Optional.empty()), leaders, strangers),
        new Row(new ZoneFull(ABOVE), leaders, strangers),
        new Row(
            new JoinForward(JOINER, PARENT.id(), false), List.of(MEMBER, SELF), List.of(STRANGER)),
        new Row(new SignatureChanged(LED), List.of(MEMBER, SELF), List.of(STRANGER)),
        new Row(new ZoneJoinReply(HOME, true), List.of(INITIATOR), List.of(OTHER, STRANGER)),
        new Row(
            new ZoneSplit(new ZoneRef(HOME, 1), HOME, List.of()),
            List.of(INITIATOR),
            List.of(OTHER, STRANGER)),
        new Row(new ZoneChanged(HOME, stranger), List.of(STRANGER), List.of(INITIATOR, OTHER)),
        new Row(new ZoneMerged(HOME, stranger), List.of(INITIATOR), List.of(OTHER, STRANGER)));
  }

  private static EpochState epoch() {
    ClusterReplica held =
        ClusterReplica.of(new ReplicaAssigned(HELD, List.of(SELF), List.of(), 0), null, 0)
            .withParent(new ClusterPointer(PARENT.id(), List.of(MEMBER)), 0);
    EpochState epoch = OverlayFixtures.holdingReplicas(held);
    MembershipState membership =
        epoch
            .membership()
            .withLedZone(STATE)
            .with(new ZoneLease(HOME, 0, OTHER, List.of(THIRD), 0))
            .with(new ZoneLease(ABOVE, 0, OTHER, List.of(THIRD), 0));
    return OverlayFixtures.inHomeCluster(epoch.with(membership), CLUSTER, SELF, THIRD);
  }

  private static SenderRoles roles(MaintenanceSettings maintenance, long tick) {
    OverlayContext context = OverlayFixtures.context(maintenance);
    return new SenderRoles(
        new StepView(context, ElectionsTest.BEFORE, 0, tick),
        epoch().membership(),
        epoch().clustering().heldReplicas());
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aMessageIsTakenFromPeersInTheRoleForIt(Row row) {
    SenderRoles roles = roles(MAINTAINED, 1);
    assertThat(row.accepted()).allMatch(from -> roles.accepts(from, row.message()));
    assertThat(row.refused()).noneMatch(from -> roles.accepts(from, row.message()));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aRefusedMessageIsCountedByTypeAndChangesNothing(Row row) {
    Overlay overlay = OverlayFixtures.overlay(MAINTAINED);
    OverlayState state = OverlayFixtures.state(epoch());
    for (PeerId from : row.refused()) {
      Step<OverlayState> step = OverlayFixtures.receive(overlay, state, from, row.message());
      assertThat(step.state()).isEqualTo(state);
      assertThat(step.effects()).singleElement().asString().contains("overlay-refused-");
    }
  }

  @ParameterizedTest
  @MethodSource("rows")
  void afterALeaseHasExpiredAnotherPeerMayHaveTakenOver(Row row) {
    SenderRoles late = roles(MAINTAINED, MAINTAINED.leaseTicks() + 1);
    boolean leaderOfAZone =
        row.message() instanceof ReplicaAssigned
            || row.message() instanceof ReplicaRemoved
            || row.message() instanceof ParentAssigned;
    if (leaderOfAZone) {
      assertThat(late.accepts(STRANGER, row.message())).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("rows")
  void withoutMaintenanceTheInitiatorLeadsItsZoneForGood(Row row) {
    SenderRoles roles = roles(MaintenanceSettings.DISABLED, 1 << 30);
    if (row.message() instanceof ReplicaAssigned || row.message() instanceof SignatureProbe) {
      assertThat(roles.accepts(INITIATOR, row.message())).isTrue();
      assertThat(roles.accepts(OTHER, row.message())).isFalse();
    }
  }
}
