package io.kindred.lab.command;

import io.kindred.core.settings.Catalogue;
import io.kindred.core.settings.Complaint;
import io.kindred.files.disk.AtomicFile;
import io.kindred.files.json.Json;
import io.kindred.lab.experiment.Experiment;
import io.kindred.lab.experiment.ExperimentFile;
import io.kindred.lab.run.Histogram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows who gets what, without running anything. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    description = {
      "Shows how many samples of each label every peer of an experiment gets.",
      "",
      "Prints a table and draws it as runs/NAME-labels.svg, or into the folder --out; where the",
      "partition knows true clusters, also as NAME-clusters.svg. What a grid sweeps is left aside.",
      ""
    },
    footer = {
      "",
      "Example:",
      "  kindred partitions show experiments/first.yaml --set partition.alpha=0.1"
    })
final class ShowPartitionCommand implements Callable<Integer> {
  @Mixin private ExperimentOptions options;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  ShowPartitionCommand() {}

  @Override
  public Integer call() throws IOException {
    ExperimentFile file = options.read();
    Experiment experiment = file.experiment();
    Histogram histogram;
    try {
      histogram = Histogram.of(experiment, options.data());
    } catch (Complaint complaint) {
      throw file.locate(complaint);
    }
    Path folder = Files.createDirectories(options.out().orElse(Path.of("runs")));
    String title = Catalogue.nameOf(experiment.partition().getClass()) + ", samples per ";
    Path labels = folder.resolve(options.stem() + "-labels.svg");
    AtomicFile.writeText(labels, histogram.labelMap(title + "label"));
    String pictures = "picture: " + labels;
    if (histogram.hasClusters()) {
      Path clusters = folder.resolve(options.stem() + "-clusters.svg");
      AtomicFile.writeText(clusters, histogram.clusterMap(title + "true cluster"));
      pictures += " " + clusters;
    }
    if (options.json()) {
      System.out.print(Json.document(histogram));
    } else {
      System.out.print(histogram.table().text());
      System.out.println(histogram.summary());
      System.out.println(pictures);
    }
    return ExitCode.DONE;
  }
}
