package io.kindred.report.plot;

/** Width and height of a drawing in user units (pixels when shown unscaled). */
public record Size(double width, double height) {
  /** Fits a text column of a page and half a slide. */
  public static final Size STANDARD = new Size(760, 380);

  public Size {
    if (!(width >= 200 && height >= 60)) {
      throw new IllegalArgumentException(
          "a chart needs at least 200 x 60, but got " + width + " x " + height);
    }
  }
}
