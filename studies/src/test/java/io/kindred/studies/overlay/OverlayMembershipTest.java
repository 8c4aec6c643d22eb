package io.kindred.studies.overlay;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Ticks;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.SimulatedEnvironment;
import io.kindred.environment.fault.FaultEvent;
import io.kindred.environment.topology.KRegular;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.MaintenanceSettings;
import io.kindred.protocol.overlay.OverlayLocalMessage;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.SearchRule;
import io.kindred.protocol.signature.Signature;
import io.kindred.runtime.Progress;
import io.kindred.runtime.config.Experiment;
import io.kindred.simulator.StepListener;
import io.kindred.storage.config.Binder;
import io.kindred.storage.config.ConfigFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Repair and membership of an overlay whose peers crash, leave and join. */
class OverlayMembershipTest {
  private static final Path TRANSCRIPT =
      Path.of(
          Files.exists(Path.of("../docs")) ? ".." : "", "docs/explanation/overlay-transcript.md");

  private static final double LEASE = 0.5;
  private static final SearchRule RULE = new SearchRule(8, SearchRule.BeamScope.NODE, 0);

  /** Every peer queries continuously, or peer 0 queries once. */
  private static final class RecordingWorkload implements OverlaySimulation.QueryWorkload {
    private final boolean always;
    private final List<OverlayLocalMessage.SearchFinished> answers = new ArrayList<>();
    private long number;

    RecordingWorkload(boolean always) {
      this.always = always;
    }

    @Override
    public Optional<QueryClient.IssueQuery> next(PeerId peer, long tick) {
      boolean asks = always || (peer.number() == 0 && number == 0);
      return asks
          ? Optional.of(
              new QueryClient.IssueQuery(number++, 3, RULE, Ticks.ofSeconds(always ? 0.2 : 2)))
          : Optional.empty();
    }

    @Override
    public void answered(PeerId peer, OverlayLocalMessage.SearchFinished answer) {
      answers.add(answer);
    }
  }

  private final ScriptedChurn churn = new ScriptedChurn();

  private OverlaySimulation buildOverlay(
      int peers,
      int zoneSize,
      long seed,
      OverlaySimulation.QueryWorkload workload,
      StepListener listener) {
    return buildOverlay(peers, zoneSize, seed, LEASE, workload, listener);
  }

  private OverlaySimulation buildOverlay(
      int peers,
      int zoneSize,
      long seed,
      double lease,
      OverlaySimulation.QueryWorkload workload,
      StepListener listener) {
    SimulatedEnvironment calm = SmallOverlays.world(peers, new KRegular(4), seed);
    SimulatedEnvironment environment =
        new SimulatedEnvironment(
            calm.graph(),
            SmallOverlays.NETWORK_WITH_SHORT_TICKS,
            churn,
            calm.faults(),
            new RandomStreams(seed));
    OverlaySettings settings =
        SmallOverlays.settings(zoneSize, OverlaySettings.RootDissemination.TREE)
            .with(new MaintenanceSettings(lease, 5, 0, 256, 0.2));
    OverlaySimulation overlay =
        new OverlaySimulation(
            environment,
            settings,
            SmallOverlays.drawSignatures(peers, seed),
            workload,
            new UncheckedProofVerifier(),
            Runnable::run,
            listener);
    overlay.runUntil(Ticks.ofSeconds(5));
    assertThat(overlay.structure().violations()).isEmpty();
    return overlay;
  }

  private static void runFor(OverlaySimulation overlay, double seconds) {
    overlay.runUntil(overlay.simulation().tick() + Ticks.ofSeconds(seconds));
  }

  private void crash(OverlaySimulation overlay, PeerId peer) {
    churn.schedule(new FaultEvent.Crash(overlay.simulation().tick(), (int) peer.number(), true));
  }

  @Test
  void nothingIsRepairedThatIsWhole() {
    OverlaySimulation overlay =
        buildOverlay(24, 6, 1, new RecordingWorkload(false), StepListener.NONE);
    runFor(overlay, 20);
    assertThat(overlay.simulation().counts())
        .doesNotContainKeys("overlay-member-timeout", "overlay-taken-over", "overlay-epoch");
    assertThat(overlay.structure().violations()).isEmpty();
  }

  @Test
  void aLeaseBeginsWhenAllIsBuiltHoweverLongThatTook() {
    double lease = 0.1;
    OverlaySimulation overlay =
        buildOverlay(60, 6, 1, lease, new RecordingWorkload(false), StepListener.NONE);
    assertThat(Ticks.toSeconds(overlay.readyTick())).isGreaterThan(8 * lease);
    assertThat(overlay.simulation().counts())
        .doesNotContainKeys("overlay-rejoin", "overlay-taken-over", "overlay-epoch");
  }

  @Test
  void theOverlayIsWholeTwoLeasesAfterACrashWithoutAnotherEpoch() {
    for (int seed = 1; seed <= 8; seed++) {
      OverlaySimulation overlay =
          buildOverlay(24, 6, seed, new RecordingWorkload(false), StepListener.NONE);
      List<PeerId> leaders =
          overlay.structure().zones().keySet().stream()
              .filter(zone -> zone.level() == 1)
              .map(ZoneId::initiator)
              .toList();
      crash(overlay, leaders.get(seed % leaders.size()));
      runFor(overlay, 0.1 + 2.5 * LEASE);
      assertThat(overlay.livePeers()).hasSize(23);
      assertThat(overlay.structure().violations()).as("seed %d", seed).isEmpty();
      assertThat(overlay.simulation().counts()).containsKey("overlay-taken-over");
      assertThat(overlay.simulation().counts()).doesNotContainKey("overlay-epoch");
    }
  }

  @Test
  void aSingleCrashIsMasked() {
    RecordingWorkload recordingWorkload = new RecordingWorkload(true);
    OverlaySimulation overlay = buildOverlay(24, 6, 3, recordingWorkload, StepListener.NONE);
    crash(overlay, overlay.structure().clusters(1).getFirst().descriptor().replicas().getFirst());
    recordingWorkload.answers.clear();
    runFor(overlay, 12);
    assertThat(recordingWorkload.answers).hasSizeGreaterThan(100);
    assertThat(recordingWorkload.answers)
        .allSatisfy(each -> assertThat(each.candidates()).isNotEmpty());
    assertThat(overlay.simulation().counts()).doesNotContainKey("overlay-unanswered");
  }

  @Test
  void whoLeavesIsReplacedWithoutWaitingForItsLease() {
    OverlaySimulation overlay =
        buildOverlay(24, 6, 2, new RecordingWorkload(false), StepListener.NONE);
    PeerId leader = overlay.structure().zones().firstKey().initiator();
    churn.schedule(new FaultEvent.Leave(overlay.simulation().tick(), (int) leader.number()));
    runFor(overlay, 0.1 + 2.5 * LEASE);
    assertThat(overlay.livePeers()).doesNotContain(leader);
    assertThat(overlay.structure().violations()).isEmpty();
    assertThat(overlay.simulation().counts()).containsKey("overlay-leadership-transferred");
    assertThat(overlay.simulation().counts()).doesNotContainKey("overlay-member-timeout");
  }

  @Test
  void aNewcomerIsPlacedAmongTheMostSimilarThatHaveRoom() {
    OverlaySimulation overlay =
        buildOverlay(24, 6, 4, new RecordingWorkload(false), StepListener.NONE);
    PeerId peer = new PeerId(7);
    crash(overlay, peer);
    runFor(overlay, 3);
    churn.schedule(new FaultEvent.Return(overlay.simulation().tick(), 7));
    runFor(overlay, 2);
    assertThat(overlay.livePeers()).hasSize(24);
    assertThat(overlay.structure().violations()).isEmpty();
    assertThat(overlay.simulation().counts()).containsKey("overlay-joined");
    assertThat(overlay.simulation().counts()).doesNotContainKey("overlay-epoch");
  }

  @Test
  void aFullDeskSendsQueriesElsewhere() {
    RecordingWorkload recordingWorkload = new RecordingWorkload(true);
    SimulatedEnvironment calm = SmallOverlays.world(16, new KRegular(4), 5);
    OverlaySettings settings =
        SmallOverlays.settings(6, OverlaySettings.RootDissemination.TREE)
            .with(new MaintenanceSettings(LEASE, 5, 0, 1, 0.2));
    OverlaySimulation overlay =
        new OverlaySimulation(
            calm,
            settings,
            SmallOverlays.drawSignatures(16, 5),
            recordingWorkload,
            new UncheckedProofVerifier(),
            Runnable::run);
    overlay.runUntil(Ticks.ofSeconds(15));
    assertThat(overlay.simulation().counts()).containsKey("overlay-query-refused");
    assertThat(recordingWorkload.answers).hasSizeGreaterThan(50);
  }

  @Test
  void theTranscriptIsWhatHappens() throws IOException {
    OverlayTranscript overlayTranscript = new OverlayTranscript();
    overlayTranscript.beginSection("Build and query");
    OverlaySimulation overlay =
        buildOverlay(8, 4, 6, new RecordingWorkload(false), overlayTranscript);
    runFor(overlay, 1);
    overlayTranscript.beginSection("Crash and repair");
    PeerId leader = overlay.structure().zones().firstKey().initiator();
    crash(overlay, leader);
    runFor(overlay, 3);
    overlayTranscript.beginSection("Join");
    churn.schedule(new FaultEvent.Return(overlay.simulation().tick(), (int) leader.number()));
    runFor(overlay, 2);
    overlayTranscript.beginSection("Leave");
    PeerId holder = overlay.structure().clusters(1).getLast().descriptor().replicas().getFirst();
    churn.schedule(new FaultEvent.Leave(overlay.simulation().tick(), (int) holder.number()));
    runFor(overlay, 2);
    assertThat(overlay.structure().violations()).isEmpty();
    String page =
        """
        # The life of a small overlay

        The overlay has eight peers, zones of at most four members, and a lease of half a second. Each line names the seconds, the sender, the
        receivers and the message. Zones are named by level and initiator, clusters by zone and number. Heartbeats are left out. A test compares this page with a simulation;
        `./x -pl studies -am test -Dtest=OverlayMembershipTest -Dsurefire.failIfNoSpecifiedTests=false -Dkindred.rewrite=true` rewrites it.

        ```
        """
            + String.join("\n", overlayTranscript.lines()).strip()
            + "\n```\n";
    if (Boolean.getBoolean("kindred.rewrite")) {
      Files.writeString(TRANSCRIPT, page);
    }
    assertThat(TRANSCRIPT).hasContent(page);
  }

  /** Gives the listed peers a new model with their next query. */
  private static final class ModelChangeWorkload implements OverlaySimulation.QueryWorkload {
    private final SortedSet<PeerId> changingPeers = new TreeSet<>();
    private final PeerSignatures newSignatures;
    private long number;

    ModelChangeWorkload(PeerSignatures other) {
      this.newSignatures = other;
    }

    @Override
    public Optional<QueryClient.IssueQuery> next(PeerId peer, long tick) {
      QueryClient.IssueQuery issueQuery =
          new QueryClient.IssueQuery(number++, 3, RULE, Ticks.ofSeconds(0.2));
      return Optional.of(
          changingPeers.remove(peer)
              ? issueQuery.withModel(newSignatures.signedMessage(peer))
              : issueQuery);
    }

    @Override
    public void answered(PeerId peer, OverlayLocalMessage.SearchFinished answer) {}
  }

  @Test
  void aZoneWhoseModelsTurnIsClusteredAgainAndOthersAreNot() {
    for (int seed = 1; seed <= 8; seed++) {
      ModelChangeWorkload modelChangeWorkload =
          new ModelChangeWorkload(SmallOverlays.drawSignatures(24, seed + 1000));
      OverlaySimulation overlay = buildOverlay(24, 6, seed, modelChangeWorkload, StepListener.NONE);
      SortedMap<ClusterId, ClusterDescriptor> before = prototypes(overlay);
      ZoneId zone = overlay.structure().zones().firstKey();
      List<PeerId> members = overlay.structure().zones().getOrDefault(zone, List.of());
      modelChangeWorkload.changingPeers.addAll(members);
      runFor(overlay, 6 * LEASE);
      // A peer whose model changes while the zone re-clusters causes a second re-clustering.
      assertThat(overlay.simulation().counts().getOrDefault("overlay-reclustered", 0L))
          .isBetween(1L, 2L);
      assertThat(overlay.simulation().counts()).doesNotContainKey("overlay-epoch");
      assertThat(overlay.structure().violations()).isEmpty();
      SortedMap<ClusterId, ClusterDescriptor> after = prototypes(overlay);
      List<Signature> signatures =
          members.stream()
              .map(peer -> modelChangeWorkload.newSignatures.signedMessage(peer).signature())
              .toList();
      for (ClusterDescriptor each : after.values()) {
        if (each.zone().equals(zone)) {
          assertThat(signatures).anyMatch(signature -> signature.cosine(each.prototype()) > 0.5);
        } else {
          assertThat(before).containsEntry(each.id(), each);
        }
      }
    }
  }

  private static SortedMap<ClusterId, ClusterDescriptor> prototypes(OverlaySimulation overlay) {
    SortedMap<ClusterId, ClusterDescriptor> found = new TreeMap<>();
    overlay
        .structure()
        .clusters(1)
        .forEach(replica -> found.put(replica.descriptor().id(), replica.descriptor()));
    return found;
  }

  @Test
  void aSmallChangeOfAModelCausesNoReclustering() {
    ModelChangeWorkload modelChangeWorkload =
        new ModelChangeWorkload(SmallOverlays.drawSignatures(24, 1));
    OverlaySimulation overlay = buildOverlay(24, 6, 1, modelChangeWorkload, StepListener.NONE);
    modelChangeWorkload.changingPeers.addAll(overlay.livePeers());
    runFor(overlay, 6 * LEASE);
    assertThat(overlay.simulation().counts())
        .doesNotContainKeys("overlay-reclustered", "overlay-drifted");
  }

  @Test
  void aMembersCrashConcernsItsZoneAlone() {
    OverlayStudy study =
        new Binder(Experiment.CATALOGUES)
            .bind(
                OverlayStudy.class,
                ConfigFile.parse("study", "{peers: 60, overlay: {zoneSize: 10}}\n"));
    ResilienceResults.RepairCost repairCost =
        new ResilienceStudy(study, Progress.SILENT)
            .measureRepairs().stream()
                .filter(each -> each.crashedRole().equals("member"))
                .findFirst()
                .orElseThrow();
    // Three replicas of its cluster, two deputies of the zone, and the leader of the zone above.
    assertThat(repairCost.messagesByKind().keySet())
        .isSubsetOf("ReplicaAssigned", "ReplicateZone", "ClusterReport");
    assertThat(repairCost.messages()).isBetween(3L, 6L);
  }
}
