package io.kindred.protocol.overlay.formation;

import static io.kindred.protocol.overlay.SubProtocolFixtures.FOURTH;
import static io.kindred.protocol.overlay.SubProtocolFixtures.OTHER;
import static io.kindred.protocol.overlay.SubProtocolFixtures.SELF;
import static io.kindred.protocol.overlay.SubProtocolFixtures.STRANGER;
import static io.kindred.protocol.overlay.SubProtocolFixtures.THIRD;
import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.OverlayEvent;
import io.kindred.protocol.overlay.OverlayInput;
import io.kindred.protocol.overlay.OverlayMessage;
import io.kindred.protocol.overlay.OverlayTimer;
import io.kindred.protocol.overlay.OverlayTimer.FormationTimer;
import io.kindred.protocol.overlay.StepOutcome;
import io.kindred.protocol.overlay.SubProtocolFixtures;
import io.kindred.protocol.overlay.ZoneMember;
import io.kindred.protocol.overlay.ZoneRef;
import io.kindred.protocol.overlay.formation.LevelState.ZoneAssignment;
import io.kindred.protocol.overlay.formation.ZoneFormation.Stage;
import io.kindred.protocol.vrf.ElectionScore;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Zone formation as a table: state and input, effects and events. */
class FormationProtocolTest {
  private static final ZoneId LED = SubProtocolFixtures.zone(1, SELF);
  private static final ZoneId JOINED = SubProtocolFixtures.zone(1, OTHER);
  private static final ZoneRef BESIDE = new ZoneRef(SubProtocolFixtures.zone(1, STRANGER), 7);

  private static ZoneMember member(PeerId peer) {
    return new ZoneMember(peer, 1, new ElectionScore(peer.number(), peer), 1);
  }

  /** A peer that leads a zone of these members, with one zone beside it. */
  private static FormationState leading(Stage stage, PeerId... members) {
    ZoneFormation formation = ZoneFormation.of(new ZoneRef(LED, 0), stage).addAdjacent(BESIDE);
    for (PeerId each : members) {
      formation = formation.add(member(each));
    }
    return member(new ZoneRef(LED, 0)).with(formation);
  }

  /** A peer in a zone, linked to one other peer. */
  private static FormationState member(ZoneRef zone) {
    return FormationState.drawn(SubProtocolFixtures.score(SELF))
        .with(LevelState.initial(1).start(List.of(OTHER)).with(ZoneAssignment.inZone(zone, 1)));
  }

  private static StepOutcome<FormationState> step(FormationState state, OverlayInput input) {
    return FormationProtocol.step(state, input, SubProtocolFixtures.view(5));
  }

  private static OverlayInput from(PeerId peer, OverlayMessage message) {
    return new OverlayInput.MessageReceived(peer, message);
  }

  private static OverlayInput due(FormationTimer timer) {
    return new OverlayInput.TimerDue(new OverlayTimer.FormationDue(timer, 1, 1));
  }

  private static OverlayInput registration(PeerId peer) {
    return from(peer, new OverlayMessage.Register(LED, 1, SubProtocolFixtures.proof(peer), 1));
  }

  private static OverlayInput admission(PeerId peer) {
    return from(peer, new OverlayMessage.ZoneJoinRequest(LED, 1, SubProtocolFixtures.proof(peer)));
  }

  record Row(String name, FormationState state, OverlayInput input, List<String> words) {
    Row(String name, FormationState state, OverlayInput input, String... words) {
      this(name, state, input, List.of(words));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static List<Row> rows() {
    FormationState two = leading(Stage.AWAITING_REPORTS, SELF, OTHER);
    FormationState alone = leading(Stage.AWAITING_REPORTS, SELF);
    return List.of(
        new Row("join while peers register", leading(Stage.OPEN, SELF), registration(OTHER)),
        new Row(
            "join after the clustering began",
            leading(Stage.CLUSTERING, SELF, OTHER),
            registration(THIRD),
            "count overlay-registered-late",
            "ZoneJoinReply to 2"),
        new Row(
            "join to a zone that collects",
            leading(Stage.COLLECTING, SELF, OTHER),
            admission(THIRD),
            "ZoneJoinReply to 2",
            "SignatureProbe to 2"),
        new Row(
            "join to a zone that is full",
            leading(Stage.COLLECTING, SELF, OTHER, THIRD, FOURTH),
            admission(STRANGER),
            "ZoneJoinReply to 9"),
        new Row(
            "join to the root zone",
            leading(Stage.ROOT, SELF, OTHER),
            admission(THIRD),
            "ZoneJoinReply to 2",
            "SignatureProbe to 2",
            "raise LateMemberAsked"),
        new Row(
            "reports are missing",
            two,
            due(FormationTimer.REPORT_TIMEOUT),
            "count overlay-reports-missing",
            "raise ZoneSettled",
            "raise ElectionDue"),
        new Row(
            "a late report timeout",
            leading(Stage.COLLECTING, SELF, OTHER),
            due(FormationTimer.REPORT_TIMEOUT)),
        new Row(
            "the only member seeks another zone",
            alone,
            due(FormationTimer.REPORT_TIMEOUT),
            "count overlay-reports-missing",
            "ZoneJoinRequest to 9"),
        new Row(
            "a zone is found beside the root zone",
            leading(Stage.ROOT, SELF, OTHER),
            from(OTHER, new OverlayMessage.NeighbourReport(LED, List.of(BESIDE))),
            "raise RootDemoted"),
        new Row(
            "a report for another zone",
            two,
            from(OTHER, new OverlayMessage.NeighbourReport(JOINED, List.of())),
            "count overlay-report-for-other-zone"),
        new Row(
            "the zone is clustered",
            leading(Stage.CLUSTERING, SELF, OTHER),
            new OverlayEvent.ZoneClustered(1),
            "raise ZonePublished",
            "raise ElectionDue"),
        new Row(
            "a split of a zone that this peer is not in",
            member(BESIDE),
            from(
                OTHER,
                new OverlayMessage.ZoneSplit(
                    new ZoneRef(JOINED, 1), JOINED, List.of(member(SELF)))),
            "count overlay-split-of-other-zone"),
        new Row(
            "a change of a zone that this peer is not in",
            member(BESIDE),
            from(THIRD, new OverlayMessage.ZoneChanged(JOINED, BESIDE)),
            "count overlay-change-of-other-zone"));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aStepHasTheseEffectsAndEvents(Row row) {
    assertThat(SubProtocolFixtures.words(step(row.state(), row.input())))
        .containsExactlyElementsOf(row.words());
  }

  private static ZoneFormation led(StepOutcome<FormationState> outcome) {
    return Objects.requireNonNull(outcome.state().formingZones().get(1));
  }

  @Test
  void aZoneThatIsTooLargeHandsItsFarMembersToOneOfThem() {
    PeerId fifth = new PeerId(4);
    PeerId sixth = new PeerId(5);
    StepOutcome<FormationState> split =
        step(
            leading(Stage.AWAITING_REPORTS, SELF, OTHER, THIRD, FOURTH, fifth, sixth),
            due(FormationTimer.REPORT_TIMEOUT));
    assertThat(SubProtocolFixtures.words(split))
        .containsExactly("count overlay-reports-missing", "ZoneSplit to 4");
    assertThat(led(split).members()).containsOnlyKeys(SELF, OTHER, THIRD, FOURTH);
    assertThat(led(split).pendingSplitLeader()).contains(fifth);
  }

  @Test
  void aMemberLeadsThePartThatItIsHanded() {
    ZoneRef old = new ZoneRef(JOINED, 1);
    StepOutcome<FormationState> accepted =
        step(
            member(old),
            from(
                OTHER,
                new OverlayMessage.ZoneSplit(old, JOINED, List.of(member(SELF), member(THIRD)))));
    assertThat(SubProtocolFixtures.words(accepted))
        .startsWith("ZoneChanged to 2", "SplitAccepted to 1")
        .contains("timer overlay-report-timeout");
    assertThat(led(accepted).members()).containsOnlyKeys(SELF, THIRD);
    assertThat(accepted.state().level(1).isIn(LED)).isTrue();
  }

  @Test
  void aPeerThatRegistersTwiceIsAMemberOnce() {
    StepOutcome<FormationState> once = step(leading(Stage.OPEN, SELF), registration(OTHER));
    assertThat(led(once).members()).containsOnlyKeys(SELF, OTHER);
    assertThat(step(once.state(), registration(OTHER)).state()).isEqualTo(once.state());
  }

  @Test
  void aMessageForALevelThatHasNotStartedIsKept() {
    OverlayMessage.ScoreOffer offer =
        new OverlayMessage.ScoreOffer(1, 2, OTHER, SubProtocolFixtures.proof(OTHER), 1);
    StepOutcome<FormationState> early =
        step(leading(Stage.COLLECTING, SELF, OTHER), from(OTHER, offer));
    assertThat(SubProtocolFixtures.words(early)).isEmpty();
    assertThat(early.state().level(2).earlyMessages()).hasSize(1);
    StepOutcome<FormationState> started =
        step(early.state(), new OverlayEvent.ElectionDue(2, List.of(STRANGER)));
    assertThat(SubProtocolFixtures.words(started))
        .containsExactly(
            "ScoreOffer to 1", "ScoreOffer to 9", "timer overlay-elect", "raise MessageDue");
  }

  @Test
  void clusteringDecidesOnTheStageOfAZone() {
    FormationState collecting = leading(Stage.COLLECTING, SELF, OTHER, THIRD);
    StepOutcome<FormationState> started =
        step(collecting, new OverlayEvent.ClusteringStarted(1, List.of(THIRD)));
    assertThat(led(started).stage()).isEqualTo(Stage.CLUSTERING);
    assertThat(led(started).members()).containsOnlyKeys(SELF, OTHER);
    assertThat(led(step(collecting, new OverlayEvent.InputsMissing(1))).stage())
        .isEqualTo(Stage.COLLECTING_AGAIN);
    assertThat(led(step(collecting, new OverlayEvent.RootDeclared(1, List.of()))).stage())
        .isEqualTo(Stage.ROOT);
    assertThat(led(step(collecting, new OverlayEvent.MembersLeftOut(1, List.of(OTHER)))).members())
        .containsOnlyKeys(SELF, THIRD);
  }

  @Test
  void aPeerThatLeavesKeepsOnlyItsScore() {
    StepOutcome<FormationState> left =
        step(leading(Stage.PUBLISHED, SELF, OTHER), new OverlayEvent.FormationAbandoned());
    assertThat(left.state()).isEqualTo(FormationState.drawn(SubProtocolFixtures.score(SELF)));
  }
}
