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
                ? "all pictures have " + pixels(widest, highest) + " pixels"
                : "pictures have "
                    + pixels(narrowest, lowest)
                    + " to "
                    + pixels(widest, highest)
                    + " pixels (width x height)")
            + ", and become "
            + pixels(side, side)
            + " (fit: "
            + fit.name().toLowerCase(Locale.ROOT)
            + ")");
    if (smaller > 0) {
      remarks.add(are(smaller) + " smaller than " + side + " pixels and enlarged");
    }
    if (oblong > 0 && fit != Picture.Fit.PAD) {
      remarks.add(
          are(oblong)
              + " more than 1.5 times as long in one direction and "
              + (fit == Picture.Fit.CROP ? "cut at its ends" : "distorted")
              + "; fit: pad keeps all of them");
    }
    if (colours == 3 && coloured == 0) {
      remarks.add("all pictures are grey; colour: false makes inputs a third as large");
    } else if (colours == 3 && coloured < count) {
      remarks.add(
          count - coloured + " of " + count + " pictures are grey and get three equal colours");
    } else if (colours == 1 && coloured > 0) {
      remarks.add(coloured + " of " + count + " pictures lose their colours");
    }
    return remarks;
  }

  private String are(int some) {
    return some + " of " + count + (some == 1 ? " pictures is" : " pictures are");
  }

  private static String pixels(int width, int height) {
    return width + " x " + height;
  }
}
