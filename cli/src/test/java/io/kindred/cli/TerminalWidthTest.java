package io.kindred.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/** What the program prints fits a terminal of eighty columns. */
class TerminalWidthTest {
  private static final int COLUMNS = 80;

  @TempDir private Path home;

  private static CommandResult runOnTerminal(String... arguments) {
    System.setProperty("kindred.stdout.columns", Integer.toString(COLUMNS));
    try {
      return CommandResult.run(arguments);
    } finally {
      System.clearProperty("kindred.stdout.columns");
    }
  }

  private static List<CommandLine> commands(CommandLine line) {
    List<CommandLine> all = new ArrayList<>(List.of(line));
    line.getSubcommands().values().forEach(each -> all.addAll(commands(each)));
    return all;
  }

  @Test
  void everyHelpTextFits() {
    List<CommandLine> commands = commands(Kindred.commandLine());
    assertThat(commands).hasSizeGreaterThan(30);
    for (CommandLine command : commands) {
      assertThat(command.getUsageMessage().lines())
          .as(command.getCommandSpec().qualifiedName())
          .allMatch(line -> line.length() <= COLUMNS);
    }
  }

  /** An example that is broken at the end of the terminal cannot be copied. */
  @Test
  void noExampleIsBroken() {
    for (CommandLine command : commands(Kindred.commandLine())) {
      UsageMessageSpec usage = command.getCommandSpec().usageMessage();
      List<String> examples =
          Stream.of(usage.description(), usage.footer())
              .flatMap(Stream::of)
              .filter(line -> line.startsWith(" "))
              .toList();
      assertThat(command.getUsageMessage().lines())
          .as(command.getCommandSpec().qualifiedName())
          .containsAll(examples);
    }
  }

  @Test
  void aTableOfManyColumnsContinuesBelowItself() throws IOException {
    String file = SmallExperimentFile.in(home).toString();
    String folder = home.resolve("out").toString();
    String[] compare = {
      "compare", file, "--methods", "local,fedavg", "--seeds", "1,2", "--out", folder
    };
    CommandResult wide = CommandResult.run(compare);
    assertThat(wide.out().lines()).anyMatch(line -> line.length() > COLUMNS);

    for (CommandResult narrow :
        List.of(runOnTerminal(compare), runOnTerminal("report", folder, "--target", "0.1"))) {
      assertThat(narrow.exitCode()).as(narrow.err()).isZero();
      assertThat(narrow.out().lines())
          .filteredOn(line -> !line.contains(folder))
          .allMatch(line -> line.length() <= COLUMNS)
          .filteredOn(line -> line.startsWith("fedavg "))
          .hasSizeGreaterThan(1);
      assertThat(narrow.out()).contains("accuracy %").contains("MB/round").contains("wall s");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"methods", "discoveries", "datasets", "models", "partitions", "topologies"})
  void theListsOfAnExperimentsChoicesFit(String list) {
    CommandResult narrow = runOnTerminal(list);

    assertThat(narrow.out().lines()).allMatch(line -> line.length() <= COLUMNS);
    assertThat(narrow.out().replaceAll("\\s+", " "))
        .isEqualTo(CommandResult.run(list).out().replaceAll("\\s+", " "));
  }

  @Test
  void anExplanationFits() {
    assertThat(runOnTerminal("explain", "semantic-dfl").out().lines())
        .allMatch(line -> line.length() <= COLUMNS);
  }
}
