package io.kindred.learning.partition;

import io.kindred.core.config.Catalogue;
import java.util.List;

/** Every partition that an experiment can name. */
public final class Partitions {
  public static final Catalogue<Partition> ALL =
      new Catalogue<>(
          Partition.class,
          "partition",
          List.of(
              Iid.class,
              Quantity.class,
              Dirichlet.class,
              Pathological.class,
              Shards.class,
              TwoStage.class,
              ByUser.class,
              UserClusters.class,
              RotationClusters.class,
              RotationMixture.class,
              ParityRotation.class,
              OriginMixture.class));

  private Partitions() {}
}
