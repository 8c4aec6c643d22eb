package io.kindred.learning.data;

import io.kindred.core.settings.Complaint;
import java.util.List;

/** Reads the four idx files that MNIST and its look-alikes come in. */
final class MnistFamily {
  private static final int CLASSES = 10;

  private MnistFamily() {}

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
    Samples train = part(set, files, "train", "samples", samples, mean, deviation);
    Samples test = part(set, files, "t10k", "testSamples", testSamples, mean, deviation);
    return new Dataset(set, List.of(1, 28, 28), CLASSES, train, test);
  }

  private static Samples part(
      String set,
      DataFiles files,
      String part,
      String setting,
      int wanted,
      double mean,
      double deviation) {
    String pictureFile = part + "-images-idx3-ubyte";
    String labelFile = part + "-labels-idx1-ubyte";
    Idx pictures = Idx.parse(set + "/" + pictureFile, files.read(set, pictureFile), 3);
    Idx labels = Idx.parse(set + "/" + labelFile, files.read(set, labelFile), 1);
    int there = pictures.extent(0);
    if (labels.extent(0) != there) {
      throw new DamagedDataException(
          set + "/" + labelFile, "byte 4", labels.extent(0) + " labels for " + there + " pictures");
    }
    int count = count(wanted, there, setting);
    int width = pictures.extent(1) * pictures.extent(2);
    return new Samples(
        new ByteFeatures(
            pictures.values(count),
            width,
            (float) (1 / (255 * deviation)),
            (float) (-mean / deviation)),
        labels.labels(count, CLASSES));
  }

  /** All, or as many as asked for. */
  static int count(int wanted, int there, String setting) {
    if (wanted > there) {
      throw new Complaint(
          "dataset." + setting,
          wanted + " samples are asked for, but the files hold " + there,
          "choose at most " + there + ", or 0 for all");
    }
    return wanted == 0 ? there : wanted;
  }
}
