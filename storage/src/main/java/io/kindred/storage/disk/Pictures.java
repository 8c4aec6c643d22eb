package io.kindred.storage.disk;

import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.Picture;
import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.ImageIO;

/**
 * Decodes and encodes picture files with the JDK's codecs and that of TwelveMonkeys for WebP; needs
 * no screen. Transparent pixels are laid over white; of a moving picture the first frame counts.
 */
public final class Pictures {
  private Pictures() {}

  static {
    ImageIO.setUseCache(false);
  }

  static Picture decode(String file, byte[] bytes) {
    try {
      BufferedImage image = ImageIO.read(new ByteArrayInputStream(bytes));
      if (image == null) {
        throw new DamagedDataException(
            file, "byte 0", bytes.length == 0 ? "the file is empty" : "not a picture file");
      }
      return picture(image);
    } catch (IOException | IndexOutOfBoundsException | IllegalArgumentException e) {
      throw new DamagedDataException(
          file, "one of its " + bytes.length + " bytes", String.valueOf(e.getMessage()));
    }
  }

  private static Picture picture(BufferedImage image) {
    int width = image.getWidth();
    int height = image.getHeight();
    byte[] rgb = new byte[3 * width * height];
    ColorModel model = image.getColorModel();
    Raster raster = image.getRaster();
    boolean grey = raster.getNumBands() <= 2 && !(model instanceof IndexColorModel);
    int shift = Math.max(0, model.getComponentSize(0) - 8);
    boolean transparent = model.hasAlpha();
    for (int row = 0; row < height; row++) {
      for (int column = 0; column < width; column++) {
        int at = 3 * (row * width + column);
        int colour = image.getRGB(column, row);
        // Java takes grey for linear light and would brighten it on the way to RGB.
        int value = grey ? 0x010101 * (raster.getSample(column, row, 0) >>> shift & 0xff) : colour;
        value = transparent ? overWhite(value, colour >>> 24) : value;
        rgb[at] = (byte) (value >>> 16);
        rgb[at + 1] = (byte) (value >>> 8);
        rgb[at + 2] = (byte) value;
      }
    }
    return new Picture(width, height, rgb);
  }

  /** A picture editor shows a white page below; the hidden colour is often black. */
  private static int overWhite(int rgb, int opacity) {
    int result = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
      int shade = rgb >>> shift & 0xff;
      result |= ((shade * opacity + 255 * (255 - opacity) + 127) / 255) << shift;
    }
    return result;
  }

  /** The picture as a PNG file. */
  public static byte[] png(Picture picture) {
    BufferedImage image =
        new BufferedImage(picture.width(), picture.height(), BufferedImage.TYPE_INT_RGB);
    for (int row = 0; row < picture.height(); row++) {
      for (int column = 0; column < picture.width(); column++) {
        image.setRGB(
            column,
            row,
            picture.value(0, row, column) << 16
                | picture.value(1, row, column) << 8
                | picture.value(2, row, column));
      }
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      ImageIO.write(image, "png", out);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot encode a picture", e);
    }
    return out.toByteArray();
  }
}
