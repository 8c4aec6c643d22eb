package io.kindred.studies.overlay;

import io.kindred.core.config.Setting;
import io.kindred.core.config.TextFiles;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.record.Buildable;
import io.kindred.environment.NetworkSettings;
import io.kindred.environment.SimulatedEnvironment;
import io.kindred.environment.churn.ChurnModel;
import io.kindred.environment.churn.NoChurn;
import io.kindred.environment.churn.SteadyChurn;
import io.kindred.environment.fault.Faults;
import io.kindred.environment.topology.BarabasiAlbert;
import io.kindred.environment.topology.Complete;
import io.kindred.environment.topology.ErdosRenyi;
import io.kindred.environment.topology.KRegular;
import io.kindred.environment.topology.Ring;
import io.kindred.environment.topology.Topology;
import io.kindred.environment.topology.WattsStrogatz;
import io.kindred.protocol.overlay.OverlaySettings;
import java.util.List;

/** An overlay that answers queries under faults and then has to repair itself. */
@Buildable
public record OverlayFuzzCase(
    @Setting(doc = "number of peers", fallback = "24", min = 2, max = 1e6) int peers,
    @Setting(doc = "seed of all random draws", fallback = "1", min = 0) long seed,
    @Setting(doc = "which peers are neighbours", fallback = "{name: k-regular, degree: 4}")
        Topology topology,
    @Setting(doc = "links between peers, and the devices that peers run on", fallback = "{}")
        NetworkSettings network,
    @Setting(doc = "how the overlay is built and maintained", fallback = "{}")
        OverlaySettings overlay,
    @Setting(doc = "how peers leave and return", fallback = "none") ChurnModel churn,
    @Setting(doc = "faults other than churn", fallback = "{}") Faults faults,
    @Setting(doc = "seconds between an answer and the next query", fallback = "1", above = 0)
        double everySeconds,
    @Setting(
            doc = "seconds after the last fault within which the overlay has to be repaired",
            fallback = "60",
            above = 0)
        double healSeconds) {
  /** Minimum network size, minimum zone size, and number of zone sizes that seeds vary. */
  private static final int MINIMUM_PEERS = 6;

  private static final int MINIMUM_ZONE_SIZE = 3;
  private static final int ZONE_SIZE_VARIANTS = 8;

  SimulatedEnvironment world(TextFiles files) {
    RandomStreams streams = new RandomStreams(seed);
    return new SimulatedEnvironment(
        topology.connect(peers, streams.stream(Purpose.TOPOLOGY, 0, 0), files),
        network,
        churn,
        faults,
        streams);
  }

  /** Draws signatures; the given share of the peers has drifted to a second draw. */
  PeerSignatures drawSignatures(double share) {
    return new SyntheticSignatures(64, 12, 2, 6, new SyntheticSignatures.VectorShares(0.5, 1, 0.5))
        .drawWithDrift(peers, seed, share);
  }

  /**
   * This case with another seed, which draws the network, the zones and the churn; the faults are
   * given.
   */
  public OverlayFuzzCase withSeed(long number, Faults drawnFaults) {
    RandomStream random = new RandomStreams(number).stream(Purpose.CHURN, -2, 0);
    List<Topology> topologies =
        List.of(
            topology,
            new ErdosRenyi(4),
            new BarabasiAlbert(2),
            new WattsStrogatz(4, 0.3),
            new KRegular(4),
            new Ring(),
            new Complete());
    Topology other = topologies.get(random.nextInt(topologies.size()));
    // Some topologies need an even number of peers.
    int size = MINIMUM_PEERS + 2 * random.nextInt(Math.max(1, (peers - MINIMUM_PEERS) / 2 + 1));
    int zone = MINIMUM_ZONE_SIZE + random.nextInt(ZONE_SIZE_VARIANTS);
    OverlaySettings.RootDissemination roots =
        random.nextInt(2) == 0
            ? OverlaySettings.RootDissemination.TREE
            : OverlaySettings.RootDissemination.MESH;
    boolean withoutChurn = random.nextInt(3) == 0;
    double rate = Math.round(random.nextDouble() * 1e6) / 1e6;
    ChurnModel drawnChurn =
        churn instanceof SteadyChurn most && !withoutChurn
            ? new SteadyChurn(most.rate() * rate, most.announced(), most.newcomers())
            : new NoChurn();
    OverlaySettings settings = overlay.withZoneSize(zone).with(roots);
    return OverlayFuzzCaseBuilder.from(this)
        .peers(size)
        .seed(number)
        .topology(other)
        .overlay(settings)
        .churn(drawnChurn)
        .faults(drawnFaults)
        .build();
  }
}
