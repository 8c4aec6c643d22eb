package io.kindred.studies.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.NetworkSettings;
import io.kindred.environment.Segments;
import io.kindred.environment.SimulatedEnvironment;
import io.kindred.environment.churn.NoChurn;
import io.kindred.environment.device.AlikeDevices;
import io.kindred.environment.fault.Faults;
import io.kindred.environment.link.EvenLinks;
import io.kindred.environment.topology.Graph;
import io.kindred.environment.topology.Topology;
import io.kindred.protocol.clustering.AffinityRule;
import io.kindred.protocol.overlay.MaintenanceSettings;
import io.kindred.protocol.overlay.OverlayLocalMessage;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.ProofVerifier;
import io.kindred.protocol.overlay.ThresholdRule;
import io.kindred.protocol.signature.Precision;
import io.kindred.protocol.signature.SignatureRule;
import java.util.Optional;

/** Small overlays for tests. */
final class SmallOverlays {
  static final SignatureRule SIGNATURES =
      new SignatureRule(
          SignatureRule.Subject.DELTA, 0, 5, 0.8, 0, 0.05, 1, 0.9, 0.5, Precision.BFLOAT16);

  /** Issues no queries. */
  static final OverlaySimulation.QueryWorkload NO_QUERIES =
      new OverlaySimulation.QueryWorkload() {
        @Override
        public Optional<QueryClient.IssueQuery> next(PeerId peer, long tick) {
          return Optional.empty();
        }

        @Override
        public void answered(PeerId peer, OverlayLocalMessage.SearchFinished answer) {}
      };

  private static final NetworkSettings NETWORK =
      new NetworkSettings(
          new AlikeDevices(1e9, 200, 1, 4, 1),
          new EvenLinks(0.02, 0),
          0.05,
          0,
          new Segments(1, 1000),
          1000,
          0.5);

  /** The same network with an environment tick every tenth of a second, for scripted churn. */
  static final NetworkSettings NETWORK_WITH_SHORT_TICKS =
      new NetworkSettings(
          NETWORK.devices(),
          NETWORK.links(),
          NETWORK.jitter(),
          NETWORK.rewire(),
          NETWORK.segments(),
          0.1,
          NETWORK.noticeSeconds());

  private SmallOverlays() {}

  static OverlaySettings settings(int zoneSize, OverlaySettings.RootDissemination roots) {
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
        MaintenanceSettings.DISABLED);
  }

  static SimulatedEnvironment world(int peers, Topology topology, long seed) {
    RandomStreams streams = new RandomStreams(seed);
    return world(topology.connect(peers, streams.stream(Purpose.TOPOLOGY, 0, 0)), seed);
  }

  static SimulatedEnvironment world(Graph graph, long seed) {
    return new SimulatedEnvironment(
        graph, NETWORK, new NoChurn(), Faults.NONE, new RandomStreams(seed));
  }

  static PeerSignatures drawSignatures(int peers, long seed) {
    return new SyntheticSignatures(64, 12, 2, 6, new SyntheticSignatures.VectorShares(0.5, 1, 0.5))
        .draw(peers, seed);
  }

  static OverlaySimulation newSimulation(
      SimulatedEnvironment environment,
      OverlaySettings settings,
      OverlaySimulation.QueryWorkload queryWorkload,
      ProofVerifier verifier) {
    int peers = environment.graph().peers();
    return new OverlaySimulation(
        environment,
        settings,
        drawSignatures(peers, environment.streams().seed()),
        queryWorkload,
        verifier,
        Runnable::run);
  }
}
