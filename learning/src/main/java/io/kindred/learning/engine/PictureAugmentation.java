package io.kindred.learning.engine;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStream;
import java.util.Arrays;
import java.util.List;

/**
 * Random changes of training pictures, drawn anew for every batch: a border of four pixels is
 * added, a picture of the old size is cut out at a random place, and the picture is mirrored left
 * to right with probability one half. The border has the value 0, the mean of scaled pixels. Only
 * training changes pictures; losses, outputs and evaluations see them as they are.
 */
public record PictureAugmentation(int channels, int height, int width) {
  private static final int PADDING = 4;

  /** Places of a cut along one side. */
  private static final int PLACES = 2 * PADDING + 1;

  /**
   * The changes of pictures of a shape: channels, height, width.
   *
   * @throws SettingException when samples are no pictures, or so small that a cut could be empty
   */
  public static PictureAugmentation of(List<Integer> shape) {
    if (shape.size() != 3 || shape.get(1) <= PADDING || shape.get(2) <= PADDING) {
      throw new SettingException(
          "training.augment",
          "samples of the shape "
              + shape
              + " are no pictures of more than "
              + PADDING
              + " by "
              + PADDING
              + " pixels",
          "choose a data set of pictures, or leave training.augment out");
    }
    return new PictureAugmentation(shape.get(0), shape.get(1), shape.get(2));
  }

  /** Draws a change for each sample of a batch, in order. */
  Batch.InputChange draw(int samples, RandomStream random) {
    int[] changes = new int[samples];
    Arrays.setAll(changes, _ -> random.nextInt(2 * PLACES * PLACES));
    float[] plane = new float[height * width];
    return (sample, values, offset) -> {
      boolean mirrored = changes[sample] % 2 == 1;
      int down = changes[sample] / 2 % PLACES - PADDING;
      int right = changes[sample] / 2 / PLACES - PADDING;
      for (int channel = 0; channel < channels; channel++) {
        change(values, offset + channel * plane.length, plane, mirrored, down, right);
      }
    };
  }

  /** Shows the part of a picture that lies so many pixels further down and to the right. */
  private void change(
      float[] values, int from, float[] plane, boolean mirrored, int down, int right) {
    System.arraycopy(values, from, plane, 0, plane.length);
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        int row = y + down;
        int column = (mirrored ? width - 1 - x : x) + right;
        boolean inside = row >= 0 && row < height && column >= 0 && column < width;
        values[from + y * width + x] = inside ? plane[row * width + column] : 0;
      }
    }
  }
}
