package io.kindred.cli;

import io.kindred.cli.data.ContactSheet;
import io.kindred.cli.data.DatasetSummary;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Picture;
import io.kindred.runtime.command.DataOptions;
import io.kindred.runtime.command.ExitCode;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.storage.OperatorException;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.disk.AtomicFile;
import io.kindred.storage.disk.Pictures;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the content of a data set. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    description = "Decodes a data set and shows counts, shape, labels, users and a contact sheet.",
    footer = {
      "",
      "Examples:",
      "  kindred data show audiomnist --set dataset.split=speakers --sheet sheet.png",
      "  kindred data show images --set dataset.folder=my-birds"
    })
final class DataShowCommand implements Callable<Integer> {
  @Parameters(paramLabel = "NAME", description = "name of a data set, as in an experiment file")
  private String name;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "a setting of the data set, such as dataset.samples=1000; may be repeated")
  private List<String> assignments = new ArrayList<>();

  @Option(
      names = "--sheet",
      paramLabel = "FILE.png",
      description = "write the first training samples of each class as one picture")
  private @Nullable Path sheet;

  @Option(names = "--seed", paramLabel = "N", description = "seed of generated data")
  private long seed = 1;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  @Mixin private DataOptions data;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  DataShowCommand() {}

  @Override
  public Integer call() throws IOException {
    List<String> all = new ArrayList<>();
    all.add("dataset.name=" + name);
    all.addAll(assignments);
    ExperimentFile file =
        ExperimentFile.of(ConfigFile.parse("data show", "method: local\n"), Optional.empty(), all);
    Experiment experiment = file.experiment();
    Dataset dataset = load(file, experiment);
    DatasetSummary portrait = DatasetSummary.of(dataset);
    System.out.print(json ? Json.document(portrait) : portrait.text());
    if (sheet != null) {
      writeSheet(sheet, dataset);
    }
    return ExitCode.DONE;
  }

  private Dataset load(ExperimentFile file, Experiment experiment) {
    try {
      return experiment.dataset().load(new RandomStreams(seed), data.files());
    } catch (SettingException invalid) {
      throw file.locate(invalid);
    }
  }

  private void writeSheet(Path target, Dataset dataset) throws IOException {
    Picture picture =
        ContactSheet.of(dataset)
            .orElseThrow(
                () ->
                    new OperatorException(
                        OperatorException.WRONG_USE,
                        "samples of %s have the shape %s, which cannot be drawn; leave --sheet out"
                            .formatted(name, dataset.shape())));
    AtomicFile.write(target, Pictures.png(picture));
    if (!json) {
      System.out.println("contact sheet: " + target);
    }
  }
}
