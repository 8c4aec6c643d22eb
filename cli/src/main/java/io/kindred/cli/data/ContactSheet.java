package io.kindred.cli.data;

import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Picture;
import io.kindred.learning.data.Samples;
import java.util.List;
import java.util.Optional;

/**
 * The first training samples of each class side by side, one row per class, to inspect what a model
 * will see. Samples with one or three channels are images; samples with other channels, such as
 * sensors, are bands of grey below each other. Each sample uses the full range of brightness.
 */
public final class ContactSheet {
  private static final int COLUMNS = 12;
  private static final int MOST_ROWS = 40;
  private static final int SMALLEST = 48;
  private static final int GAP = 3;

  private final int colours;
  private final int height;
  private final int width;
  private final int verticalScale;
  private final int horizontalScale;

  private ContactSheet(List<Integer> shape) {
    boolean picture = shape.get(0) == 1 || shape.get(0) == 3;
    colours = picture ? shape.get(0) : 1;
    height = picture ? shape.get(1) : shape.get(0) * shape.get(1);
    width = shape.get(2);
    verticalScale = Math.max(1, Math.ceilDiv(SMALLEST, height));
    horizontalScale = Math.max(1, Math.ceilDiv(SMALLEST, width));
  }

  /** Empty if samples are plain rows of numbers. */
  public static Optional<Picture> of(Dataset dataset) {
    return dataset.shape().size() == 3
        ? Optional.of(new ContactSheet(dataset.shape()).draw(dataset))
        : Optional.empty();
  }

  private Picture draw(Dataset dataset) {
    int rows = Math.min(MOST_ROWS, dataset.classes());
    int cellHeight = height * verticalScale + GAP;
    int cellWidth = width * horizontalScale + GAP;
    int sheetWidth = COLUMNS * cellWidth + GAP;
    int sheetHeight = rows * cellHeight + GAP;
    byte[] rgb = new byte[3 * sheetWidth * sheetHeight];
    int[] drawn = new int[dataset.classes()];
    Samples samples = dataset.train();
    float[] values = new float[samples.features().width()];
    for (int i = 0; i < samples.count(); i++) {
      int label = samples.labels().get(i);
      if (label < rows && drawn[label] < COLUMNS) {
        samples.features().copy(i, values, 0);
        int top = GAP + label * cellHeight;
        int left = GAP + drawn[label] * cellWidth;
        place(values, rgb, sheetWidth, top, left);
        drawn[label]++;
      }
    }
    return new Picture(sheetWidth, sheetHeight, rgb);
  }

  private void place(float[] values, byte[] rgb, int sheetWidth, int top, int left) {
    float low = Float.POSITIVE_INFINITY;
    float high = Float.NEGATIVE_INFINITY;
    for (float value : values) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    float factor = high > low ? 255 / (high - low) : 0;
    for (int row = 0; row < height * verticalScale; row++) {
      for (int column = 0; column < width * horizontalScale; column++) {
        for (int colour = 0; colour < 3; colour++) {
          int plane = colours == 3 ? colour : 0;
          float value =
              values[(plane * height + row / verticalScale) * width + column / horizontalScale];
          rgb[3 * ((top + row) * sheetWidth + left + column) + colour] =
              (byte) Math.round((value - low) * factor);
        }
      }
    }
  }
}
