package io.kindred.lab.command;

import io.kindred.files.OperatorException;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a grid. */
@Command(
    name = "sweep",
    mixinStandardHelpOptions = true,
    description = {
      "Runs every cell of a grid.",
      "",
      "The cells are the values under 'sweep' times the 'seeds' of the file.",
      "Finished cells are skipped and begun ones resumed, so the same command goes on after a stop.",
      ""
    },
    footer = {
      "",
      "A grid in a file:",
      "  sweep: {method: [local, fedavg], partition.alpha: [0.1, 1.0]}",
      "  seeds: [1, 2, 3]",
      "  table: {rows: method, columns: partition.alpha, cell: accuracy.local.mean}"
    })
final class SweepCommand implements Callable<Integer> {
  @Mixin private ExperimentOptions options;

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      defaultValue = "local",
      description = "where cells run: local (the only one so far)")
  private String engine;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  SweepCommand() {}

  @Override
  public Integer call() throws IOException {
    if (!engine.equals("local")) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "--engine " + engine + " is not known; the only engine so far is local");
    }
    return new GridCommand("sweep", options, options.read()).call();
  }
}
