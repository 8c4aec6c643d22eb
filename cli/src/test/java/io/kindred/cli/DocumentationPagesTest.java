package io.kindred.cli;

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

/** The documentation is valid: links have targets, and the command line accepts all commands. */
class DocumentationPagesTest {
  @TempDir private Path home;

  @Test
  void everyRelativeLinkLeadsToAFile() throws IOException {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path page : DocumentationPages.pages()) {
      for (DocumentationPages.PageExcerpt link : DocumentationPages.links(page)) {
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
    List<DocumentationPages.PageExcerpt> commands = new ArrayList<>();
    for (Path page : DocumentationPages.pages()) {
      commands.addAll(DocumentationPages.commands(page));
    }
    assertThat(commands).hasSizeGreaterThan(5).allSatisfy(DocumentationPagesTest::understood);
  }

  @Test
  void everyCommandInAnExperimentFileIsUnderstood() throws IOException {
    Pattern comment = Pattern.compile("#.*?\\./kindred (\\S.*)");
    for (Path file : ShippedExperimentsTest.experiments()) {
      List<String> lines = Files.readAllLines(file);
      for (int i = 0; i < lines.size(); i++) {
        StringBuilder whole = new StringBuilder(lines.get(i));
        for (int next = i + 1; whole.toString().endsWith("\\"); next++) {
          whole.setLength(whole.length() - 1);
          whole.append(lines.get(next).replaceFirst("#\\s*", ""));
        }
        var matcher = comment.matcher(whole);
        if (matcher.matches()) {
          understood(
              new DocumentationPages.PageExcerpt(
                  file, i + 1, DocumentationPages.withoutTrailingText(matcher.group(1))));
        }
      }
    }
  }

  @Test
  void everyExampleInTheHelpIsUnderstood() {
    List<CommandLine> all = new ArrayList<>(Kindred.commandLine().getSubcommands().values());
    all.add(Kindred.commandLine());
    List<DocumentationPages.PageExcerpt> examples = new ArrayList<>();
    for (CommandLine each : all) {
      // A long example goes on in the next line, as in a shell.
      String usage = each.getUsageMessage().replaceAll("\\\\\\R\\s+", "");
      for (String line : usage.split("\\R", -1)) {
        if (line.startsWith("  kindred ")) {
          String command = line.strip().substring("kindred ".length());
          examples.add(
              new DocumentationPages.PageExcerpt(
                  Path.of("help"), 0, DocumentationPages.withoutTrailingText(command)));
        }
      }
    }
    assertThat(examples).hasSizeGreaterThan(5).allSatisfy(DocumentationPagesTest::understood);
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
    assertThat(DocumentationPages.links(page))
        .containsExactly(new DocumentationPages.PageExcerpt(page, 1, "missing.md"));
    assertThat(DocumentationPages.commands(page))
        .containsExactly(
            new DocumentationPages.PageExcerpt(page, 3, "runn file.yaml"),
            new DocumentationPages.PageExcerpt(page, 6, "run file.yaml --sede 3"))
        .allSatisfy(
            command ->
                assertThatCode(() -> parse(command.text()))
                    .isInstanceOf(CommandLine.ParameterException.class));
  }

  private static void understood(DocumentationPages.PageExcerpt command) {
    assertThatCode(() -> parse(command.text())).as("%s", command).doesNotThrowAnyException();
    for (String word : words(command.text())) {
      if (word.startsWith("experiments/")) {
        assertThat(DocumentationPages.root().resolve(word)).as("%s", command).exists();
      }
    }
  }

  private static void parse(String command) {
    Kindred.commandLine().parseArgs(words(command).toArray(String[]::new));
  }

  /** Splits a command as a shell does: quoted text is one word. */
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
