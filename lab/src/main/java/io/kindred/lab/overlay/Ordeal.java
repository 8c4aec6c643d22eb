package io.kindred.lab.overlay;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.settings.Setting;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.world.BarabasiAlbert;
import io.kindred.world.Churn;
import io.kindred.world.Complete;
import io.kindred.world.ErdosRenyi;
import io.kindred.world.Faults;
import io.kindred.world.KRegular;
import io.kindred.world.Network;
import io.kindred.world.NoChurn;
import io.kindred.world.Ring;
import io.kindred.world.SteadyChurn;
import io.kindred.world.TextFiles;
import io.kindred.world.Topology;
import io.kindred.world.WattsStrogatz;
import io.kindred.world.World;
import java.util.List;

/** An overlay that is attacked while it is asked, and then has to mend itself. */
public record Ordeal(
    @Setting(doc = "how many peers", fallback = "24", min = 2, max = 1e6) int peers,
    @Setting(doc = "what every random draw is derived from", fallback = "1", min = 0) long seed,
    @Setting(doc = "who is whose neighbour", fallback = "{name: k-regular, degree: 4}")
        Topology topology,
    @Setting(doc = "what lies between peers and what they run on", fallback = "{}") Network network,
    @Setting(doc = "how the overlay is built and kept alive", fallback = "{}")
        OverlaySettings overlay,
    @Setting(doc = "how peers come and go", fallback = "none") Churn churn,
    @Setting(doc = "what else goes wrong", fallback = "{}") Faults faults,
    @Setting(doc = "seconds between an answer and the next query", fallback = "1", above = 0)
        double everySeconds,
    @Setting(
            doc = "seconds after the attack within which all has to be mended",
            fallback = "60",
            above = 0)
        double healSeconds) {
  /** The least and the number of kinds of what seeds vary. */
  private static final int LEAST_PEERS = 6;

  private static final int LEAST_ZONE = 3;
  private static final int ZONES = 8;

  World world(TextFiles files) {
    RandomStreams streams = new RandomStreams(seed);
    return new World(
        topology.connect(peers, streams.stream(Purpose.TOPOLOGY, 0, 0), files),
        network,
        churn,
        faults,
        streams);
  }

  /** Signatures, of which a share is drawn another time. */
  Population population(double share) {
    return new Planted(64, 12, 2, 6, new Planted.Shares(0.5, 1, 0.5)).turned(peers, seed, share);
  }

  /**
   * The same with a seed of its own: a network, zones and churn that are drawn, and the given
   * faults.
   */
  public Ordeal seeded(long number, Faults drawn) {
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
    // Even numbers, as some topologies want them.
    int size = LEAST_PEERS + 2 * random.nextInt(Math.max(1, (peers - LEAST_PEERS) / 2 + 1));
    int zone = LEAST_ZONE + random.nextInt(ZONES);
    OverlaySettings.RootSet roots =
        random.nextInt(2) == 0 ? OverlaySettings.RootSet.TREE : OverlaySettings.RootSet.MESH;
    boolean calm = random.nextInt(3) == 0;
    double rate = Math.round(random.nextDouble() * 1e6) / 1e6;
    Churn comings =
        churn instanceof SteadyChurn most && !calm
            ? new SteadyChurn(most.rate() * rate, most.announced(), most.newcomers())
            : new NoChurn();
    OverlaySettings settings = overlay.withZones(zone).with(roots);
    return new Ordeal(
        size, number, other, network, settings, comings, drawn, everySeconds, healSeconds);
  }
}
