package io.kindred.learning.data.vision;

import io.kindred.core.config.SettingException;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Features;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.format.Idx;
import java.util.List;

/** Reads the pairs of idx files of MNIST and of data sets in the same format. */
final class MnistFamily {
  private static final int CLASSES = 10;

  private MnistFamily() {}

  /** The pixels and labels of one pair of files, not scaled yet. */
  record Pair(Idx pictures, Idx labels, int samples) {
    static Pair read(String set, DataFiles files, String stem) {
      String pictureFile = stem + "-images-idx3-ubyte";
      String labelFile = stem + "-labels-idx1-ubyte";
      Idx pictures = Idx.parse(set + "/" + pictureFile, files.read(set, pictureFile), 3);
      Idx labels = Idx.parse(set + "/" + labelFile, files.read(set, labelFile), 1);
      int available = pictures.extent(0);
      if (labels.extent(0) != available) {
        throw new DamagedDataException(
            set + "/" + labelFile,
            "byte 4",
            labels.extent(0) + " labels for " + available + " pictures");
      }
      return new Pair(pictures, labels, available);
    }

    int height() {
      return pictures.extent(1);
    }

    int width() {
      return pictures.extent(2);
    }
  }

  /**
   * The data set with its values brought to mean zero and deviation one.
   *
   * @param samples how many training samples to take from the start; 0 takes all
   * @param testSamples the same for the common test set
   * @param mean of the training pictures, where full white is one
   * @param deviation likewise
   */
  static Dataset read(
      String set, DataFiles files, int samples, int testSamples, double mean, double deviation) {
    ByteScaling scaling = new ByteScaling(255 * mean, 255 * deviation);
    Samples train = part(Pair.read(set, files, "train"), "samples", samples, scaling);
    Samples test = part(Pair.read(set, files, "t10k"), "testSamples", testSamples, scaling);
    return new Dataset(set, List.of(1, 28, 28), CLASSES, train, test);
  }

  private static Samples part(Pair pair, String setting, int wanted, ByteScaling scaling) {
    int count = resolveCount(wanted, pair.samples(), setting);
    Ints labels = pair.labels().labels(count, CLASSES);
    Features features =
        scaling.features(pair.pictures().values(count), pair.height() * pair.width());
    return new Samples(features, labels);
  }

  /** The requested number of samples, or all for 0. */
  static int resolveCount(int wanted, int available, String setting) {
    if (wanted > available) {
      throw new SettingException(
          "dataset." + setting,
          wanted + " samples are requested, but the files hold " + available,
          "choose at most " + available + ", or 0 for all");
    }
    return wanted == 0 ? available : wanted;
  }
}
