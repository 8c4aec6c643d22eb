package example;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.storage.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example in docs/how-to/use-from-java.md compiles, runs, and equals the code on the page. */
class KeepHalfTest {
  @TempDir private Path home;

  @Test
  void theProgramRunsItsOwnMethodAndPrintsATable() throws Exception {
    Path folder = home.resolve("mine");
    PrintStream before = System.out;
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    try {
      System.setOut(new PrintStream(written, true, StandardCharsets.UTF_8));
      KeepHalf.main(new String[] {folder.toString()});
    } finally {
      System.setOut(before);
    }

    assertThat(written.toString(StandardCharsets.UTF_8)).contains("keep-half");
    var summary = Json.tree(Files.readString(folder.resolve("summary.json")));
    assertThat(summary.get("method").asString()).isEqualTo("keep-half");
    assertThat(summary.get("traffic").get("modelBytes").asLong()).isPositive();
  }

  @Test
  void thePageShowsTheProgram() throws IOException {
    Path root = Files.exists(Path.of("../core/pom.xml")) ? Path.of("..") : Path.of("");
    String page = Files.readString(root.resolve("docs/how-to/use-from-java.md"));
    String program = Files.readString(root.resolve("cli/src/test/java/example/KeepHalf.java"));

    assertThat(page).contains("```java\n" + program + "```\n");
  }
}
