package io.kindred.learning.data;

/** Pixels of one picture: a byte each of red, green and blue, row by row from the top. */
public final class Picture {
  private final int width;
  private final int height;
  private final byte[] rgb;

  /** Takes the array over: the caller must not write to it afterwards. */
  public Picture(int width, int height, byte[] rgb) {
    if (width < 1 || height < 1 || rgb.length != 3 * width * height) {
      throw new IllegalArgumentException(
          rgb.length + " bytes are not a picture of " + width + " x " + height);
    }
    this.width = width;
    this.height = height;
    this.rgb = rgb;
  }

  public int width() {
    return width;
  }

  public int height() {
    return height;
  }

  /** One colour of a pixel from 0 to 255; the colours are 0 red, 1 green, 2 blue. */
  public int value(int colour, int row, int column) {
    return rgb[3 * (row * width + column) + colour] & 0xff;
  }

  /**
   * Writes the picture as a square, colour after colour, as samples store it. A picture that is not
   * square is cropped at both ends of its longer side. Each pixel is the mean of the area that it
   * covers, which avoids aliasing when a large picture is reduced.
   *
   * @param colours 3, or 1 for grey with the weights of ITU-R BT.601
   */
  public void writeSquare(int side, int colours, byte[] into, int offset) {
    int shorter = Math.min(width, height);
    double left = 0.5 * (width - shorter);
    double top = 0.5 * (height - shorter);
    double step = (double) shorter / side;
    for (int colour = 0; colour < colours; colour++) {
      for (int row = 0; row < side; row++) {
        for (int column = 0; column < side; column++) {
          double mean =
              areaMean(colours == 1, colour, top + row * step, left + column * step, step);
          into[offset + (colour * side + row) * side + column] = (byte) (int) (mean + 0.5);
        }
      }
    }
  }

  private double areaMean(boolean grey, int colour, double top, double left, double extent) {
    double sum = 0;
    double weights = 0;
    double bottom = top + extent;
    double right = left + extent;
    for (int row = (int) top; row < Math.min(height, bottom - 1e-9); row++) {
      double tall = Math.min(bottom, row + 1) - Math.max(top, row);
      for (int column = (int) left; column < Math.min(width, right - 1e-9); column++) {
        double weight = tall * (Math.min(right, column + 1) - Math.max(left, column));
        sum += weight * (grey ? grey(row, column) : value(colour, row, column));
        weights += weight;
      }
    }
    return sum / weights;
  }

  private double grey(int row, int column) {
    return 0.299 * value(0, row, column)
        + 0.587 * value(1, row, column)
        + 0.114 * value(2, row, column);
  }
}
