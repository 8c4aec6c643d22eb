package io.kindred.learning.partition;

import io.kindred.core.settings.Catalogue;
import java.util.List;

/** Every partition that an experiment can name. */
public final class Partitions {
  public static final Catalogue<Partition> ALL =
      new Catalogue<>(
          Partition.class, "partition", List.of(Iid.class, Dirichlet.class, Pathological.class));

  private Partitions() {}
}
