package io.kindred.studies.overlay;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.SimulatedEnvironment;
import io.kindred.environment.topology.BarabasiAlbert;
import io.kindred.environment.topology.Complete;
import io.kindred.environment.topology.ErdosRenyi;
import io.kindred.environment.topology.Expander;
import io.kindred.environment.topology.Graph;
import io.kindred.environment.topology.GraphFile;
import io.kindred.environment.topology.KRegular;
import io.kindred.environment.topology.RandomGeometric;
import io.kindred.environment.topology.Ring;
import io.kindred.environment.topology.Star;
import io.kindred.environment.topology.Topologies;
import io.kindred.environment.topology.Topology;
import io.kindred.environment.topology.Torus;
import io.kindred.environment.topology.WattsStrogatz;
import io.kindred.protocol.overlay.ElectionIdentity;
import io.kindred.protocol.overlay.OverlaySettings;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Invariants of every overlay, for any network and any seed. */
class OverlayStructureTest {
  /**
   * 500 seeds cycle through the topologies; with the system property, every seed runs all
   * topologies.
   */
  private static final int SEEDS = 500;

  private static final boolean ALL_TOPOLOGIES = Boolean.getBoolean("kindred.overlay.everything");

  private static List<Topology> topologies() {
    return List.of(
        new ErdosRenyi(4),
        new BarabasiAlbert(2),
        new RandomGeometric(4, 0),
        new WattsStrogatz(4, 0.3),
        new KRegular(4),
        new Expander(4),
        new Ring(),
        new Torus(0),
        new Star(),
        new Complete(),
        new GraphFile("written.txt"));
  }

  @Test
  void everyTopologyIsTried() {
    assertThat(topologies().stream().map(Object::getClass).toList())
        .containsExactlyInAnyOrderElementsOf(Topologies.ALL.choices());
  }

  @Test
  void everyOverlayIsWhole() {
    List<Topology> topologies = topologies();
    for (int seed = 1; seed <= SEEDS; seed++) {
      if (ALL_TOPOLOGIES) {
        for (Topology topology : topologies) {
          check(topology, seed);
        }
      } else {
        check(topologies.get(seed % topologies.size()), seed);
      }
    }
  }

  /** Regression: the zone next to the top zone merged into it after the next level had started. */
  @Test
  void aZoneWhoseOnlyNeighbourMergedIntoItIsTheTop() {
    check(new Star(), 709);
  }

  /**
   * Regression: a leader that had given up its zone received another one, but counted as without a
   * zone.
   */
  @Test
  void whoLeadsAgainIsWaitedFor() {
    check(new Ring(), 99);
  }

  /**
   * Regression: a score of the next level overtook a zone split to a peer that had given up its
   * zone.
   */
  @Test
  void whoIsHandedAZoneIsWaitedFor() {
    check(new GraphFile("written.txt"), 425);
  }

  /** Regression: a root was declared before the last zone of its level had settled. */
  @Test
  void aTopThatIsNotTheLastGoesOn() {
    check(new GraphFile("written.txt"), 1114);
  }

  private static void check(Topology topology, int seed) {
    // Some topologies need an even number of at least six peers.
    int peers = 6 + 2 * ((seed * 7) % 20);
    OverlaySettings.RootDissemination roots =
        seed % 2 == 0
            ? OverlaySettings.RootDissemination.TREE
            : OverlaySettings.RootDissemination.MESH;
    OverlaySettings settings = SmallOverlays.settings(2 + seed % 9, roots);
    OverlaySimulation overlay =
        SmallOverlays.newSimulation(
            world(topology, peers, seed),
            settings,
            SmallOverlays.NO_QUERIES,
            new UncheckedProofVerifier());
    overlay.run();
    assertThat(overlay.structure().violations())
        .as("%s, %d peers, S_Z %d, seed %d", topology, peers, settings.zoneSize(), seed)
        .isEmpty();
    assertThat(overlay.readyPeers()).isEqualTo(peers);
  }

  /** For a graph file, writes a line graph with a few chords. */
  private static SimulatedEnvironment world(Topology topology, int peers, int seed) {
    if (!(topology instanceof GraphFile)) {
      return SmallOverlays.world(peers, topology, seed);
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i + 1 < peers; i++) {
      text.append(i).append(' ').append(i + 1).append('\n');
      if (i % 5 == seed % 5 && i + 4 < peers) {
        text.append(i).append(' ').append(i + 4).append('\n');
      }
    }
    Graph graph =
        topology.connect(
            peers,
            new RandomStreams(seed).stream(Purpose.TOPOLOGY, 0, 0),
            path -> Optional.of(text.toString()));
    return SmallOverlays.world(graph, seed);
  }

  @Test
  void theSameSeedGivesTheSameOverlay() {
    OverlaySimulation first = buildOverlay(3);
    OverlaySimulation second = buildOverlay(3);
    assertThat(second.simulation().traceHash()).isEqualTo(first.simulation().traceHash());
    assertThat(second.structure().clusters()).isEqualTo(first.structure().clusters());
    assertThat(buildOverlay(4).simulation().traceHash())
        .isNotEqualTo(first.simulation().traceHash());
  }

  @Test
  void realProofsGiveAWholeOverlay() {
    OverlaySimulation overlay = buildOverlay(5);
    assertThat(overlay.structure().violations()).isEmpty();
    assertThat(overlay.simulation().counts()).doesNotContainKey("overlay-refused-proof");
  }

  private static OverlaySimulation buildOverlay(long seed) {
    OverlaySimulation overlay =
        SmallOverlays.newSimulation(
            SmallOverlays.world(24, new KRegular(4), seed),
            SmallOverlays.settings(6, OverlaySettings.RootDissemination.TREE),
            SmallOverlays.NO_QUERIES,
            ElectionIdentity.verifier(seed, 24));
    overlay.run();
    return overlay;
  }
}
