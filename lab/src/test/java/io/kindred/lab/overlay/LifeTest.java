package io.kindred.lab.overlay;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.PeerId;
import io.kindred.core.Ticks;
import io.kindred.core.random.RandomStreams;
import io.kindred.files.config.Binder;
import io.kindred.files.config.ConfigFile;
import io.kindred.lab.experiment.Experiment;
import io.kindred.lab.run.Progress;
import io.kindred.protocol.clusters.ClusterDescriptor;
import io.kindred.protocol.clusters.ClusterId;
import io.kindred.protocol.clusters.ZoneId;
import io.kindred.protocol.overlay.LifeRule;
import io.kindred.protocol.overlay.OverlayNote;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.SearchRule;
import io.kindred.protocol.signatures.Signature;
import io.kindred.simulator.Inspector;
import io.kindred.world.Change;
import io.kindred.world.KRegular;
import io.kindred.world.World;
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

/** What becomes of an overlay when peers crash, leave and come. */
class LifeTest {
  private static final Path TRANSCRIPT =
      Path.of(
          Files.exists(Path.of("../docs")) ? ".." : "", "docs/explanation/overlay-transcript.md");

  private static final double LEASE = 0.5;
  private static final SearchRule RULE = new SearchRule(8, SearchRule.Reading.NODE, 0);

  /** Everybody asks without end, or only when told to. */
  private static final class Asking implements Trial.Questions {
    private final boolean always;
    private final List<OverlayNote.Searched> answers = new ArrayList<>();
    private long number;

    Asking(boolean always) {
      this.always = always;
    }

    @Override
    public Optional<Asker.Ask> next(PeerId peer, long tick) {
      boolean asks = always || (peer.number() == 0 && number == 0);
      return asks
          ? Optional.of(new Asker.Ask(number++, 3, RULE, Ticks.ofSeconds(always ? 0.2 : 2)))
          : Optional.empty();
    }

    @Override
    public void answered(PeerId peer, OverlayNote.Searched answer) {
      answers.add(answer);
    }
  }

  private final Director director = new Director();

  private Trial trial(
      int peers, int zoneSize, long seed, Trial.Questions asking, Inspector inspector) {
    return trial(peers, zoneSize, seed, LEASE, asking, inspector);
  }

  private Trial trial(
      int peers,
      int zoneSize,
      long seed,
      double lease,
      Trial.Questions asking,
      Inspector inspector) {
    World calm = Small.world(peers, new KRegular(4), seed);
    World world =
        new World(
            calm.graph(), Small.NETWORK_OFTEN, director, calm.faults(), new RandomStreams(seed));
    OverlaySettings settings =
        Small.settings(zoneSize, OverlaySettings.RootSet.TREE)
            .with(new LifeRule(lease, 5, 0, 256, 0.2));
    Trial trial =
        new Trial(
            world,
            settings,
            Small.population(peers, seed),
            asking,
            new CheapProofs(),
            Runnable::run,
            inspector);
    trial.runUntil(Ticks.ofSeconds(5));
    assertThat(trial.structure().faults()).isEmpty();
    return trial;
  }

  private static void pass(Trial trial, double seconds) {
    trial.runUntil(trial.simulation().tick() + Ticks.ofSeconds(seconds));
  }

  private void crash(Trial trial, PeerId peer) {
    director.want(new Change.Crash(trial.simulation().tick(), (int) peer.number(), true));
  }

  @Test
  void nothingIsRepairedThatIsWhole() {
    Trial trial = trial(24, 6, 1, new Asking(false), Inspector.NONE);
    pass(trial, 20);
    assertThat(trial.simulation().counts())
        .doesNotContainKeys("overlay-gone", "overlay-taken-over", "overlay-epoch");
    assertThat(trial.structure().faults()).isEmpty();
  }

  @Test
  void aLeaseBeginsWhenAllIsBuiltHoweverLongThatTook() {
    double lease = 0.1;
    Trial trial = trial(60, 6, 1, lease, new Asking(false), Inspector.NONE);
    assertThat(Ticks.toSeconds(trial.readyTick())).isGreaterThan(8 * lease);
    assertThat(trial.simulation().counts())
        .doesNotContainKeys("overlay-lost", "overlay-taken-over", "overlay-epoch");
  }

  @Test
  void theOverlayIsWholeTwoLeasesAfterACrashWithoutAnotherEpoch() {
    for (int seed = 1; seed <= 8; seed++) {
      Trial trial = trial(24, 6, seed, new Asking(false), Inspector.NONE);
      List<PeerId> leaders =
          trial.structure().zones().keySet().stream()
              .filter(zone -> zone.level() == 1)
              .map(ZoneId::initiator)
              .toList();
      crash(trial, leaders.get(seed % leaders.size()));
      pass(trial, 0.1 + 2.5 * LEASE);
      assertThat(trial.present()).hasSize(23);
      assertThat(trial.structure().faults()).as("seed %d", seed).isEmpty();
      assertThat(trial.simulation().counts()).containsKey("overlay-taken-over");
      assertThat(trial.simulation().counts()).doesNotContainKey("overlay-epoch");
    }
  }

  @Test
  void aSingleCrashIsMasked() {
    Asking asking = new Asking(true);
    Trial trial = trial(24, 6, 3, asking, Inspector.NONE);
    crash(trial, trial.structure().clusters(1).getFirst().cluster().replicas().getFirst());
    asking.answers.clear();
    pass(trial, 12);
    assertThat(asking.answers).hasSizeGreaterThan(100);
    assertThat(asking.answers).allSatisfy(each -> assertThat(each.candidates()).isNotEmpty());
    assertThat(trial.simulation().counts()).doesNotContainKey("overlay-unanswered");
  }

  @Test
  void whoLeavesIsReplacedWithoutWaitingForItsLease() {
    Trial trial = trial(24, 6, 2, new Asking(false), Inspector.NONE);
    PeerId leader = trial.structure().zones().firstKey().initiator();
    director.want(new Change.Leave(trial.simulation().tick(), (int) leader.number()));
    pass(trial, 0.1 + 2.5 * LEASE);
    assertThat(trial.present()).doesNotContain(leader);
    assertThat(trial.structure().faults()).isEmpty();
    assertThat(trial.simulation().counts()).containsKey("overlay-handed-on");
    assertThat(trial.simulation().counts()).doesNotContainKey("overlay-gone");
  }

  @Test
  void aNewcomerIsPlacedAmongTheMostSimilarThatHaveRoom() {
    Trial trial = trial(24, 6, 4, new Asking(false), Inspector.NONE);
    PeerId peer = new PeerId(7);
    crash(trial, peer);
    pass(trial, 3);
    director.want(new Change.Return(trial.simulation().tick(), 7));
    pass(trial, 2);
    assertThat(trial.present()).hasSize(24);
    assertThat(trial.structure().faults()).isEmpty();
    assertThat(trial.simulation().counts()).containsKey("overlay-joined");
    assertThat(trial.simulation().counts()).doesNotContainKey("overlay-epoch");
  }

  @Test
  void aFullDeskSendsQueriesElsewhere() {
    Asking asking = new Asking(true);
    World calm = Small.world(16, new KRegular(4), 5);
    OverlaySettings settings =
        Small.settings(6, OverlaySettings.RootSet.TREE).with(new LifeRule(LEASE, 5, 0, 1, 0.2));
    Trial trial =
        new Trial(
            calm, settings, Small.population(16, 5), asking, new CheapProofs(), Runnable::run);
    trial.runUntil(Ticks.ofSeconds(15));
    assertThat(trial.simulation().counts()).containsKey("overlay-query-refused");
    assertThat(asking.answers).hasSizeGreaterThan(50);
  }

  @Test
  void theTranscriptIsWhatHappens() throws IOException {
    Chronicle chronicle = new Chronicle();
    chronicle.chapter("Build and query");
    Trial trial = trial(8, 4, 6, new Asking(false), chronicle);
    pass(trial, 1);
    chronicle.chapter("Crash and repair");
    PeerId leader = trial.structure().zones().firstKey().initiator();
    crash(trial, leader);
    pass(trial, 3);
    chronicle.chapter("Join");
    director.want(new Change.Return(trial.simulation().tick(), (int) leader.number()));
    pass(trial, 2);
    chronicle.chapter("Leave");
    PeerId holder = trial.structure().clusters(1).getLast().cluster().replicas().getFirst();
    director.want(new Change.Leave(trial.simulation().tick(), (int) holder.number()));
    pass(trial, 2);
    assertThat(trial.structure().faults()).isEmpty();
    String page =
        """
        # The life of a small overlay

        Eight peers, zones of at most four, a lease of half a second. Each line: seconds, who tells whom, and what; zones are named by
        level and initiator, clusters by zone and number. Signs of life are left out. A test compares this page with what happens;
        `./x -pl lab -am test -Dtest=LifeTest -Dsurefire.failIfNoSpecifiedTests=false -Dkindred.rewrite=true` rewrites it.

        ```
        """
            + String.join("\n", chronicle.text()).strip()
            + "\n```\n";
    if (Boolean.getBoolean("kindred.rewrite")) {
      Files.writeString(TRANSCRIPT, page);
    }
    assertThat(TRANSCRIPT).hasContent(page);
  }

  /** Gives some peers another model when asked to. */
  private static final class Turning implements Trial.Questions {
    private final SortedSet<PeerId> turning = new TreeSet<>();
    private final Population other;
    private long number;

    Turning(Population other) {
      this.other = other;
    }

    @Override
    public Optional<Asker.Ask> next(PeerId peer, long tick) {
      Asker.Ask ask = new Asker.Ask(number++, 3, RULE, Ticks.ofSeconds(0.2));
      return Optional.of(turning.remove(peer) ? ask.with(other.signed(peer)) : ask);
    }

    @Override
    public void answered(PeerId peer, OverlayNote.Searched answer) {}
  }

  @Test
  void aZoneWhoseModelsTurnIsClusteredAgainAndOthersAreNot() {
    for (int seed = 1; seed <= 8; seed++) {
      Turning turning = new Turning(Small.population(24, seed + 1000));
      Trial trial = trial(24, 6, seed, turning, Inspector.NONE);
      SortedMap<ClusterId, ClusterDescriptor> before = prototypes(trial);
      ZoneId zone = trial.structure().zones().firstKey();
      List<PeerId> members = trial.structure().zones().getOrDefault(zone, List.of());
      turning.turning.addAll(members);
      pass(trial, 6 * LEASE);
      // Who turns while others are asked is waited for once more.
      assertThat(trial.simulation().counts().getOrDefault("overlay-regrouped", 0L))
          .isBetween(1L, 2L);
      assertThat(trial.simulation().counts()).doesNotContainKey("overlay-epoch");
      assertThat(trial.structure().faults()).isEmpty();
      SortedMap<ClusterId, ClusterDescriptor> after = prototypes(trial);
      List<Signature> signatures =
          members.stream().map(peer -> turning.other.signed(peer).signature()).toList();
      for (ClusterDescriptor each : after.values()) {
        if (each.zone().equals(zone)) {
          assertThat(signatures).anyMatch(signature -> signature.cosine(each.prototype()) > 0.5);
        } else {
          assertThat(before).containsEntry(each.id(), each);
        }
      }
    }
  }

  private static SortedMap<ClusterId, ClusterDescriptor> prototypes(Trial trial) {
    SortedMap<ClusterId, ClusterDescriptor> found = new TreeMap<>();
    trial.structure().clusters(1).forEach(seat -> found.put(seat.cluster().id(), seat.cluster()));
    return found;
  }

  @Test
  void aModelThatHardlyTurnsDisturbsNobody() {
    Turning turning = new Turning(Small.population(24, 1));
    Trial trial = trial(24, 6, 1, turning, Inspector.NONE);
    turning.turning.addAll(trial.present());
    pass(trial, 6 * LEASE);
    assertThat(trial.simulation().counts())
        .doesNotContainKeys("overlay-regrouped", "overlay-drifted");
  }

  @Test
  void aMembersCrashConcernsItsZoneAlone() {
    Study study =
        new Binder(Experiment.CATALOGUES)
            .bind(Study.class, ConfigFile.parse("study", "{peers: 60, overlay: {zoneSize: 10}}\n"));
    Survival.Repair repair =
        new Survival(study, Progress.SILENT)
            .repairs().stream()
                .filter(each -> each.who().equals("member"))
                .findFirst()
                .orElseThrow();
    // Three hold its cluster, two stand in for the zone's leader, and one leads the zone above.
    assertThat(repair.kinds().keySet()).isSubsetOf("Appointment", "Copy", "Contribution");
    assertThat(repair.messages()).isBetween(3L, 6L);
  }
}
