package io.kindred.environment.mobility;

import io.kindred.core.config.Catalogue;
import java.util.List;

/** The catalogue of {@link Mobility}. */
public final class MobilityModels {
  /** Every kind of movement that an experiment file can name. */
  public static final Catalogue<Mobility> ALL =
      new Catalogue<>(
          Mobility.class,
          "kind of movement",
          List.of(StillPeers.class, RandomWaypoint.class, PositionTrace.class));

  private MobilityModels() {}
}
