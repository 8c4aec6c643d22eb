package io.kindred.learning;

import io.kindred.core.config.Catalogue;
import io.kindred.learning.data.DataSource;
import io.kindred.learning.data.audio.AudioMnist;
import io.kindred.learning.data.audio.SoundFolder;
import io.kindred.learning.data.audio.SpeechCommands;
import io.kindred.learning.data.format.SafetensorsSource;
import io.kindred.learning.data.sensor.Magnet;
import io.kindred.learning.data.sensor.UciHar;
import io.kindred.learning.data.synthetic.Glyphs;
import io.kindred.learning.data.synthetic.LinearClusters;
import io.kindred.learning.data.table.TableSource;
import io.kindred.learning.data.text.DocumentFolder;
import io.kindred.learning.data.text.Newsgroups;
import io.kindred.learning.data.text.Shakespeare;
import io.kindred.learning.data.vision.Cifar10;
import io.kindred.learning.data.vision.Cifar100;
import io.kindred.learning.data.vision.Emnist;
import io.kindred.learning.data.vision.FashionMnist;
import io.kindred.learning.data.vision.Femnist;
import io.kindred.learning.data.vision.ImageFolder;
import io.kindred.learning.data.vision.JoinedDatasets;
import io.kindred.learning.data.vision.Mnist;
import io.kindred.learning.data.vision.Optdigits;
import io.kindred.learning.data.vision.TinyImageNet;
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
              LinearClusters.class,
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
              TableSource.class,
              SoundFolder.class,
              DocumentFolder.class,
              SafetensorsSource.class,
              JoinedDatasets.class));

  private DataSources() {}
}
