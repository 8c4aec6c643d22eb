package io.kindred.learning.data;

import io.kindred.core.settings.Catalogue;
import java.util.List;

/** Every data source that an experiment can name. */
public final class DataSources {
  public static final Catalogue<DataSource> ALL =
      new Catalogue<>(
          DataSource.class,
          "dataset",
          List.of(
              Glyphs.class,
              Magnet.class,
              Mnist.class,
              FashionMnist.class,
              Emnist.class,
              Cifar10.class,
              Cifar100.class,
              Femnist.class,
              TinyImageNet.class,
              Optdigits.class,
              UciHar.class,
              AudioMnist.class,
              SpeechCommands.class,
              Newsgroups.class,
              Shakespeare.class,
              ImageFolder.class,
              CsvTable.class,
              TensorFile.class,
              DataMixture.class));

  private DataSources() {}
}
