package io.kindred.cli.study;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.link.RadioLinks;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.runtime.folder.TextFolder;
import io.kindred.storage.OperatorException;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.disk.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options that all radio studies share: the radio settings, and the output folder. */
final class RadioOptions {
  private static final double DEFAULT_EPSILON = 0.05;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description =
          "experiment file with radio links; without it, the settings of table I of the paper")
  private @Nullable Path file;

  @Option(names = "--profile", paramLabel = "NAME", description = "apply a profile of the file")
  private @Nullable String profile;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description =
          "set a key, such as network.links.channel.sinrThreshold=5, network.links.epsilon=0.1,"
              + " network.links.channel.interference=log-normal or peers=21; may be repeated")
  private List<String> assignments = new ArrayList<>();

  @Option(names = "--seed", paramLabel = "N", description = "seed of the placements")
  private @Nullable Long seed;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "runs/radio",
      description = "folder for pictures and tables (default: ${DEFAULT-VALUE})")
  private Path out;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  RadioOptions() {}

  /** The radio settings of a study. */
  record RadioStudySettings(RadioLinks links, int peers, RandomStreams streams) {
    double epsilon() {
      return links.epsilon() < 1 ? links.epsilon() : DEFAULT_EPSILON;
    }
  }

  RadioStudySettings read() {
    List<String> all = new ArrayList<>(assignments);
    if (seed != null) {
      all.add("seed=" + seed);
    }
    Optional<String> overlay = Optional.ofNullable(profile);
    ExperimentFile read =
        file == null
            ? ExperimentFile.of(
                ConfigFile.parse(
                    "kindred radio", "method: local\npeers: 11\nnetwork: {links: radio}\n"),
                overlay,
                all)
            : ExperimentFile.read(file, overlay, all);
    Experiment experiment = read.experiment();
    if (!(experiment.network().links() instanceof RadioLinks links)) {
      throw read.locate(
          new SettingException(
              "network.links",
              "the experiment has no radio links",
              "write network: {links: radio}"));
    }
    return new RadioStudySettings(
        links.read(experiment.peers(), new TextFolder(Path.of(""))),
        experiment.peers(),
        new RandomStreams(experiment.seed()));
  }

  /** Writes a result file and prints its path. */
  void write(String name, String text) throws IOException {
    Path target = Files.createDirectories(out).resolve(name);
    AtomicFile.writeText(target, text);
    System.out.println("wrote " + target);
  }

  static void requirePositive(String option, int value) {
    if (value < 1) {
      throw new OperatorException(
          OperatorException.WRONG_USE, option + " " + value + " is too few; choose at least 1");
    }
  }
}
