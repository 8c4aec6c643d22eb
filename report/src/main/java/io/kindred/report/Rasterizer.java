package io.kindred.report;

import com.github.weisj.jsvg.SVGDocument;
import com.github.weisj.jsvg.parser.DocumentLimits;
import com.github.weisj.jsvg.parser.LoaderContext;
import com.github.weisj.jsvg.parser.SVGLoader;
import com.github.weisj.jsvg.view.ViewBox;
import java.awt.Color;
import java.awt.Component;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;

/**
 * Renders figures as PNG, for slides and programs without SVG support. Text uses the fonts of the
 * machine, so unlike SVG files the pixels may differ a little between machines.
 */
final class Rasterizer {
  /** Twice the size in user units, which stays sharp in print. */
  private static final int SCALE = 2;

  /** The figures come from this program, and one may have a bar for each of thousands of peers. */
  private static final LoaderContext WITHOUT_PATH_LIMIT =
      LoaderContext.builder()
          .documentLimits(
              new DocumentLimits(
                  DocumentLimits.DEFAULT_MAX_NESTING_DEPTH,
                  DocumentLimits.DEFAULT_MAX_USE_NESTING_DEPTH,
                  Integer.MAX_VALUE))
          .build();

  private Rasterizer() {}

  static byte[] png(String svg) throws IOException {
    ByteArrayInputStream text = new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8));
    SVGDocument document =
        Objects.requireNonNull(
            new SVGLoader().load(text, null, WITHOUT_PATH_LIMIT), "not an SVG document");
    float width = document.size().width;
    float height = document.size().height;
    BufferedImage image =
        new BufferedImage(
            (int) Math.ceil(SCALE * width),
            (int) Math.ceil(SCALE * height),
            BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    try {
      graphics.setColor(Color.WHITE);
      graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
      graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
      graphics.setRenderingHint(
          RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
      graphics.scale(SCALE, SCALE);
      @Nullable Component nowhere = null;
      document.render(nowhere, graphics, new ViewBox(0, 0, width, height));
    } finally {
      graphics.dispose();
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(image, "png", out);
    return out.toByteArray();
  }
}
