package io.kindred.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every experiment file in the repository runs with its smallest profile. */
class ShippedExperimentsTest {
  @TempDir private Path home;

  static List<Path> experiments() throws IOException {
    try (Stream<Path> files = Files.walk(DocumentationPages.root().resolve("experiments"))) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  static List<Path> semanticDflTables() throws IOException {
    return experiments().stream()
        .filter(file -> file.toString().contains("/semantic-dfl/"))
        .filter(file -> file.getFileName().toString().matches("(table|figure).*"))
        .toList();
  }

  @Test
  void thereAreExperiments() throws IOException {
    assertThat(experiments()).anyMatch(file -> file.endsWith("first.yaml"));
  }

  /** The best round is chosen on the test samples; a table of a shipped file never shows it. */
  @ParameterizedTest
  @MethodSource("experiments")
  void noTableShowsTheBestRound(Path file) throws IOException {
    assertThat(Files.readString(file)).doesNotContainPattern("cell: *[\\w.]+\\.best");
  }

  /** The figures of the reproduction page were measured with 0.1, which is not the default. */
  @ParameterizedTest
  @MethodSource("semanticDflTables")
  void filesOfSemanticDflsTablesStateTheTemperatureOfTheirFigures(Path file) throws IOException {
    String text = Files.readString(file);
    assertThat(text.contains("name: semantic-dfl")).isEqualTo(text.contains("temperature: 0.1"));
  }

  /** A file without the profile fails with exit code 2 and a line that names the profile. */
  @ParameterizedTest
  @MethodSource("experiments")
  void runsWithItsSmokeProfile(Path shipped) throws IOException {
    Path file = withAbsolutePaths(shipped);
    Path folder = home.resolve("out");
    CommandResult commandResult =
        CommandResult.run(
            "run", file.toString(), "--profile", "smoke", "--out", folder.toString(), "--json");
    assertThat(commandResult.exitCode()).as("%s", commandResult.err()).isZero();
    assertThat(Json.tree(commandResult.out()).isEmpty()).isFalse();
  }

  /** Paths in shipped files begin at the root, where users run them; this test runs elsewhere. */
  private Path withAbsolutePaths(Path file) throws IOException {
    String text = Files.readString(file);
    String absolute =
        text.replace(
            "path: experiments/",
            "path: " + DocumentationPages.root().toAbsolutePath().normalize() + "/experiments/");
    return absolute.equals(text)
        ? file
        : Files.writeString(home.resolve(file.getFileName()), absolute);
  }
}
