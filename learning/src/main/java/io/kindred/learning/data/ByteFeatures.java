package io.kindred.learning.data;

/**
 * Samples kept as bytes, a quarter of the memory of floats; a value is byte (0 to 255) times scale
 * plus shift.
 */
public final class ByteFeatures implements Features {
  private final byte[] bytes;
  private final int width;
  private final float[] values = new float[256];

  /** Takes the array over: the caller must not write to it afterwards. */
  public ByteFeatures(byte[] bytes, int width, float scale, float shift) {
    if (width <= 0 || bytes.length % width != 0) {
      throw new IllegalArgumentException(
          bytes.length + " bytes are not a whole number of samples of " + width);
    }
    this.bytes = bytes;
    this.width = width;
    for (int i = 0; i < values.length; i++) {
      values[i] = Math.fma((float) i, scale, shift);
    }
  }

  @Override
  public int count() {
    return bytes.length / width;
  }

  @Override
  public int width() {
    return width;
  }

  @Override
  public void copy(int sample, float[] into, int offset) {
    int from = sample * width;
    for (int i = 0; i < width; i++) {
      into[offset + i] = values[bytes[from + i] & 0xff];
    }
  }
}
