package io.kindred.protocol.overlay.membership;

import static io.kindred.protocol.overlay.SubProtocolFixtures.FOURTH;
import static io.kindred.protocol.overlay.SubProtocolFixtures.OTHER;
import static io.kindred.protocol.overlay.SubProtocolFixtures.OWN;
import static io.kindred.protocol.overlay.SubProtocolFixtures.SELF;
import static io.kindred.protocol.overlay.SubProtocolFixtures.STRANGER;
import static io.kindred.protocol.overlay.SubProtocolFixtures.THIRD;
import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Ticks;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.ClusterReplica.ClusterPointer;
import io.kindred.protocol.overlay.KnownEpochs;
import io.kindred.protocol.overlay.MembershipMessage;
import io.kindred.protocol.overlay.MembershipMessage.JoiningPeer;
import io.kindred.protocol.overlay.OverlayEvent;
import io.kindred.protocol.overlay.OverlayInput;
import io.kindred.protocol.overlay.OverlayMessage;
import io.kindred.protocol.overlay.OverlayTimer;
import io.kindred.protocol.overlay.RootId;
import io.kindred.protocol.overlay.StepOutcome;
import io.kindred.protocol.overlay.SubProtocolFixtures;
import io.kindred.protocol.overlay.ZoneLease;
import io.kindred.protocol.overlay.ZoneState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Membership as a table: state and input, effects and events. */
class MembershipProtocolTest {
  private static final long LEASE = Ticks.ofSeconds(0.5);
  private static final ZoneId LED = SubProtocolFixtures.zone(1, SELF);
  private static final ZoneId FOLLOWED = SubProtocolFixtures.zone(1, OTHER);
  private static final long TERM = 1L << 32;

  /** A peer that leads a zone of the lowest level, which is its own. */
  private static PeerMembership leading(List<List<PeerId>> clusters) {
    ZoneState zone = SubProtocolFixtures.lowestZone(LED, TERM, clusters);
    MembershipState state =
        built(new ClusterId(LED, 0))
            .withLedZone(zone)
            .with(new ZoneLease(LED, TERM, SELF, List.of(), 0));
    TreeMap<PeerId, Long> heard = new TreeMap<>();
    zone.members().keySet().forEach(peer -> heard.put(peer, 0L));
    return new PeerMembership(LocalStatus.NEW, state.withHeartbeats(1, heard));
  }

  private static MembershipState built(ClusterId home) {
    return MembershipState.initial(0)
        .withHome(Optional.of(new ClusterPointer(home, List.of(OTHER))))
        .withEntries(2)
        .withRoot(new RootId(SubProtocolFixtures.zone(2, OTHER), 0, OTHER));
  }

  /** A deputy of a zone of the lowest level, with a copy of it. */
  private static PeerMembership standby() {
    ZoneState zone =
        SubProtocolFixtures.lowestZone(
            FOLLOWED, TERM, List.of(List.of(OTHER, THIRD), List.of(SELF)));
    return new PeerMembership(
        LocalStatus.NEW,
        built(new ClusterId(FOLLOWED, 1))
            .with(new ZoneLease(FOLLOWED, TERM, OTHER, List.of(SELF), 0))
            .withStandbyZone(zone));
  }

  private static PeerMembership joining(PeerMembership peer) {
    return new PeerMembership(peer.local().withJoining(0, List.of()), peer.epoch());
  }

  private static StepOutcome<PeerMembership> step(
      PeerMembership state, OverlayInput input, long tick) {
    return MembershipProtocol.step(
        state,
        input,
        new MembershipView(
            SubProtocolFixtures.view(tick),
            new KnownEpochs(1, true),
            new TreeMap<>(),
            Optional.of(OWN),
            Optional.empty()));
  }

  private static OverlayInput from(PeerId peer, OverlayMessage message) {
    return new OverlayInput.MessageReceived(peer, message);
  }

  private static OverlayInput join(boolean division) {
    return from(
        OTHER,
        new MembershipMessage.JoinForward(
            new JoiningPeer(STRANGER, OWN, 1, SubProtocolFixtures.proof(STRANGER)),
            new ClusterId(LED, 0),
            division));
  }

  private static OverlayInput renewal(PeerId leader, ZoneId zone, long version) {
    return from(
        leader,
        new MembershipMessage.LeaseRenewal(
            zone,
            version,
            List.of(),
            Optional.of(new ClusterPointer(new ClusterId(zone, 0), List.of(leader))),
            0,
            Optional.empty(),
            0));
  }

  record Row(String name, PeerMembership state, OverlayInput input, long tick, List<String> words) {
    Row(String name, PeerMembership state, OverlayInput input, long tick, String... words) {
      this(name, state, input, tick, List.of(words));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static List<Row> rows() {
    PeerMembership three = leading(List.of(List.of(SELF, OTHER), List.of(THIRD)));
    PeerMembership full = leading(List.of(List.of(SELF, OTHER), List.of(THIRD, FOURTH)));
    OverlayInput upper = new OverlayEvent.UpperZonesDue();
    List<Row> rows = new ArrayList<>(lives(three));
    rows.addAll(
        List.of(
            new Row(
                "join",
                three,
                join(false),
                1,
                "count overlay-joined",
                "ReplicaAssigned to 0",
                "ReplicaAssigned to 1",
                "LeaseRenewal to 1",
                "LeaseRenewal to 9",
                "ReplicateZone to 1",
                "LeaseRenewal to 9"),
            new Row("join to a full zone", full, join(false), 1, "ZoneFull to 9"),
            new Row(
                "leave of a member",
                three,
                from(THIRD, new MembershipMessage.Leave(LED)),
                1,
                "count overlay-left",
                "ReplicaRemoved to 2",
                "ReplicaRemoved to 0",
                "ReplicateZone to 1"),
            new Row(
                "leave of a peer that has left",
                three,
                from(STRANGER, new MembershipMessage.Leave(LED)),
                1),
            new Row(
                "leave of the leader",
                three,
                new OverlayInput.LeaveDue(),
                1,
                "TransferLeadership to 1",
                "raise LowestZoneLeft",
                "raise ReplicasGivenUp",
                "raise FormationAbandoned"),
            new Row(
                "a lease of a zone that the peer did not ask for",
                three,
                renewal(STRANGER, SubProtocolFixtures.zone(1, STRANGER), 1),
                1,
                "Leave to 9"),
            new Row(
                "a lease is valid: a deputy sends a heartbeat",
                standby(),
                upper,
                1,
                "Heartbeat to 1",
                "raise ReplicaCheckDue",
                "raise RootGossipDue"),
            new Row(
                "a late copy of a zone",
                standby(),
                from(
                    OTHER,
                    new MembershipMessage.ReplicateZone(
                        SubProtocolFixtures.lowestZone(
                            FOLLOWED, 1, List.of(List.of(OTHER, SELF))))),
                1),
            new Row(
                "a word of the leader that another term has replaced",
                standby(),
                renewal(THIRD, FOLLOWED, 1),
                LEASE + 1,
                "NotLeader to 2"),
            new Row(
                "a joining peer takes the place that it is given",
                joining(standby()),
                renewal(STRANGER, SubProtocolFixtures.zone(1, STRANGER), 1),
                1,
                "Leave to 1",
                "notify Ready",
                "raise LowestZoneLeft",
                "raise ReplicasGivenUp",
                "raise FormationAbandoned")));
    return rows;
  }

  private static List<Row> lives(PeerMembership three) {
    return List.of(
        new Row(
            "a heartbeat renews the lease",
            three,
            from(THIRD, new MembershipMessage.Heartbeat(LED, 0)),
            1,
            "LeaseRenewal to 2"),
        new Row(
            "a heartbeat of a peer that was removed",
            three,
            from(STRANGER, new MembershipMessage.Heartbeat(LED, 0)),
            1,
            "NotLeader to 9"),
        new Row(
            "a heartbeat for a zone that this peer does not know",
            three,
            from(THIRD, new MembershipMessage.Heartbeat(FOLLOWED, 0)),
            1,
            "NotLeader to 2"),
        new Row(
            "its heartbeat is due: members are checked",
            three,
            new OverlayInput.TimerDue(new OverlayTimer.HeartbeatDue()),
            1,
            "timer overlay-heartbeat",
            "raise DriftCheckDue",
            "raise UpperZonesDue"),
        new Row(
            "members are silent for a lease",
            three,
            new OverlayInput.TimerDue(new OverlayTimer.HeartbeatDue()),
            LEASE + 1,
            "timer overlay-heartbeat",
            "count overlay-member-timeout",
            "count overlay-member-timeout",
            "ReplicaAssigned to 0",
            "ReplicaRemoved to 1",
            "ReplicaRemoved to 2",
            "ReplicaRemoved to 0",
            "raise DriftCheckDue",
            "raise UpperZonesDue"));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aStepHasTheseEffectsAndEvents(Row row) {
    assertThat(SubProtocolFixtures.words(step(row.state(), row.input(), row.tick())))
        .containsExactlyElementsOf(row.words());
  }

  private static ZoneState led(StepOutcome<PeerMembership> outcome) {
    return Objects.requireNonNull(outcome.state().epoch().ledZones().get(1));
  }

  @Test
  void aDeputyTakesOverInANewTermWithoutTheLostLeader() {
    StepOutcome<PeerMembership> taken =
        step(standby(), new OverlayEvent.UpperZonesDue(), LEASE + 1);
    assertThat(SubProtocolFixtures.words(taken))
        .startsWith("Heartbeat to 1", "count overlay-taken-over")
        .contains("LeaseRenewal to 2");
    assertThat(led(taken).version()).isGreaterThanOrEqualTo(2 * TERM);
    assertThat(led(taken).members()).containsOnlyKeys(SELF, THIRD);
    assertThat(taken.state().epoch().standbyZones()).isEmpty();
    assertThat(Objects.requireNonNull(taken.state().epoch().leases().get(1)).leader())
        .isEqualTo(SELF);
  }

  @Test
  void aLeaderReclaimsItsZoneFromAnotherOneOfTheSameTerm() {
    PeerMembership three = leading(List.of(List.of(SELF, OTHER), List.of(THIRD)));
    StepOutcome<PeerMembership> reclaimed = step(three, renewal(THIRD, LED, TERM + 5), 1);
    assertThat(SubProtocolFixtures.words(reclaimed))
        .startsWith("NotLeader to 2", "ReplicaAssigned to 0")
        .contains("LeaseRenewal to 1", "LeaseRenewal to 2", "ReplicateZone to 1");
    assertThat(led(reclaimed).version()).isEqualTo(2 * TERM);
  }

  @Test
  void aLeaderGivesWayToALaterTerm() {
    PeerMembership three = leading(List.of(List.of(SELF, OTHER), List.of(THIRD)));
    StepOutcome<PeerMembership> deposed = step(three, renewal(THIRD, LED, 2 * TERM), 1);
    assertThat(SubProtocolFixtures.words(deposed))
        .containsExactly("count overlay-stepped-down", "raise LowestZoneLeft");
    assertThat(deposed.state().epoch().ledZones()).isEmpty();
    assertThat(Objects.requireNonNull(deposed.state().epoch().leases().get(1)).leader())
        .isEqualTo(THIRD);
  }

  @Test
  void aFullZoneDividesForAPeerThatFindsAllZonesFull() {
    PeerMembership full = leading(List.of(List.of(SELF, OTHER), List.of(THIRD, FOURTH)));
    StepOutcome<PeerMembership> divided = step(full, join(true), 1);
    assertThat(SubProtocolFixtures.words(divided))
        .startsWith("count overlay-zone-divided", "DivideZone to 2", "MemberMoved to 3")
        .contains("count overlay-joined", "LeaseRenewal to 9");
    assertThat(led(divided).members()).containsOnlyKeys(SELF, OTHER, STRANGER);
  }

  @Test
  void aPeerThatIsAdmittedTwiceIsAMemberOnce() {
    PeerMembership three = leading(List.of(List.of(SELF, OTHER), List.of(THIRD)));
    StepOutcome<PeerMembership> once = step(three, join(false), 1);
    StepOutcome<PeerMembership> twice = step(once.state(), join(false), 2);
    assertThat(SubProtocolFixtures.words(twice)).containsExactly("LeaseRenewal to 9");
    assertThat(twice.state()).isEqualTo(once.state());
  }

  @Test
  void anOverlayThatCannotBeRepairedIsBuiltAnew() {
    PeerMembership rootless = standby();
    StepOutcome<PeerMembership> late =
        step(rootless, new OverlayInput.TimerDue(new OverlayTimer.HeartbeatDue()), 1000 * LEASE);
    assertThat(SubProtocolFixtures.words(late))
        .containsExactly(
            "timer overlay-heartbeat", "count overlay-epoch-forced", "raise EpochRequested");
  }
}
