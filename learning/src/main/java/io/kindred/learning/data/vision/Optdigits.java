package io.kindred.learning.data.vision;

import io.kindred.core.config.Named;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataSource;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.format.TextLines;
import java.util.List;

/**
 * Optical digits of the UCI repository (Alpaydin and Kaynak, 1998): lines of 64 counts from 0 to 16
 * and the digit. The training writers differ from the test writers.
 */
@Named(value = "optdigits", summary = "handwritten digits, 8x8 grey, 10 classes, 3,823 + 1,797")
public record Optdigits() implements DataSource {
  private static final String SET = "optdigits";
  private static final int WIDTH = 64;
  private static final int MAX_VALUE = 16;
  private static final int CLASSES = 10;

  private static final class Part {
    private final byte[] pixels;
    private final Ints labels;

    private Part(byte[] pixels, Ints labels) {
      this.pixels = pixels;
      this.labels = labels;
    }

    Samples scaled(ByteScaling scaling) {
      return new Samples(scaling.features(pixels, WIDTH), labels);
    }
  }

  @Override
  public Dataset load(RandomStreams streams, DataFiles files) {
    Part train = read(files, "optdigits.tra");
    Part test = read(files, "optdigits.tes");
    ByteScaling scaling = ByteScaling.fit(train.pixels);
    return new Dataset(SET, List.of(1, 8, 8), CLASSES, train.scaled(scaling), test.scaled(scaling));
  }

  private static Part read(DataFiles files, String name) {
    TextLines lines = TextLines.of(SET + "/" + name, files.read(SET, name));
    byte[] pixels = new byte[lines.count() * WIDTH];
    int[] labels = new int[lines.count()];
    for (int i = 0; i < lines.count(); i++) {
      String[] words = lines.words(i, ',', WIDTH + 1);
      for (int j = 0; j < WIDTH; j++) {
        pixels[i * WIDTH + j] = (byte) lines.wholeNumber(i, words[j], 0, MAX_VALUE, "a count");
      }
      labels[i] = lines.wholeNumber(i, words[WIDTH], 0, CLASSES - 1, "a label");
    }
    return new Part(pixels, Ints.wrap(labels));
  }
}
