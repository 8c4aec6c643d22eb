package io.kindred.lab.overlay;

import io.kindred.core.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.protocol.clusters.AffinityRule;
import io.kindred.protocol.overlay.LifeRule;
import io.kindred.protocol.overlay.OverlayNote;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.Proofs;
import io.kindred.protocol.search.ThresholdRule;
import io.kindred.protocol.signatures.Precision;
import io.kindred.protocol.signatures.SignatureRule;
import io.kindred.world.AlikeDevices;
import io.kindred.world.EvenLinks;
import io.kindred.world.Faults;
import io.kindred.world.Graph;
import io.kindred.world.Network;
import io.kindred.world.NoChurn;
import io.kindred.world.Segments;
import io.kindred.world.Topology;
import io.kindred.world.World;
import java.util.Optional;

/** Small overlays for tests. */
final class Small {
  static final SignatureRule SIGNATURES =
      new SignatureRule(
          SignatureRule.Subject.DELTA, 0, 5, 0.8, 0, 0.05, 1, 0.9, 0.5, Precision.BFLOAT16);

  /** Asks nothing. */
  static final Trial.Questions SILENCE =
      new Trial.Questions() {
        @Override
        public Optional<Asker.Ask> next(PeerId peer, long tick) {
          return Optional.empty();
        }

        @Override
        public void answered(PeerId peer, OverlayNote.Searched answer) {}
      };

  private static final Network NETWORK =
      new Network(
          new AlikeDevices(1e9, 200, 1, 4, 1),
          new EvenLinks(0.02, 0),
          0.05,
          0,
          new Segments(1, 1000),
          1000,
          0.5);

  /** The same world, but turning every tenth of a second, for those who direct it. */
  static final Network NETWORK_OFTEN =
      new Network(
          NETWORK.devices(),
          NETWORK.links(),
          NETWORK.jitter(),
          NETWORK.rewire(),
          NETWORK.segments(),
          0.1,
          NETWORK.noticeSeconds());

  private Small() {}

  static OverlaySettings settings(int zoneSize, OverlaySettings.RootSet roots) {
    return new OverlaySettings(
        2,
        zoneSize,
        8,
        3,
        8,
        0.05,
        roots,
        ThresholdRule.DEFAULT,
        AffinityRule.DEFAULT,
        SIGNATURES,
        LifeRule.NONE);
  }

  static World world(int peers, Topology topology, long seed) {
    RandomStreams streams = new RandomStreams(seed);
    return world(topology.connect(peers, streams.stream(Purpose.TOPOLOGY, 0, 0)), seed);
  }

  static World world(Graph graph, long seed) {
    return new World(graph, NETWORK, new NoChurn(), Faults.NONE, new RandomStreams(seed));
  }

  static Population population(int peers, long seed) {
    return new Planted(64, 12, 2, 6, new Planted.Shares(0.5, 1, 0.5)).draw(peers, seed);
  }

  static Trial trial(
      World world, OverlaySettings settings, Trial.Questions questions, Proofs proofs) {
    int peers = world.graph().peers();
    return new Trial(
        world,
        settings,
        population(peers, world.streams().seed()),
        questions,
        proofs,
        Runnable::run);
  }
}
