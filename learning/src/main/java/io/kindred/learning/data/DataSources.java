package io.kindred.learning.data;

import io.kindred.core.settings.Catalogue;
import java.util.List;

/** Every data source that an experiment can name. */
public final class DataSources {
  public static final Catalogue<DataSource> ALL =
      new Catalogue<>(
          DataSource.class,
          "dataset",
          List.of(Glyphs.class, Mnist.class, FashionMnist.class, Cifar10.class, DataMixture.class));

  private DataSources() {}
}
