package io.kindred.cli;

import io.kindred.experiment.GridEngine;
import io.kindred.runtime.StopSignal;
import io.kindred.storage.OperatorException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
  private static final String LOCAL = "local";
  private static final String SPARK = "spark";

  @Mixin private ExperimentOptions options;

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      defaultValue = LOCAL,
      description = "where cells run: local (default), or spark")
  private String engine;

  @Option(
      names = "--master",
      paramLabel = "URL",
      description = "cluster for --engine spark: spark://HOST:PORT, or local[N] for N threads")
  private @Nullable String master;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  SweepCommand() {}

  @Override
  public Integer call() throws IOException {
    if (engine.equals(LOCAL)) {
      if (master != null) {
        throw wrong("--master names a cluster; add --engine spark, or leave --master out");
      }
      return new GridCommand("sweep", options, options.read()).call();
    }
    GridEngine.Provider provider = provider(engine);
    String place = master;
    if (place == null) {
      throw wrong(
          "--engine "
              + engine
              + " needs --master, as in --master spark://127.0.0.1:7077 or --master local[2]");
    }
    String verb = "sweep --engine " + engine + " --master " + place;
    return new GridCommand(verb, options, options.read())
        .call(stop -> provider.open(engineOptions(place, stop)));
  }

  private GridEngine.EngineOptions engineOptions(String place, StopSignal stop) {
    return new GridEngine.EngineOptions(
        place, options.dataFolder(), options.atOnce(0), stop, RunCommand.warnOnce());
  }

  private static GridEngine.Provider provider(String name) {
    List<GridEngine.Provider> found = new ArrayList<>();
    ServiceLoader.load(GridEngine.Provider.class).forEach(found::add);
    return found.stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                wrong(
                    name.equals(SPARK)
                        ? "--engine spark needs the Spark module, which is not on the class path;"
                            + " start with ./kindred of a clone (see"
                            + " docs/how-to/run-on-a-cluster.md)"
                        : "--engine " + name + " is not known; the engines are local and spark"));
  }

  private static OperatorException wrong(String line) {
    return new OperatorException(OperatorException.WRONG_USE, line);
  }
}
