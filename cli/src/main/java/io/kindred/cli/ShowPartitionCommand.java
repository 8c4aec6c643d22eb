package io.kindred.cli;

import io.kindred.cli.progress.TerminalColumns;
import io.kindred.core.config.Catalogue;
import io.kindred.core.config.SettingException;
import io.kindred.experiment.PartitionHistogram;
import io.kindred.runtime.command.ExitCode;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.storage.disk.AtomicFile;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows how a partition distributes the data over peers, without running anything. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    description = {
      "Shows how many samples of each label every peer of an experiment gets.",
      "",
      "Prints a table and draws it as NAME-labels.svg in the folder runs, or in the folder --out. A",
      "partition with true clusters is also drawn as NAME-clusters.svg. For a grid, the keys under",
      "'sweep' are ignored.",
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
    PartitionHistogram partitionHistogram;
    try {
      partitionHistogram = PartitionHistogram.of(experiment, options.data());
    } catch (SettingException invalid) {
      throw file.locate(invalid);
    }
    Path folder = Files.createDirectories(options.out().orElse(Path.of("runs")));
    String title = Catalogue.nameOf(experiment.partition().getClass()) + ", samples per ";
    Path labels = folder.resolve(options.baseName() + "-labels.svg");
    AtomicFile.writeText(labels, partitionHistogram.labelMap(title + "label"));
    String pictures = "picture: " + labels;
    if (partitionHistogram.hasClusters()) {
      Path clusters = folder.resolve(options.baseName() + "-clusters.svg");
      AtomicFile.writeText(clusters, partitionHistogram.clusterMap(title + "true cluster"));
      pictures += " " + clusters;
    }
    if (options.json()) {
      System.out.print(Json.document(partitionHistogram));
    } else {
      System.out.print(partitionHistogram.table().text(TerminalColumns.ofTables()));
      System.out.println(partitionHistogram.summary());
      System.out.println(pictures);
    }
    return ExitCode.DONE;
  }
}
