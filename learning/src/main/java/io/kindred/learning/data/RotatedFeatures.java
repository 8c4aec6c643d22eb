package io.kindred.learning.data;

import io.kindred.core.config.SettingException;
import io.kindred.core.weights.Ints;
import java.util.List;

/**
 * Pictures rotated by quarter turns, counter-clockwise, when they are read. Nothing is copied, so
 * several rows may show the same picture. Each row has a picture and a number of quarter turns.
 */
public final class RotatedFeatures implements Features {
  private final Features pictures;
  private final int channels;
  private final int height;
  private final int width;
  private final Ints samples;
  private final Ints quarterTurns;

  /**
   * @param shape of a picture: channels, height, width
   * @param samples the picture of each row
   * @param quarterTurns the quarter turns of each row, 0 to 3
   * @throws SettingException when a sample is no picture, or not square although quarter turns need
   *     it
   */
  public RotatedFeatures(Features pictures, List<Integer> shape, Ints samples, Ints quarterTurns) {
    requireRotatable(shape, quarterTurns);
    this.pictures = pictures;
    boolean picture = shape.size() == 3;
    this.channels = picture ? shape.get(0) : 1;
    this.height = picture ? shape.get(1) : 1;
    this.width = picture ? shape.get(2) : pictures.width();
    this.samples = samples;
    this.quarterTurns = quarterTurns;
  }

  private static void requireRotatable(List<Integer> shape, Ints quarterTurns) {
    boolean hasTurns = false;
    boolean hasOddTurns = false;
    for (int i = 0; i < quarterTurns.size(); i++) {
      hasTurns |= quarterTurns.get(i) != 0;
      hasOddTurns |= quarterTurns.get(i) % 2 == 1;
    }
    boolean picture = shape.size() == 3;
    if ((hasTurns && !picture) || (hasOddTurns && !shape.get(1).equals(shape.get(2)))) {
      throw new SettingException(
          "partition",
          "samples of the shape "
              + shape
              + " cannot be rotated"
              + (picture ? " by 90 degrees" : ""),
          "choose a data set of square pictures, or a partition without rotations");
    }
  }

  @Override
  public int count() {
    return samples.size();
  }

  @Override
  public int width() {
    return pictures.width();
  }

  @Override
  public void copy(int sample, float[] into, int offset) {
    pictures.copy(samples.get(sample), into, offset);
    int quarters = quarterTurns.get(sample);
    int area = height * width;
    for (int channel = 0; quarters != 0 && channel < channels; channel++) {
      int from = offset + channel * area;
      if (quarters >= 2) {
        reverse(into, from, from + area - 1);
      }
      if (quarters % 2 == 1) {
        rotateQuarter(into, from);
      }
    }
  }

  /** Rotates by half a turn: the last pixel becomes the first. */
  private static void reverse(float[] values, int from, int to) {
    for (int i = from, j = to; i < j; i++, j--) {
      float kept = values[i];
      values[i] = values[j];
      values[j] = kept;
    }
  }

  /** Moves pixels in cycles of four, in place, because many threads read one table. */
  private void rotateQuarter(float[] values, int from) {
    int last = width - 1;
    for (int y = 0; y < width / 2; y++) {
      for (int x = 0; x < (width + 1) / 2; x++) {
        int first = from + y * width + x;
        int second = from + x * width + last - y;
        int third = from + (last - y) * width + last - x;
        int fourth = from + (last - x) * width + y;
        float kept = values[first];
        values[first] = values[second];
        values[second] = values[third];
        values[third] = values[fourth];
        values[fourth] = kept;
      }
    }
  }
}
