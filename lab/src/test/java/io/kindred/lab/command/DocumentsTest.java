package io.kindred.lab.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What the pages say can be followed: links lead somewhere, commands are understood. */
class DocumentsTest {
  @TempDir private Path home;

  @Test
  void everyRelativeLinkLeadsToAFile() throws IOException {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path page : Documents.pages()) {
      for (Documents.Found link : Documents.links(page)) {
        links++;
        Path target = page.resolveSibling(link.text()).normalize();
        if (!Files.exists(target)) {
          broken.add(link.toString());
        }
      }
    }
    assertThat(broken).isEmpty();
    assertThat(links).isGreaterThan(5);
  }

  @Test
  void everyCommandOnAPageIsUnderstood() throws IOException {
    List<Documents.Found> commands = new ArrayList<>();
    for (Path page : Documents.pages()) {
      commands.addAll(Documents.commands(page));
    }
    assertThat(commands).hasSizeGreaterThan(5).allSatisfy(DocumentsTest::understood);
  }

  @Test
  void everyCommandInAnExperimentFileIsUnderstood() throws IOException {
    Pattern comment = Pattern.compile("#.*?\\./kindred (\\S.*)");
    for (Path file : ShippedExperimentsTest.experiments()) {
      List<String> lines = Files.readAllLines(file);
      for (int i = 0; i < lines.size(); i++) {
        var matcher = comment.matcher(lines.get(i));
        if (matcher.matches()) {
          understood(new Documents.Found(file, i + 1, Documents.withoutRest(matcher.group(1))));
        }
      }
    }
  }

  @Test
  void everyExampleInTheHelpIsUnderstood() {
    List<CommandLine> all = new ArrayList<>(Kindred.commandLine().getSubcommands().values());
    all.add(Kindred.commandLine());
    List<Documents.Found> examples = new ArrayList<>();
    for (CommandLine each : all) {
      for (String line : each.getUsageMessage().split("\\R", -1)) {
        if (line.startsWith("  kindred ")) {
          String command = line.strip().substring("kindred ".length());
          examples.add(new Documents.Found(Path.of("help"), 0, Documents.withoutRest(command)));
        }
      }
    }
    assertThat(examples).hasSizeGreaterThan(5).allSatisfy(DocumentsTest::understood);
  }

  @Test
  void plantedMistakesAreFound() throws IOException {
    Path page =
        Files.writeString(
            home.resolve("page.md"),
            """
            A [link](missing.md#part), [another](https://example.org/x.md), [here](#there).

                ./kindred runn file.yaml     starts it

            ```
            $ kindred run file.yaml --sede 3 > out
            ```

            ./kindred is prose here
            """);
    assertThat(Documents.links(page)).containsExactly(new Documents.Found(page, 1, "missing.md"));
    assertThat(Documents.commands(page))
        .containsExactly(
            new Documents.Found(page, 3, "runn file.yaml"),
            new Documents.Found(page, 6, "run file.yaml --sede 3"))
        .allSatisfy(
            command ->
                assertThatCode(() -> parse(command.text()))
                    .isInstanceOf(CommandLine.ParameterException.class));
  }

  private static void understood(Documents.Found command) {
    assertThatCode(() -> parse(command.text())).as("%s", command).doesNotThrowAnyException();
    for (String word : words(command.text())) {
      if (word.startsWith("experiments/")) {
        assertThat(Documents.root().resolve(word)).as("%s", command).exists();
      }
    }
  }

  private static void parse(String command) {
    Kindred.commandLine().parseArgs(words(command).toArray(String[]::new));
  }

  /** As a shell divides them: what stands in quotes is one word. */
  static List<String> words(String command) {
    return Pattern.compile("\"([^\"]*)\"|'([^']*)'|\\S+")
        .matcher(command)
        .results()
        .map(
            word ->
                word.group(1) != null
                    ? word.group(1)
                    : word.group(2) != null ? word.group(2) : word.group())
        .toList();
  }
}
