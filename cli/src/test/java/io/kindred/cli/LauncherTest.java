package io.kindred.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The part of the launcher that ./kindred and the distribution archive share. */
class LauncherTest {
  private static final Path SCRIPT = Path.of("..", "scripts", "start.sh");

  @TempDir private Path home;

  private CommandResult launch(String... arguments) throws IOException, InterruptedException {
    return launchWith(java(), arguments);
  }

  private CommandResult launchWith(String java, String... arguments)
      throws IOException, InterruptedException {
    String script =
        """
        set -eu
        . "$1"; kindred_java=$2; kindred_classes=$3; kindred_main=$4; kindred_archive=$5
        shift 5
        kindred_start "$@"
        """;
    List<String> command = new ArrayList<>(List.of("sh", "-c", script, "sh"));
    command.add(SCRIPT.toString());
    command.add(java);
    command.add(System.getProperty("java.class.path"));
    command.add(Kindred.class.getName());
    command.add(home.resolve("no-archive").toString());
    command.addAll(List.of(arguments));
    return result(new ProcessBuilder(command));
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private CommandResult result(ProcessBuilder builder) throws IOException, InterruptedException {
    Path errors = home.resolve("errors");
    Process process = builder.redirectError(errors.toFile()).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new CommandResult(process.waitFor(), out, Files.readString(errors));
  }

  @Test
  void nothingOfTheJvmIsPrintedBesideTheOutputOfTheProgram() throws Exception {
    assertThat(launch("--version")).isEqualTo(new CommandResult(0, "kindred 0.1.0\n", ""));
  }

  /** With 'echo' in place of Java, the options are printed. */
  private String options(String... arguments) throws Exception {
    return launchWith("echo", arguments).out();
  }

  private String optionsWith(String configuration) throws Exception {
    Path file = Files.writeString(home.resolve("node.yaml"), configuration);
    assertThat(options("node", "start", "--config=" + file))
        .isEqualTo(
            options("node", "start", "--config", file.toString())
                .replace("--config ", "--config="));
    return options("node", "start", "--config", file.toString());
  }

  @Test
  void aNodeTakesTheMemoryOfItsConfigurationAndOtherCommandsMostOfTheMachine() throws Exception {
    assertThat(options("run", "e.yaml")).contains(" -XX:MaxRAMPercentage=70 ");
    assertThat(options("node", "status", "--config", "none")).contains("MaxRAMPercentage=70 ");
    assertThat(options("node", "start", "--config", "none")).contains("MaxRAMPercentage=25 ");
    assertThat(optionsWith("peer: 0\n")).contains("MaxRAMPercentage=25 ");
    assertThat(optionsWith("peer: 0\nmemoryMegabytes: 560 # of this machine\n"))
        .contains(" -Xmx300m -XX:MaxDirectMemorySize=100m ")
        .doesNotContain("MaxRAMPercentage");
    assertThat(optionsWith("memoryMegabytes: 1000"))
        .as("a last line without an end")
        .contains(" -Xmx630m -XX:MaxDirectMemorySize=210m ");
  }

  @Test
  void aMistakeIsStillReportedAndDecidesTheExitCode() throws Exception {
    CommandResult commandResult = launch("run");
    assertThat(commandResult.exitCode()).isEqualTo(2);
    assertThat(commandResult.err())
        .isEqualTo("kindred: Missing required parameter: 'FILE' (see 'kindred run --help')\n");
  }

  /** Training needs the Vector API, which the process loads itself. */
  @Test
  void aRunComputesTheSameAsInAProcessThatTheJvmLoadedTheVectorsFor() throws Exception {
    String file = SmallExperimentFile.in(home).toString();
    Path launched = home.resolve("launched");
    Path here = home.resolve("here");
    CommandResult commandResult = launch("run", file, "--out", launched.toString());
    assertThat(commandResult.exitCode()).as(commandResult.err()).isZero();
    assertThat(commandResult.err()).doesNotContain("WARNING");
    assertThat(CommandResult.run("run", file, "--out", here.toString()).exitCode()).isZero();
    assertThat(launched.resolve("metrics.jsonl"))
        .hasSameTextualContentAs(here.resolve("metrics.jsonl"));
  }

  @Test
  void theLogsOfAFleetHoldOnlyWhatTheNodesSay() throws Exception {
    Path fleet = home.resolve("fleet");
    CommandResult commandResult =
        launch(
            "fleet",
            "up",
            SmallExperimentFile.in(home).toString(),
            "--peers",
            "2",
            "--set",
            "topology=complete",
            "--out",
            fleet.toString());
    assertThat(commandResult.exitCode()).as(commandResult.err()).isZero();
    List<Path> logs;
    try (Stream<Path> files = Files.walk(fleet)) {
      logs = files.filter(each -> each.endsWith("log.txt")).toList();
    }
    assertThat(logs).hasSize(2);
    for (Path log : logs) {
      assertThat(Files.readString(log)).isNotEmpty().doesNotContain("WARNING");
    }
  }

  @Test
  void aProcessThatMayNotLoadTheVectorsNamesTheOption() throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            java(),
            "-cp",
            System.getProperty("java.class.path"),
            Kindred.class.getName(),
            "--version");
    assertThat(result(builder))
        .isEqualTo(
            new CommandResult(
                1,
                "",
                "kindred: the Java module jdk.incubator.vector cannot be loaded; start the program"
                    + " with its launcher, or add --add-modules jdk.incubator.vector to the options"
                    + " of java\n"));
  }
}
