package io.kindred.learning.data.synthetic;

import io.kindred.core.random.RandomStream;

/**
 * Draws one character at a time, each with random variation of position, slant, bend, steadiness
 * and pen width. Every random draw of a picture comes from the stream passed in, so pictures may be
 * drawn in any order. Holds scratch space: one thread at a time.
 */
final class GlyphRenderer {
  private static final double PIXELS_PER_UNIT = 0.2;
  private static final double BOX_CENTRE_X = 30;
  private static final double BOX_CENTRE_Y = 50;
  private static final int CURVE_STEPS = 7;
  private static final double DOT_SPACING = 2.7;
  private static final double RIM_HALF_WIDTH = 0.4;

  private final double distortion;
  private final Canvas canvas = new Canvas();
  private double[] xs = new double[64];
  private double[] ys = new double[64];

  private Typeface typeface = Typeface.ROUND;
  private double radius;
  private double penX;
  private double penY;
  private double distanceToDot;

  /** A distortion of 0 draws each character the same way, 1 as a hasty hand would. */
  GlyphRenderer(double distortion) {
    this.distortion = distortion;
  }

  /** Clears the canvas and draws the character on it, for {@link #ink} to read. */
  void draw(Typeface style, int character, RandomStream random) {
    StrokePath strokePath = style.strokes(character);
    typeface = style;
    canvas.clear();
    transformPoints(strokePath, random);
    radius = strokeRadius(random);
    int point = 0;
    for (int index = 0; index < strokePath.commands(); index++) {
      char kind = strokePath.command(index);
      switch (kind) {
        case StrokePath.MOVE_TO -> penDown(point);
        case StrokePath.LINE_TO -> lineTo(xs[point], ys[point]);
        default -> curveTo(point);
      }
      point += StrokePath.points(kind);
    }
  }

  /** Draws a thin stroke that belongs to no character, anywhere on the canvas. */
  void drawStrayStroke(RandomStream random) {
    double x = random.uniform(0, Canvas.SIDE);
    double y = random.uniform(0, Canvas.SIDE);
    double thin = random.uniform(0.4, 1.1);
    canvas.drawBar(x, y, x + random.uniform(-12, 12), y + random.uniform(-12, 12), thin);
  }

  /** How much ink a pixel holds, from 0 to 1. */
  double ink(int index) {
    return typeface == Typeface.HOLLOW
        ? canvas.outlineCoverage(index, RIM_HALF_WIDTH)
        : canvas.fillCoverage(index);
  }

  /**
   * Maps the points of the strokes onto the canvas: jitter first, then bend, slant and rotation.
   */
  private void transformPoints(StrokePath strokePath, RandomStream random) {
    double angle = jitter(random, 0.22);
    double cosine = StrictMath.cos(angle);
    double sine = StrictMath.sin(angle);
    double lean = typeface.slant() + jitter(random, 0.28);
    double size = PIXELS_PER_UNIT * (1 + jitter(random, 0.2));
    double wide = size * (1 + jitter(random, 0.2));
    double bend = jitter(random, 0.003);
    double middleX = 0.5 * Canvas.SIDE + jitter(random, 2.5);
    double middleY = 0.5 * Canvas.SIDE + jitter(random, 2);
    if (xs.length < strokePath.points()) {
      xs = new double[strokePath.points()];
      ys = new double[strokePath.points()];
    }
    for (int i = 0; i < strokePath.points(); i++) {
      double x = strokePath.x(i) - BOX_CENTRE_X + jitter(random, 5);
      double y = strokePath.y(i) - BOX_CENTRE_Y + jitter(random, 5);
      x = wide * (x - lean * y + bend * y * y);
      y = size * y;
      xs[i] = middleX + cosine * x - sine * y;
      ys[i] = middleY + sine * x + cosine * y;
    }
  }

  private double strokeRadius(RandomStream random) {
    double plain = 1.35 + jitter(random, 0.6);
    return switch (typeface) {
      case ROUND, SQUARE, SERIF, SCRIPT -> plain;
      // The outline extends to both sides of the stroke's edge, so the stroke must be wide enough.
      case HOLLOW -> 1.2 + 0.5 * plain;
      case DOTTED -> 0.35 + 0.5 * plain;
    };
  }

  private void penDown(int point) {
    penX = xs[point];
    penY = ys[point];
    distanceToDot = 0;
  }

  private void curveTo(int point) {
    double startX = penX;
    double startY = penY;
    for (int step = 1; step <= CURVE_STEPS; step++) {
      double t = (double) step / CURVE_STEPS;
      double u = 1 - t;
      double start = u * u * u;
      double first = 3 * u * u * t;
      double second = 3 * u * t * t;
      double end = t * t * t;
      lineTo(
          start * startX + first * xs[point] + second * xs[point + 1] + end * xs[point + 2],
          start * startY + first * ys[point] + second * ys[point + 1] + end * ys[point + 2]);
    }
  }

  private void lineTo(double toX, double toY) {
    double alongX = toX - penX;
    double alongY = toY - penY;
    double length = Math.sqrt(alongX * alongX + alongY * alongY);
    if (typeface == Typeface.DOTTED) {
      drawDots(alongX, alongY, length);
    } else {
      double level = length > 0 ? Math.abs(alongX) / length : 0;
      canvas.drawBar(penX, penY, toX, toY, radius * (1 - typeface.contrast() * level));
    }
    penX = toX;
    penY = toY;
  }

  /**
   * Carries the distance to the next dot from line to line, so that dots stay evenly spaced on
   * curves.
   */
  private void drawDots(double alongX, double alongY, double length) {
    double at = distanceToDot;
    while (at <= length) {
      double share = length > 0 ? at / length : 0;
      double x = penX + share * alongX;
      double y = penY + share * alongY;
      canvas.drawBar(x, y, x, y, radius);
      at += DOT_SPACING * radius;
    }
    distanceToDot = at - length;
  }

  /**
   * A random value between minus and plus the extent, most often near zero, times the distortion.
   */
  private double jitter(RandomStream random, double extent) {
    return distortion * extent * (random.nextDouble() + random.nextDouble() - 1);
  }
}
