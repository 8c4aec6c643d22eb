package io.kindred.protocol.overlay.clustering;

import static io.kindred.protocol.overlay.SubProtocolFixtures.DRIFTED;
import static io.kindred.protocol.overlay.SubProtocolFixtures.OTHER;
import static io.kindred.protocol.overlay.SubProtocolFixtures.OWN;
import static io.kindred.protocol.overlay.SubProtocolFixtures.SELF;
import static io.kindred.protocol.overlay.SubProtocolFixtures.STRANGER;
import static io.kindred.protocol.overlay.SubProtocolFixtures.THIRD;
import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Ticks;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.clustering.ClusterSignatures;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.MembershipMessage;
import io.kindred.protocol.overlay.OverlayEvent;
import io.kindred.protocol.overlay.OverlayInput;
import io.kindred.protocol.overlay.OverlayLocalMessage;
import io.kindred.protocol.overlay.OverlayMessage;
import io.kindred.protocol.overlay.OverlayTimer;
import io.kindred.protocol.overlay.OverlayTimer.FormationTimer;
import io.kindred.protocol.overlay.StepOutcome;
import io.kindred.protocol.overlay.SubProtocolFixtures;
import io.kindred.protocol.overlay.ZoneLease;
import io.kindred.protocol.overlay.ZoneMember;
import io.kindred.protocol.overlay.ZoneRef;
import io.kindred.protocol.overlay.ZoneState;
import io.kindred.protocol.overlay.ZoneView;
import io.kindred.protocol.overlay.formation.FormationState;
import io.kindred.protocol.overlay.formation.LevelState;
import io.kindred.protocol.overlay.formation.ZoneFormation;
import io.kindred.protocol.overlay.formation.ZoneFormation.Stage;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.vrf.ElectionScore;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clustering as a table: state and input, effects and events. */
class ClusteringProtocolTest {
  private static final long LEASE = Ticks.ofSeconds(0.5);
  private static final ZoneId LED = SubProtocolFixtures.zone(1, SELF);
  private static final ZoneId ABOVE = SubProtocolFixtures.zone(2, OTHER);
  private static final ClusterDescriptor HELD =
      SubProtocolFixtures.cluster(LED, 0, OWN, SELF, OTHER);
  private static final ZoneState ZONE =
      SubProtocolFixtures.lowestZone(LED, 1, List.of(List.of(SELF, OTHER), List.of(THIRD)));

  /** A peer that was placed with its present signature. */
  private static PeerClustering placed(ClusteringState epoch) {
    return new PeerClustering(
        new LocalSignature(Optional.of(OWN), 2, Optional.empty(), Optional.of(OWN)), epoch);
  }

  private static final PeerClustering FRESH = placed(ClusteringState.EMPTY);

  /** The peer leads a zone that is formed and one that is built. */
  private static ClusteringView view(Stage stage, long tick, PeerId... members) {
    ZoneFormation formation = ZoneFormation.of(new ZoneRef(LED, 0), stage);
    TreeMap<PeerId, ZoneMember> all = new TreeMap<>();
    for (PeerId each : members) {
      all.put(each, new ZoneMember(each, 1, new ElectionScore(each.number(), each), 1));
    }
    FormationState formed =
        new FormationState(
            Optional.empty(),
            new TreeMap<>(Map.of(1, LevelState.initial(1).start(List.of()))),
            new TreeMap<>(Map.of(1, formation.with(all))),
            new TreeMap<>());
    return new ClusteringView(
        SubProtocolFixtures.view(tick),
        formed,
        new ZoneView(
            SELF,
            new TreeMap<>(Map.of(1, new ZoneLease(LED, 1, SELF, List.of(OTHER), 0))),
            new TreeMap<>(Map.of(1, ZONE)),
            SubProtocolFixtures.view(tick).settings()),
        /* ready= */ true);
  }

  private static StepOutcome<PeerClustering> step(
      PeerClustering state, OverlayInput input, ClusteringView view) {
    return ClusteringProtocol.step(state, input, view);
  }

  private static OverlayInput from(PeerId peer, OverlayMessage message) {
    return new OverlayInput.MessageReceived(peer, message);
  }

  private static OverlayInput updated(Signature signature) {
    return new OverlayInput.MethodRequest(new OverlayLocalMessage.SignatureUpdated(signature, 2));
  }

  private static OverlayInput assigned(long version) {
    return from(
        SELF, new OverlayMessage.ReplicaAssigned(HELD, List.of(SELF, OTHER), List.of(), version));
  }

  private static OverlayInput parent(long version) {
    return from(
        OTHER,
        new OverlayMessage.ParentAssigned(
            HELD.id(), new ClusterId(ABOVE, 0), List.of(OTHER), version));
  }

  private static OverlayInput signature(PeerId from, Signature signature) {
    return from(from, new OverlayMessage.SignatureReply(LED, signature, 2));
  }

  private static final OverlayInput TIMEOUT =
      new OverlayInput.TimerDue(
          new OverlayTimer.FormationDue(FormationTimer.COLLECT_TIMEOUT, 1, 1));

  record Row(
      String name, PeerClustering state, OverlayInput input, Stage stage, List<String> words) {
    Row(String name, PeerClustering state, OverlayInput input, Stage stage, String... words) {
      this(name, state, input, stage, List.of(words));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static List<Row> rows() {
    PeerClustering holding =
        step(FRESH, assigned(3), view(Stage.PUBLISHED, 1, SELF, OTHER)).state();
    PeerClustering early = step(FRESH, parent(1), view(Stage.PUBLISHED, 1, SELF)).state();
    return List.of(
        new Row(
            "a settled zone asks its members",
            FRESH,
            new OverlayEvent.ZoneSettled(1),
            Stage.COLLECTING,
            "SignatureProbe to 0",
            "SignatureProbe to 1",
            "timer overlay-collect-timeout"),
        new Row(
            "an input is late",
            FRESH,
            signature(OTHER, OWN),
            Stage.PUBLISHED,
            "count overlay-input-for-other-zone"),
        new Row(
            "an input of a stranger",
            FRESH,
            signature(STRANGER, OWN),
            Stage.COLLECTING,
            "count overlay-input-for-other-zone"),
        new Row(
            "no input has come",
            FRESH,
            TIMEOUT,
            Stage.COLLECTING,
            "SignatureProbe to 0",
            "SignatureProbe to 1",
            "timer overlay-collect-timeout"),
        new Row(
            "drift of the own signature",
            FRESH,
            updated(DRIFTED),
            Stage.PUBLISHED,
            "count overlay-drifted",
            "SignatureChanged to 0",
            "raise SignatureReplaced"),
        new Row(
            "a signature that hardly changes",
            FRESH,
            updated(SubProtocolFixtures.signature(1, 2.1f)),
            Stage.PUBLISHED,
            "raise SignatureReplaced"),
        new Row("a replica that is assigned again", holding, assigned(3), Stage.PUBLISHED),
        new Row("a parent before its cluster", FRESH, parent(1), Stage.PUBLISHED),
        new Row(
            "a cluster after its parent", early, assigned(1), Stage.PUBLISHED, "raise MessageDue"),
        new Row(
            "a parent of a held cluster", holding, parent(1), Stage.PUBLISHED, "raise WayUpKnown"),
        new Row(
            "the zone above asks for clusters",
            FRESH,
            from(OTHER, new OverlayMessage.SignatureProbe(ABOVE)),
            Stage.PUBLISHED,
            "ClusterReport to 1",
            "raise ParentZoneKnown"),
        new Row(
            "the zone above asks before there are clusters",
            FRESH,
            from(OTHER, new OverlayMessage.SignatureProbe(ABOVE)),
            Stage.CLUSTERING,
            "raise ParentZoneKnown"));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aStepHasTheseEffectsAndEvents(Row row) {
    StepOutcome<PeerClustering> outcome =
        step(row.state(), row.input(), view(row.stage(), 1, SELF, OTHER));
    assertThat(SubProtocolFixtures.words(outcome)).containsExactlyElementsOf(row.words());
  }

  private static ClusterSignatures.Clustered computed(StepOutcome<?> outcome) {
    Effect.Compute work =
        (Effect.Compute)
            outcome.effects().stream()
                .filter(Effect.Compute.class::isInstance)
                .findFirst()
                .orElseThrow();
    return (ClusterSignatures.Clustered) ((Ticket.Call) work.work()).function().apply();
  }

  @Test
  void aZoneIsClusteredOnceAllInputsAreThereAndBuiltAfterwards() {
    ClusteringView collecting = view(Stage.COLLECTING, 1, SELF, OTHER);
    StepOutcome<PeerClustering> first = step(FRESH, signature(SELF, OWN), collecting);
    assertThat(SubProtocolFixtures.words(first)).isEmpty();
    StepOutcome<PeerClustering> all = step(first.state(), signature(OTHER, OWN), collecting);
    assertThat(SubProtocolFixtures.words(all))
        .containsExactly("Compute", "raise ClusteringStarted");
    StepOutcome<PeerClustering> built =
        step(
            all.state(),
            new OverlayInput.ClusteringComputed(1, computed(all)),
            view(Stage.CLUSTERING, 1, SELF, OTHER));
    assertThat(SubProtocolFixtures.words(built))
        .contains("HomeClusterAssigned to 0", "HomeClusterAssigned to 1")
        .endsWith("raise ZoneBuilt", "raise ZoneClustered");
    OverlayEvent.ZoneBuilt event = (OverlayEvent.ZoneBuilt) built.events().getFirst();
    assertThat(event.members()).containsOnlyKeys(SELF, OTHER);
    assertThat(built.state().epoch().inputs(1).inputs()).as("are needed no more").isEmpty();
  }

  @Test
  void aMemberThatIsSilentTwiceIsLeftOut() {
    PeerClustering one =
        step(FRESH, signature(SELF, OWN), view(Stage.COLLECTING, 1, SELF, OTHER)).state();
    assertThat(
            SubProtocolFixtures.words(step(one, TIMEOUT, view(Stage.COLLECTING, 2, SELF, OTHER))))
        .containsExactly(
            "SignatureProbe to 1", "timer overlay-collect-timeout", "raise InputsMissing");
    StepOutcome<PeerClustering> again =
        step(one, TIMEOUT, view(Stage.COLLECTING_AGAIN, 3, SELF, OTHER));
    assertThat(SubProtocolFixtures.words(again))
        .containsExactly(
            "count overlay-left-out", "Compute", "raise MembersLeftOut", "raise ClusteringStarted");
    assertThat(again.events().getFirst())
        .isEqualTo(new OverlayEvent.MembersLeftOut(1, List.of(OTHER)));
  }

  @Test
  void aReplicaOfALaterVersionStays() {
    ClusteringView built = view(Stage.PUBLISHED, 1, SELF);
    OverlayInput byStranger =
        from(STRANGER, new OverlayMessage.ReplicaAssigned(HELD, List.of(OTHER), List.of(), 2));
    PeerClustering holding = step(FRESH, assigned(3), built).state();
    StepOutcome<PeerClustering> late = step(holding, byStranger, built);
    assertThat(SubProtocolFixtures.words(late)).containsExactly("count overlay-outdated");
    assertThat(late.state()).isEqualTo(holding);
    for (long version : new long[] {2, 3}) {
      OverlayInput removal = from(SELF, new MembershipMessage.ReplicaRemoved(HELD.id(), version));
      assertThat(step(holding, removal, built).state().epoch().heldReplicas())
          .hasSize(version < 3 ? 1 : 0);
    }
  }

  @Test
  void aReplicaThatIsNotRefreshedExpires() {
    PeerClustering holding = step(FRESH, assigned(3), view(Stage.PUBLISHED, 7, SELF)).state();
    ClusteringView later = view(Stage.PUBLISHED, 9, SELF);
    assertThat(step(holding, new OverlayEvent.ReplicaCheckDue(7), later).state())
        .isEqualTo(holding);
    StepOutcome<PeerClustering> expired = step(holding, new OverlayEvent.ReplicaCheckDue(8), later);
    assertThat(SubProtocolFixtures.words(expired)).containsExactly("count overlay-replica-expired");
    assertThat(expired.state().epoch().heldReplicas()).isEmpty();
  }

  @Test
  void aZoneWhoseMembersDriftIsClusteredAgain() {
    OverlayInput report = from(OTHER, new MembershipMessage.SignatureChanged(LED));
    PeerClustering told = step(FRESH, report, view(Stage.PUBLISHED, 0, SELF)).state();
    assertThat(step(told, report, view(Stage.PUBLISHED, 1, SELF)).state())
        .as("a second report")
        .isEqualTo(told);
    OverlayInput check = new OverlayEvent.DriftCheckDue(ZONE);
    assertThat(step(told, check, view(Stage.PUBLISHED, LEASE - 1, SELF)).effects()).isEmpty();
    StepOutcome<PeerClustering> asking = step(told, check, view(Stage.PUBLISHED, LEASE, SELF));
    assertThat(SubProtocolFixtures.words(asking))
        .containsExactly("SignatureProbe to 0", "SignatureProbe to 1", "SignatureProbe to 2");
    PeerClustering state = asking.state();
    StepOutcome<PeerClustering> last = asking;
    for (PeerId peer : List.of(SELF, OTHER, THIRD)) {
      last =
          step(
              state,
              signature(peer, peer.equals(SELF) ? OWN : DRIFTED),
              view(Stage.PUBLISHED, LEASE + 1, SELF));
      state = last.state();
    }
    assertThat(SubProtocolFixtures.words(last)).containsExactly("Compute");
    StepOutcome<PeerClustering> clustered =
        step(
            state,
            new OverlayInput.ClusteringComputed(0, computed(last)),
            view(Stage.PUBLISHED, LEASE + 2, SELF));
    assertThat(SubProtocolFixtures.words(clustered))
        .containsExactly("count overlay-reclustered", "raise ZoneRevised");
    OverlayEvent.ZoneRevised revised = (OverlayEvent.ZoneRevised) clustered.events().getFirst();
    assertThat(Objects.requireNonNull(revised.after().clusterOf(OTHER).orElse(null)).members())
        .containsExactly(OTHER, THIRD);
    assertThat(clustered.state().epoch().reclustering()).isEmpty();
  }

  @Test
  void reclusteringEndsWithTheLeadershipOfItsZone() {
    OverlayInput report = from(OTHER, new MembershipMessage.SignatureChanged(LED));
    ClusteringView built = view(Stage.PUBLISHED, 0, SELF);
    PeerClustering told = step(FRESH, report, built).state();
    assertThat(told.epoch().reclustering()).isPresent();
    assertThat(step(told, new OverlayEvent.LowestZoneLeft(), built).state()).isEqualTo(FRESH);
  }
}
