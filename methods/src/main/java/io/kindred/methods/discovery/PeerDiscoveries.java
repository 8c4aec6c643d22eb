package io.kindred.methods.discovery;

import io.kindred.core.config.Catalogue;
import io.kindred.protocol.discovery.Discovery;
import io.kindred.protocol.overlay.machine.Overlay;
import java.util.ArrayList;
import java.util.List;

/** Every discovery that an experiment file can name. */
public final class PeerDiscoveries {
  public static final Catalogue<PeerDiscovery> ALL =
      new Catalogue<>(
          PeerDiscovery.class,
          "discovery",
          List.of(
              ViewDiscovery.class,
              OverlayDiscovery.class,
              ExactDiscovery.class,
              RandomDiscovery.class,
              NeighbourDiscovery.class));

  private PeerDiscoveries() {}

  /** Records that a codec needs for any discovery besides the states of its machines. */
  public static List<Class<?>> records() {
    List<Class<?>> records = new ArrayList<>(Overlay.records());
    records.addAll(Discovery.records());
    records.addAll(
        List.of(
            Oracle.Ask.class,
            Oracle.NotYet.class,
            Oracle.Nearest.class,
            ComputeSignature.class,
            ComputeSignature.ComputedSignature.class,
            SketchModel.class,
            SketchModel.ModelSketch.class,
            CompareModels.class,
            CompareModels.Comparisons.class));
    return records;
  }
}
