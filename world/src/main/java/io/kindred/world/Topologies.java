package io.kindred.world;

import io.kindred.core.settings.Catalogue;
import java.util.List;

/** Every topology that an experiment file can name. */
public final class Topologies {
  public static final Catalogue<Topology> ALL =
      new Catalogue<>(
          Topology.class, "topology", List.of(ErdosRenyi.class, Ring.class, Complete.class));

  private Topologies() {}
}
