package io.kindred.learning.data;

/** Samples kept as floats, one after the other. */
public final class FloatFeatures implements Features {
  private final float[] values;
  private final int width;

  /** Takes the array over: the caller must not write to it afterwards. */
  public FloatFeatures(float[] values, int width) {
    if (width <= 0 || values.length % width != 0) {
      throw new IllegalArgumentException(
          values.length + " values are not a whole number of samples of " + width);
    }
    this.values = values;
    this.width = width;
  }

  @Override
  public int count() {
    return values.length / width;
  }

  @Override
  public int width() {
    return width;
  }

  @Override
  public void copy(int sample, float[] into, int offset) {
    System.arraycopy(values, sample * width, into, offset, width);
  }
}
