package io.kindred.learning.data.vision;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataSource;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import java.util.List;
import java.util.Locale;

/**
 * EMNIST (Cohen et al., 2017): handwritten digits and letters in the original idx files. The files
 * store each picture transposed; it is transposed back here, so that it looks like one of MNIST.
 */
@Named(
    value = "emnist",
    summary = "handwritten digits and letters, 28x28 grey, 10 to 62 classes by split")
public record Emnist(
    @Setting(doc = "which of the six published splits to take", fallback = "balanced") Split split,
    @Setting(
            doc = "training samples from the start of the file; 0 takes all",
            fallback = "0",
            min = 0)
        int samples,
    @Setting(doc = "test samples from the start of the file; 0 takes all", fallback = "0", min = 0)
        int testSamples)
    implements DataSource {
  /** The published splits with their numbers of classes. */
  public enum Split {
    /** Every character is a class; the classes are as unbalanced as they were written. */
    BYCLASS(62, 0),
    /** Letters whose two cases look alike are one class. */
    BYMERGE(47, 0),
    /** The classes of {@link #BYMERGE}, with equally many samples of each. */
    BALANCED(47, 0),
    /** 26 letters, both cases in one class; the files count from 1. */
    LETTERS(26, 1),
    /** Digits alone. */
    DIGITS(10, 0),
    /** Digits, as many samples as MNIST has. */
    MNIST(10, 0);

    private final int classes;
    private final int firstLabel;

    Split(int classes, int firstLabel) {
      this.classes = classes;
      this.firstLabel = firstLabel;
    }
  }

  private static final String SET = "emnist";

  @Override
  public Dataset load(RandomStreams streams, DataFiles files) {
    String stem = "emnist-" + split.name().toLowerCase(Locale.ROOT);
    MnistFamily.Pair train = MnistFamily.Pair.read(SET, files, stem + "-train");
    MnistFamily.Pair test = MnistFamily.Pair.read(SET, files, stem + "-test");
    int trainCount = MnistFamily.resolveCount(samples, train.samples(), "samples");
    int testCount = MnistFamily.resolveCount(testSamples, test.samples(), "testSamples");
    byte[] trainPixels = transposed(train, trainCount);
    ByteScaling scaling = ByteScaling.fit(trainPixels);
    return new Dataset(
        SET,
        List.of(1, train.width(), train.height()),
        split.classes,
        part(train, trainPixels, trainCount, scaling),
        part(test, transposed(test, testCount), testCount, scaling));
  }

  private Samples part(MnistFamily.Pair pair, byte[] pixels, int count, ByteScaling scaling) {
    return new Samples(
        scaling.features(pixels, pair.height() * pair.width()),
        pair.labels().labels(count, split.firstLabel, split.classes));
  }

  /** Exchanges rows and columns. */
  private static byte[] transposed(MnistFamily.Pair pair, int count) {
    int height = pair.height();
    int width = pair.width();
    byte[] stored = pair.pictures().values(count);
    byte[] pixels = new byte[stored.length];
    for (int from = 0; from < stored.length; from += height * width) {
      for (int row = 0; row < height; row++) {
        for (int column = 0; column < width; column++) {
          pixels[from + column * height + row] = stored[from + row * width + column];
        }
      }
    }
    return pixels;
  }
}
