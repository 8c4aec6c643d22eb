package io.kindred.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class DemoTest {
  @TempDir private Path home;

  /**
   * The engine gives the same bits on every processor, so the pictures of the README are those of
   * any machine. Where the demo has changed on purpose, {@code scripts/redraw} draws them again.
   */
  @Test
  void theReadmeShowsThePicturesThatTheDemoDraws() throws IOException {
    Path out = home.resolve("demo");
    CommandResult demo = CommandResult.run("demo", "--out", out.toString(), "--json");
    assertThat(demo.exitCode()).as(demo.err()).isZero();
    assertThat(demo.err()).doesNotContain("warning");
    JsonNode summaries = Json.tree(demo.out());
    assertThat(summaries.valueStream().map(each -> each.get("method").asString()))
        .containsExactly("local", "fedavg", "dfedavgm", "kin");
    assertSamePicture("demo-accuracy.svg", out.resolve("plots/accuracy-over-rounds.svg"));
    assertSamePicture("demo-pulls.svg", out.resolve("plots/who-pulled-whom-kin.svg"));
    assertThat(Files.readString(out.resolve("report.html")))
        .contains("What peers deploy and why", "id=\"purity-over-rounds\"");
  }

  private static void assertSamePicture(String shown, Path drawn) throws IOException {
    String image = "docs/images/" + shown;
    assertThat(Files.readString(DocumentationPages.root().resolve("README.md"))).contains(image);
    assertThat(Files.readString(DocumentationPages.root().resolve(image)))
        .as(image + " is not what the demo draws; run scripts/redraw")
        .isEqualTo(Files.readString(drawn));
  }
}
