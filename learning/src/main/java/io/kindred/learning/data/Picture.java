package io.kindred.learning.data;

/** Pixels of one picture: a byte each of red, green and blue, row by row from the top. */
public final class Picture {
  private static final int GREY = -1;

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

  /** How a picture that is not square becomes a square. */
  public enum Fit {
    /** Both ends of the longer side are cut off. */
    CROP,
    /** The shorter side gets borders in the mean shade of the four corners. */
    PAD,
    /** Both sides are scaled to the same length, which distorts. */
    STRETCH
  }

  /** Writes the middle of the picture as a square. */
  public void writeSquare(int side, int colours, byte[] into, int offset) {
    writeSquare(side, colours, Fit.CROP, into, offset);
  }

  /**
   * Writes the picture as a square, colour after colour, as samples store it. Each pixel is the
   * mean of the area that it covers, which avoids aliasing when a large picture is reduced.
   *
   * @param colours 3, or 1 for grey with the weights of ITU-R BT.601
   */
  public void writeSquare(int side, int colours, Fit fit, byte[] into, int offset) {
    int extent = fit == Fit.CROP ? Math.min(width, height) : Math.max(width, height);
    double wide = fit == Fit.STRETCH ? width : extent;
    double tall = fit == Fit.STRETCH ? height : extent;
    double left = 0.5 * (width - wide);
    double top = 0.5 * (height - tall);
    for (int colour = 0; colour < colours; colour++) {
      int plane = colours == 1 ? GREY : colour;
      double border = border(plane);
      for (int row = 0; row < side; row++) {
        for (int column = 0; column < side; column++) {
          double mean =
              areaMean(
                  plane,
                  border,
                  top + row * (tall / side),
                  left + column * (wide / side),
                  tall / side,
                  wide / side);
          into[offset + (colour * side + row) * side + column] = (byte) (int) (mean + 0.5);
        }
      }
    }
  }

  private double border(int plane) {
    return 0.25
        * (shade(plane, 0, 0)
            + shade(plane, 0, width - 1)
            + shade(plane, height - 1, 0)
            + shade(plane, height - 1, width - 1));
  }

  /** The mean of an area; what lies outside the picture has the shade of the border. */
  private double areaMean(
      int plane, double border, double top, double left, double tallness, double wideness) {
    double sum = 0;
    double weights = 0;
    double bottom = top + tallness;
    double right = left + wideness;
    for (int row = Math.max(0, (int) top); row < Math.min(height, bottom - 1e-9); row++) {
      double tall = Math.min(bottom, row + 1) - Math.max(top, row);
      for (int column = Math.max(0, (int) left); column < Math.min(width, right - 1e-9); column++) {
        double weight = tall * (Math.min(right, column + 1) - Math.max(left, column));
        sum += weight * shade(plane, row, column);
        weights += weight;
      }
    }
    double outside = tallness * wideness - weights;
    return outside > 1e-6 ? (sum + outside * border) / (weights + outside) : sum / weights;
  }

  private double shade(int plane, int row, int column) {
    return plane == GREY ? grey(row, column) : value(plane, row, column);
  }

  /** Whether every pixel has three equal colours. */
  public boolean isGrey() {
    for (int i = 0; i < rgb.length; i += 3) {
      if (rgb[i] != rgb[i + 1] || rgb[i] != rgb[i + 2]) {
        return false;
      }
    }
    return true;
  }

  private double grey(int row, int column) {
    return 0.299 * value(0, row, column)
        + 0.587 * value(1, row, column)
        + 0.114 * value(2, row, column);
  }
}
