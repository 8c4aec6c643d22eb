package io.kindred.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs the cells of a grid. */
@Command(
    name = "sweep",
    mixinStandardHelpOptions = true,
    description = {
      "Runs every cell of a grid.",
      "",
      "The cells are the values under 'sweep' times the 'seeds' of the file.",
      "Finished cells are skipped and unfinished cells are resumed, so repeating the command",
      "continues after a stop. With --engine spark the cells run on a cluster (see",
      "docs/how-to/run-on-a-cluster.md).",
      ""
    },
    footer = {
      "",
      "A grid in a file:",
      "  sweep: {method: [local, fedavg], partition.alpha: [0.1, 1.0]}",
      "  seeds: [1, 2, 3]",
      "  table: {rows: method, columns: partition.alpha, cell: accuracy.local.mean}",
      "",
      "On a cluster:",
      "  kindred sweep experiments/cluster/grid.yaml --engine spark \\",
      "    --master spark://127.0.0.1:7077"
    })
final class SweepCommand implements Callable<Integer> {
  @Mixin private ExperimentOptions options;

  @Mixin private GridEngineOptions engine;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  SweepCommand() {}

  @Override
  public Integer call() throws IOException {
    GridCommand.EngineFactory factory = engine.factory(options, 1);
    return new GridCommand("sweep" + engine.commandText(), options, options.read()).call(factory);
  }
}
