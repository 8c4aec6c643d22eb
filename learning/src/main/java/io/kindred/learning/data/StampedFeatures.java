package io.kindred.learning.data;

import io.kindred.core.weights.Ints;
import java.util.List;

/**
 * The rows of a table, and further rows that repeat some of them, each with or without a stamp: a
 * square of one value in the lower right corner of every channel of a picture, or the same value in
 * the last features of a sample that is no picture. Nothing is copied; the stamp is applied when a
 * row is read.
 */
public final class StampedFeatures implements Features {
  /**
   * A stamp.
   *
   * @param side of the square, or the number of last features
   */
  public record Stamp(int side, float value) {}

  private final Features rows;
  private final Ints repeated;
  private final int stamped;
  private final Stamp stamp;
  private final int channels;
  private final int height;
  private final int width;

  /**
   * The rows, then repeated ones.
   *
   * @param shape of a picture: channels, height, width
   * @param repeated the row that each further row repeats
   * @param stamped how many of the further rows, from the first on, carry the stamp
   */
  public StampedFeatures(
      Features rows, List<Integer> shape, Ints repeated, int stamped, Stamp stamp) {
    this.rows = rows;
    this.repeated = repeated;
    this.stamped = stamped;
    this.stamp = stamp;
    boolean picture = shape.size() == 3;
    this.channels = picture ? shape.get(0) : 1;
    this.height = picture ? shape.get(1) : 1;
    this.width = picture ? shape.get(2) : rows.width();
  }

  @Override
  public int count() {
    return rows.count() + repeated.size();
  }

  @Override
  public int width() {
    return rows.width();
  }

  @Override
  public void copy(int sample, float[] into, int offset) {
    int further = sample - rows.count();
    rows.copy(further < 0 ? sample : repeated.get(further), into, offset);
    if (further < 0 || further >= stamped) {
      return;
    }
    for (int channel = 0; channel < channels; channel++) {
      for (int y = Math.max(0, height - stamp.side()); y < height; y++) {
        for (int x = Math.max(0, width - stamp.side()); x < width; x++) {
          into[offset + (channel * height + y) * width + x] = stamp.value();
        }
      }
    }
  }
}
