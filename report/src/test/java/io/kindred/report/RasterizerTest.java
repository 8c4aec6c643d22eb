package io.kindred.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class RasterizerTest {
  private static final int BARS = 5_000;

  @Test
  void aFigureWithABarForEachOfThousandsOfPeersIsPainted() throws IOException {
    StringBuilder svg =
        new StringBuilder("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"500\" height=\"10\">");
    for (int bar = 0; bar < BARS; bar++) {
      svg.append("<rect fill=\"#000\" width=\"0.1\" height=\"10\" x=\"").append(bar / 10.0);
      svg.append("\"/>");
    }
    byte[] png = Rasterizer.png(svg.append("</svg>").toString());
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
    assertThat(image.getWidth()).isEqualTo(1000);
    assertThat(image.getRGB(998, 10) & 0xff).isLessThan(128);
  }
}
