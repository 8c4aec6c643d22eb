package io.kindred.lab.overlay;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.protocol.overlay.Candidacy;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.world.BarabasiAlbert;
import io.kindred.world.Complete;
import io.kindred.world.ErdosRenyi;
import io.kindred.world.Expander;
import io.kindred.world.Graph;
import io.kindred.world.GraphFile;
import io.kindred.world.KRegular;
import io.kindred.world.RandomGeometric;
import io.kindred.world.Ring;
import io.kindred.world.Star;
import io.kindred.world.Topologies;
import io.kindred.world.Topology;
import io.kindred.world.Torus;
import io.kindred.world.WattsStrogatz;
import io.kindred.world.World;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What must hold of every overlay, whatever the network and the luck of the draw. */
class StructureTest {
  /** 500 seeds take turns in the topologies; with the property, all topologies for every seed. */
  private static final int SEEDS = 500;

  private static final boolean EVERYTHING = Boolean.getBoolean("kindred.overlay.everything");

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
      if (EVERYTHING) {
        for (Topology topology : topologies) {
          check(topology, seed);
        }
      } else {
        check(topologies.get(seed % topologies.size()), seed);
      }
    }
  }

  /** The zone next to the top's was merged into it when the level above had begun. */
  @Test
  void aZoneWhoseOnlyNeighbourMergedIntoItIsTheTop() {
    check(new Star(), 709);
  }

  /** One that gave up its zone was handed another, and was thought to have none. */
  @Test
  void whoLeadsAgainIsWaitedFor() {
    check(new Ring(), 99);
  }

  /** A score of the next level overtook a hand-over to one that had given up its zone. */
  @Test
  void whoIsHandedAZoneIsWaitedFor() {
    check(new GraphFile("written.txt"), 425);
  }

  /** It was crowned before the last zone of its level had settled. */
  @Test
  void aTopThatIsNotTheLastGoesOn() {
    check(new GraphFile("written.txt"), 1114);
  }

  private static void check(Topology topology, int seed) {
    // Even numbers of at least six, as some topologies want them.
    int peers = 6 + 2 * ((seed * 7) % 20);
    OverlaySettings.RootSet roots =
        seed % 2 == 0 ? OverlaySettings.RootSet.TREE : OverlaySettings.RootSet.MESH;
    OverlaySettings settings = Small.settings(2 + seed % 9, roots);
    Trial trial =
        Small.trial(world(topology, peers, seed), settings, Small.SILENCE, new CheapProofs());
    trial.run();
    assertThat(trial.structure().faults())
        .as("%s, %d peers, S_Z %d, seed %d", topology, peers, settings.zoneSize(), seed)
        .isEmpty();
    assertThat(trial.ready()).isEqualTo(peers);
  }

  /** A written graph: a line with a few chords. */
  private static World world(Topology topology, int peers, int seed) {
    if (!(topology instanceof GraphFile)) {
      return Small.world(peers, topology, seed);
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
    return Small.world(graph, seed);
  }

  @Test
  void theSameSeedGivesTheSameOverlay() {
    Trial first = built(3);
    Trial second = built(3);
    assertThat(second.simulation().traceHash()).isEqualTo(first.simulation().traceHash());
    assertThat(second.structure().clusters()).isEqualTo(first.structure().clusters());
    assertThat(built(4).simulation().traceHash()).isNotEqualTo(first.simulation().traceHash());
  }

  @Test
  void realProofsGiveAWholeOverlay() {
    Trial trial = built(5);
    assertThat(trial.structure().faults()).isEmpty();
    assertThat(trial.simulation().counts()).doesNotContainKey("overlay-refused-proof");
  }

  private static Trial built(long seed) {
    Trial trial =
        Small.trial(
            Small.world(24, new KRegular(4), seed),
            Small.settings(6, OverlaySettings.RootSet.TREE),
            Small.SILENCE,
            Candidacy.proofs(seed, 24));
    trial.run();
    return trial;
  }
}
