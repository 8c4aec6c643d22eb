package io.kindred.studies.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.config.Catalogue;
import io.kindred.protocol.discovery.Discovery;
import io.kindred.protocol.discovery.ViewMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DiscoveryPageTest {
  private static final Path FILE =
      Path.of(Files.exists(Path.of("../docs")) ? ".." : "", "docs/reference/discovery.md");

  @Test
  void thePageIsWhatTheCodeSays() throws IOException {
    if (Boolean.getBoolean("kindred.rewrite")) {
      Files.writeString(FILE, DiscoveryPage.render());
    }
    assertThat(FILE)
        .as(
            "stale; rewrite it with: ./x -pl studies -am test -Dtest=DiscoveryPageTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false -Dkindred.rewrite=true")
        .hasContent(DiscoveryPage.render());
  }

  @Test
  void everyMessageHasItsRow() {
    String page = DiscoveryPage.render();
    for (Class<?> type : Discovery.records()) {
      if (ViewMessage.class.isAssignableFrom(type)) {
        assertThat(page).contains("`" + Catalogue.nameOf(type).replace("discovery/", "") + "`");
      }
    }
  }
}
