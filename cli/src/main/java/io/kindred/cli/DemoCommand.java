package io.kindred.cli;

import io.kindred.runtime.command.DataOptions;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.disk.Folders;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Demonstrates the program in under a minute. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Demonstrates the program in under a minute.",
      "",
      "Forty-eight peers learn to recognize characters: alone (local), with a server and",
      "fine-tuned (fedavg), by gossip with neighbours (dfedavgm), and with the peers that learn",
      "the same (kin).",
      "Four groups of peers see the characters in four rotations, and each peer has few samples.",
      "Prints a table and writes a report, with a picture of who pulled whom.",
      ""
    })
final class DemoCommand implements Callable<Integer> {
  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "runs/demo",
      description =
          "folder for the results (default: ${DEFAULT-VALUE}); an earlier demo there is replaced")
  private Path out;

  @Option(names = "--json", description = "print the summaries as one JSON document")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  DemoCommand() {}

  @Override
  public Integer call() throws IOException {
    ExperimentFile file =
        ExperimentFile.of(
            ConfigFile.parse("demo.yaml", resource("demo.yaml")), Optional.empty(), List.of());
    removeEarlierRuns();
    return GridCommand.execute(
        file,
        out,
        "demo",
        "./kindred demo",
        List.of(),
        json,
        GridCommand.local(DataOptions.ofEnvironment(), 1));
  }

  /** Removes only run folders; other files in the folder stay. */
  private void removeEarlierRuns() throws IOException {
    if (!Files.isDirectory(out)) {
      return;
    }
    List<Path> runs;
    try (Stream<Path> inside = Files.list(out)) {
      runs = inside.filter(each -> new RunFolder(each).hasRun()).toList();
    }
    for (Path run : runs) {
      Folders.delete(run);
    }
  }

  /** A text resource of the program. */
  static String resource(String name) throws IOException {
    try (InputStream in = DemoCommand.class.getResourceAsStream("/io/kindred/cli/" + name)) {
      return new String(
          Objects.requireNonNull(in, name + " is missing").readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
