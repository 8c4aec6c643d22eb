package io.kindred.environment.topology;

import io.kindred.core.config.Catalogue;
import java.util.List;

/** Every topology that an experiment file can name. */
public final class Topologies {
  public static final Catalogue<Topology> ALL =
      new Catalogue<>(
          Topology.class,
          "topology",
          List.of(
              ErdosRenyi.class,
              BarabasiAlbert.class,
              RandomGeometric.class,
              WattsStrogatz.class,
              KRegular.class,
              Expander.class,
              Ring.class,
              Torus.class,
              Star.class,
              Complete.class,
              GraphFile.class));

  private Topologies() {}
}
