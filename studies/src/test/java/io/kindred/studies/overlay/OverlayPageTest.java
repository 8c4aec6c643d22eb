package io.kindred.studies.overlay;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.config.Catalogue;
import io.kindred.protocol.overlay.OverlayMessage;
import io.kindred.protocol.overlay.SearchMessage;
import io.kindred.protocol.overlay.machine.Overlay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OverlayPageTest {
  private static final Path FILE =
      Path.of(Files.exists(Path.of("../docs")) ? ".." : "", "docs/reference/overlay.md");

  @Test
  void thePageIsWhatTheCodeSays() throws IOException {
    if (Boolean.getBoolean("kindred.rewrite")) {
      Files.writeString(FILE, OverlayPage.render());
    }
    assertThat(FILE)
        .as(
            "stale; rewrite it with: ./x -pl studies -am test -Dtest=OverlayPageTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false -Dkindred.rewrite=true")
        .hasContent(OverlayPage.render());
  }

  @Test
  void everyMessageHasItsRow() {
    String page = OverlayPage.render();
    for (Class<?> type : Overlay.records()) {
      if (OverlayMessage.class.isAssignableFrom(type)
          || SearchMessage.class.isAssignableFrom(type)) {
        assertThat(page).contains("`" + Catalogue.nameOf(type).replace("overlay/", "") + "`");
      }
    }
  }
}
