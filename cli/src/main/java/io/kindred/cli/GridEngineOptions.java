package io.kindred.cli;

import io.kindred.experiment.GridEngine;
import io.kindred.storage.OperatorException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that sweep and tune share: where the cells of a grid run. */
final class GridEngineOptions {
  private static final String LOCAL = "local";
  private static final String SPARK = "spark";

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
  GridEngineOptions() {}

  /** The engine that the user chose; runs the given number of cells in parallel by default. */
  GridCommand.EngineFactory factory(ExperimentOptions options, int usuallyAtOnce) {
    if (engine.equals(LOCAL)) {
      if (master != null) {
        throw wrong("--master names a cluster; add --engine spark, or leave --master out");
      }
      return GridCommand.local(options.data(), options.atOnce(usuallyAtOnce));
    }
    GridEngine.Provider provider = provider(engine);
    String place = master;
    if (place == null) {
      throw wrong(
          "--engine "
              + engine
              + " needs --master, as in --master spark://127.0.0.1:7077 or --master local[2]");
    }
    int atOnce = options.atOnce(0);
    return stop ->
        provider.open(
            new GridEngine.EngineOptions(
                place, options.dataFolder(), atOnce, stop, RunCommand.warnOnce()));
  }

  /** The options as they stand in a command line, empty for the default. */
  String commandText() {
    return engine.equals(LOCAL) ? "" : " --engine " + engine + " --master " + master;
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
