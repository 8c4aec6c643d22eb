package io.kindred.cli;

import io.kindred.runtime.command.DataOptions;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.storage.OperatorException;
import io.kindred.storage.disk.DataFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options that run, sweep, compare and tune share: the experiment file and its overrides. */
final class ExperimentOptions {
  @Parameters(paramLabel = "FILE", description = "experiment file (YAML)")
  private Path file;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = "apply a profile of the file, such as paper, laptop or smoke")
  private @Nullable String profile;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "set a key, such as training.learningRate=0.1; may be repeated")
  private List<String> assignments = new ArrayList<>();

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "same as --set seed=N, in place of the file's seeds")
  private @Nullable String seed;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "threads that compute (default: one per core)")
  private @Nullable String workers;

  @Option(names = "--out", paramLabel = "DIR", description = "folder for the results")
  private @Nullable Path out;

  @Option(
      names = "--at-once",
      paramLabel = "N",
      description =
          "runs of a grid that execute in parallel and share the cores (default: one per core for"
              + " compare and tune, 1 for run and sweep, 256 for --engine spark)")
  private int atOnce;

  @Mixin private TargetOptions targets;

  @Mixin private DataOptions data;

  @Option(names = "--json", description = "print the summary as one JSON document")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  ExperimentOptions() {}

  ExperimentFile read() {
    return read(List.of());
  }

  /** Reads the file; the command's own assignments override those of the user. */
  ExperimentFile read(List<String> asked) {
    // A wrong target should be reported before a long run rather than after it.
    targets.targets();
    List<String> all = new ArrayList<>(assignments);
    all.addAll(asked);
    if (seed != null) {
      all.add("seed=" + seed);
    }
    if (workers != null) {
      all.add("workers=" + workers);
    }
    return ExperimentFile.read(file, Optional.ofNullable(profile), all);
  }

  /** The file's name without its ending, and the profile; default folders are named after it. */
  String baseName() {
    String name = String.valueOf(file.getFileName()).replaceFirst("\\.ya?ml$", "");
    return profile == null ? name : name + "-" + profile;
  }

  Optional<Path> out() {
    return Optional.ofNullable(out);
  }

  DataFolder data() {
    return data.files();
  }

  Optional<Path> dataFolder() {
    return data.folder();
  }

  /**
   * How many runs execute at the same time; the command's default unless the user says otherwise.
   */
  int atOnce(int otherwise) {
    if (atOnce < 0) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "--at-once must be a whole number of at least 1, but is '" + atOnce + "'");
    }
    return atOnce == 0 ? otherwise : atOnce;
  }

  List<Double> targets() {
    return targets.targets();
  }

  boolean json() {
    return json;
  }

  /** The command line that resumes a stopped run. */
  String resumeCommand(String verb, String more) {
    StringBuilder text = new StringBuilder("./kindred ").append(verb).append(' ').append(file);
    if (profile != null) {
      text.append(" --profile ").append(profile);
    }
    for (String assignment : assignments) {
      text.append(" --set ").append(assignment);
    }
    if (seed != null) {
      text.append(" --seed ").append(seed);
    }
    if (atOnce > 0) {
      text.append(" --at-once ").append(atOnce);
    }
    targets.targets().forEach(target -> text.append(" --target ").append(target));
    data.namedFolder().ifPresent(folder -> text.append(" --data-dir ").append(folder));
    return text + more;
  }
}
