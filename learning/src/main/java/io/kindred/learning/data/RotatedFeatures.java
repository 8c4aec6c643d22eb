package io.kindred.learning.data;

import io.kindred.core.config.SettingException;
import io.kindred.core.weights.Ints;
import java.util.List;

/**
 * Pictures turned by quarters, counter-clockwise, as they are read: nothing is copied, so a table
 * may show one picture many times. Each row says which picture it is and by how much it is turned.
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
   * @param samples which picture each row is
   * @param turns by how many quarter turns each row is turned, 0 to 3
   * @throws SettingException when a sample is no picture, or not square where quarter turns need it
   */
  public RotatedFeatures(Features pictures, List<Integer> shape, Ints samples, Ints turns) {
    requireRotatable(shape, turns);
    this.pictures = pictures;
    boolean picture = shape.size() == 3;
    this.channels = picture ? shape.get(0) : 1;
    this.height = picture ? shape.get(1) : 1;
    this.width = picture ? shape.get(2) : pictures.width();
    this.samples = samples;
    this.quarterTurns = turns;
  }

  private static void requireRotatable(List<Integer> shape, Ints turns) {
    boolean any = false;
    boolean upset = false;
    for (int i = 0; i < turns.size(); i++) {
      any |= turns.get(i) != 0;
      upset |= turns.get(i) % 2 == 1;
    }
    boolean picture = shape.size() == 3;
    if ((any && !picture) || (upset && !shape.get(1).equals(shape.get(2)))) {
      throw new SettingException(
          "partition",
          "samples of the shape " + shape + " cannot be turned" + (picture ? " by 90 degrees" : ""),
          "choose a data set of square pictures, or a partition that turns nothing");
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

  /** Half a turn: the last pixel comes first. */
  private static void reverse(float[] values, int from, int to) {
    for (int i = from, j = to; i < j; i++, j--) {
      float kept = values[i];
      values[i] = values[j];
      values[j] = kept;
    }
  }

  /** Moves pixels round in rings of four, in place, because many threads read one table. */
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
