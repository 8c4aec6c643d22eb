package io.kindred.learning.data.synthetic;

import java.util.Arrays;

/**
 * A small square canvas that stores how deep each pixel's centre lies inside the strokes drawn so
 * far, in pixels; negative is outside. All operations on a value (addition, multiplication,
 * division, square root) are exactly rounded, so the picture is the same on every machine.
 */
final class Canvas {
  static final int SIDE = 28;
  static final int PIXELS = SIDE * SIDE;

  /** Far enough outside to have no effect on an edge. */
  private static final double OUTSIDE = -1000;

  private final double[] depth = new double[PIXELS];

  void clear() {
    Arrays.fill(depth, OUTSIDE);
  }

  /** Draws a round-ended bar; where bars overlap the larger depth counts. */
  void drawBar(double fromX, double fromY, double toX, double toY, double radius) {
    double reach = radius + 1;
    int left = pixel(Math.min(fromX, toX) - reach);
    int right = pixel(Math.max(fromX, toX) + reach);
    int top = pixel(Math.min(fromY, toY) - reach);
    int bottom = pixel(Math.max(fromY, toY) + reach);
    double alongX = toX - fromX;
    double alongY = toY - fromY;
    double square = alongX * alongX + alongY * alongY;
    double inverse = square > 0 ? 1 / square : 0;
    for (int row = top; row <= bottom; row++) {
      double y = row + 0.5 - fromY;
      for (int column = left; column <= right; column++) {
        double x = column + 0.5 - fromX;
        double share = Math.clamp((x * alongX + y * alongY) * inverse, 0.0, 1.0);
        double offX = x - share * alongX;
        double offY = y - share * alongY;
        double inside = radius - Math.sqrt(offX * offX + offY * offY);
        int index = row * SIDE + column;
        depth[index] = Math.max(depth[index], inside);
      }
    }
  }

  /** How much of a pixel the strokes cover, from 0 to 1, with a soft edge one pixel wide. */
  double fillCoverage(int index) {
    return Math.clamp(depth[index] + 0.5, 0.0, 1.0);
  }

  /** How much of a pixel a line along the strokes' outer edge covers, from 0 to 1. */
  double outlineCoverage(int index, double halfWidth) {
    return Math.clamp(halfWidth + 0.5 - Math.abs(depth[index]), 0.0, 1.0);
  }

  private static int pixel(double position) {
    return (int) Math.clamp(position, 0.0, SIDE - 1.0);
  }
}
