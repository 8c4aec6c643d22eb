package io.kindred.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs several methods on the same task. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    description = {
      "Runs several methods on the same split, seeds and starting weights, and compares them.",
      "",
      "Accuracies are those of the last round. The best accuracy is marked with *; accuracies whose",
      "difference from it may be chance are marked with ~. The lines below the table say how many test",
      "samples stand behind a difference and which difference could be detected. Finished runs are kept and unfinished runs are resumed, so repeating the",
      "command continues after a stop.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  kindred compare experiments/first.yaml --methods local,fedavg,dfedavgm",
      "  kindred compare my.yaml --methods \"local, {name: dfca, clusters: 4}\" \\",
      "    --seeds 1,2,3"
    })
final class CompareCommand implements Callable<Integer> {
  @Mixin private ExperimentOptions options;

  @Option(
      names = "--methods",
      required = true,
      paramLabel = "A,B,...",
      description = "methods, each by name or written as in an experiment file")
  private String methods;

  @Option(
      names = "--seeds",
      paramLabel = "1,2,...",
      description = "seeds to average over (default: the seeds of the file)")
  private @Nullable String seeds;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  CompareCommand() {}

  @Override
  public Integer call() throws IOException {
    List<String> asked = new ArrayList<>();
    asked.add("sweep.method=[" + methods + "]");
    String again = " --methods '" + methods + "'";
    if (seeds != null) {
      asked.add("seeds=[" + seeds + "]");
      again += " --seeds " + seeds;
    }
    int cores = Runtime.getRuntime().availableProcessors();
    return new GridCommand("compare" + again, options, options.read(asked)).call(cores);
  }
}
