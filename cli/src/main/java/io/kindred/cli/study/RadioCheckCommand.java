package io.kindred.cli.study;

import io.kindred.cli.progress.ConsoleProgress;
import io.kindred.cli.progress.TerminalColumns;
import io.kindred.core.random.Purpose;
import io.kindred.environment.radio.PeerPositions;
import io.kindred.report.table.Table;
import io.kindred.runtime.command.ExitCode;
import io.kindred.storage.OperatorException;
import io.kindred.storage.json.Json;
import io.kindred.studies.radio.MechanismCheck;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
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
      "",
      "With --peers, the table has a row for each number of peers instead: mean and largest difference",
      "and agreement of the sampled interference and of the nearest log-normal one, beside the share of",
      "cases in which selecting nobody is the decision of the simulation. Writes check-peers.csv.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  kindred radio check --placements 5 --blocks 5000",
      "  kindred radio check --peers 5,11,21,35,50 --placements 10"
    })
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

  @Option(
      names = "--peers",
      paramLabel = "N,...",
      split = ",",
      description = "numbers of peers to compare (default: that of the experiment)")
  private List<Integer> peers = new ArrayList<>();

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  RadioCheckCommand() {}

  @Override
  public Integer call() throws IOException {
    RadioOptions.requirePositive("--placements", placements);
    RadioOptions.requirePositive("--blocks", blocks);
    for (int number : peers) {
      if (number < 2) {
        throw new OperatorException(
            OperatorException.WRONG_USE,
            "--peers " + number + ": a target needs a peer to hear; choose at least 2");
      }
    }
    RadioOptions.RadioStudySettings settings = options.read();
    List<Integer> numbers = peers.isEmpty() ? List.of(settings.peers()) : peers;
    ConsoleProgress progress = ConsoleProgress.ofProcess();
    progress.begin("radio check", (long) placements * numbers.size(), 0);
    SortedMap<Integer, MechanismCheck> checks = new TreeMap<>();
    for (int number : numbers) {
      checks.put(number, check(settings, number, progress));
    }
    progress.end("done");
    MechanismCheck first = checks.sequencedValues().getFirst();
    Table table = peers.isEmpty() ? first.table() : MechanismCheck.byPeers(checks);
    System.out.print(
        json
            ? Json.document(table.mappings())
            : table.text(TerminalColumns.ofTables())
                + (peers.isEmpty() ? first.summary() + "\n" : ""));
    options.write(peers.isEmpty() ? "check.csv" : "check-peers.csv", table.csv());
    return ExitCode.DONE;
  }

  private MechanismCheck check(
      RadioOptions.RadioStudySettings settings, int number, ConsoleProgress progress) {
    MechanismCheck check = new MechanismCheck(settings.epsilon());
    for (int i = 0; i < placements; i++) {
      PeerPositions peerPositions =
          PeerPositions.uniform(
              number,
              settings.links().sideMetres(),
              settings.streams().stream(Purpose.PLACEMENT, 2, i));
      check.checkPlacement(
          settings.links().channel(), peerPositions, THRESHOLDS, blocks, i, settings.streams());
      progress.stepCompleted();
    }
    return check;
  }
}
