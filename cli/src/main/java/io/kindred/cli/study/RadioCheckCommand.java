package io.kindred.cli.study;

import io.kindred.cli.progress.ConsoleProgress;
import io.kindred.cli.progress.TerminalColumns;
import io.kindred.core.random.Purpose;
import io.kindred.environment.radio.PeerPositions;
import io.kindred.runtime.command.ExitCode;
import io.kindred.storage.json.Json;
import io.kindred.studies.radio.MechanismCheck;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares the radio formulas with a simulation of the mechanism that they approximate. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Simulates the channel block by block and compares every variant of the formulas with it.",
      "",
      "In each block every peer draws a fading for each sub-channel and uses the best sub-channel; the",
      "failed transmissions of each sender are counted. 'excess' is how much higher a variant's error",
      "is than the simulated error. 'same decision' is the share of cases in which the variant and",
      "the simulation agree on whether a neighbour is selected. Writes check.csv.",
      ""
    },
    footer = {"", "Example:", "  kindred radio check --placements 5 --blocks 5000"})
final class RadioCheckCommand implements Callable<Integer> {
  private static final List<Double> THRESHOLDS = List.of(5.0, 10.0, 15.0);

  @Mixin private RadioOptions options;

  @Option(
      names = "--placements",
      paramLabel = "N",
      description = "number of placements to simulate (default: ${DEFAULT-VALUE})")
  private int placements = 30;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      description = "blocks per placement (default: ${DEFAULT-VALUE})")
  private int blocks = 20_000;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  RadioCheckCommand() {}

  @Override
  public Integer call() throws IOException {
    RadioOptions.requirePositive("--placements", placements);
    RadioOptions.requirePositive("--blocks", blocks);
    RadioOptions.RadioStudySettings radioStudySettings = options.read();
    ConsoleProgress progress = ConsoleProgress.ofProcess();
    progress.begin("radio check", placements, 0);
    MechanismCheck check = new MechanismCheck(radioStudySettings.epsilon());
    for (int i = 0; i < placements; i++) {
      PeerPositions peerPositions =
          PeerPositions.uniform(
              radioStudySettings.peers(),
              radioStudySettings.links().sideMetres(),
              radioStudySettings.streams().stream(Purpose.PLACEMENT, 2, i));
      check.checkPlacement(
          radioStudySettings.links().channel(),
          peerPositions,
          THRESHOLDS,
          blocks,
          i,
          radioStudySettings.streams());
      progress.stepCompleted();
    }
    progress.end("done");
    System.out.print(
        json
            ? Json.document(check.table().mappings())
            : check.table().text(TerminalColumns.ofTables()) + check.summary() + "\n");
    options.write("check.csv", check.table().csv());
    return ExitCode.DONE;
  }
}
