package io.kindred.learning.data.vision;

import io.kindred.learning.data.Picture;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Collects sizes and colours of pictures, and says what becomes of them. */
final class PictureSizes {
  /** A picture of 3 to 2 loses a third of its longer side when it is cropped. */
  private static final double MUCH = 1.5;

  private final int side;
  private final int colours;
  private final Picture.Fit fit;
  private int count;
  private int coloured;
  private int smaller;
  private int oblong;
  private int narrowest = Integer.MAX_VALUE;
  private int widest;
  private int lowest = Integer.MAX_VALUE;
  private int highest;

  PictureSizes(int side, int colours, Picture.Fit fit) {
    this.side = side;
    this.colours = colours;
    this.fit = fit;
  }

  void add(Picture picture) {
    int width = picture.width();
    int height = picture.height();
    count++;
    coloured += picture.isGrey() ? 0 : 1;
    smaller += Math.min(width, height) < side ? 1 : 0;
    oblong += Math.max(width, height) > MUCH * Math.min(width, height) ? 1 : 0;
    narrowest = Math.min(narrowest, width);
    widest = Math.max(widest, width);
    lowest = Math.min(lowest, height);
    highest = Math.max(highest, height);
  }

  List<String> remarks() {
    if (count == 0) {
      return List.of();
    }
    List<String> remarks = new ArrayList<>();
    boolean same = narrowest == widest && lowest == highest;
    remarks.add(
        (same
                    ? "all pictures have %d x %d pixels"
                    : "pictures have %d x %d to %d x %d pixels (width x height)")
                .formatted(
                    same
                        ? new Object[] {widest, highest}
                        : new Object[] {narrowest, lowest, widest, highest})
            + ", and become %d x %d (fit: %s)"
                .formatted(side, side, fit.name().toLowerCase(Locale.ROOT)));
    if (smaller > 0) {
      remarks.add("%s smaller than %d pixels and enlarged".formatted(are(smaller), side));
    }
    if (oblong > 0 && fit != Picture.Fit.PAD) {
      remarks.add(
          "%s more than 1.5 times as long in one direction and %s; fit: pad keeps all of them"
              .formatted(are(oblong), fit == Picture.Fit.CROP ? "cut at its ends" : "distorted"));
    }
    if (colours == 3 && coloured == 0) {
      remarks.add("all pictures are grey; colour: false makes inputs a third as large");
    } else if (colours == 3 && coloured < count) {
      remarks.add(
          "%d of %d pictures are grey and get three equal colours"
              .formatted(count - coloured, count));
    } else if (colours == 1 && coloured > 0) {
      remarks.add("%d of %d pictures lose their colours".formatted(coloured, count));
    }
    return remarks;
  }

  private String are(int some) {
    return some == 1
        ? "1 of %d pictures is".formatted(count)
        : "%d of %d pictures are".formatted(some, count);
  }
}
