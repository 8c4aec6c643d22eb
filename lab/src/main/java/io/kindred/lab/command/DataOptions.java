package io.kindred.lab.command;

import io.kindred.files.disk.DataFolder;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where data sets lie. */
final class DataOptions {
  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "folder of data sets (default: the variable KINDRED_DATA)")
  private @Nullable Path named;

  /** The folder as it was named on the command line. */
  Optional<Path> named() {
    return Optional.ofNullable(named);
  }

  /** The folder by either name. */
  Optional<Path> folder() {
    return named().or(DataOptions::environmentFolder);
  }

  DataFolder files() {
    return new DataFolder(folder());
  }

  /** What the variable names, for verbs without the option. */
  static DataFolder ofEnvironment() {
    return new DataFolder(environmentFolder());
  }

  private static Optional<Path> environmentFolder() {
    return Optional.ofNullable(System.getenv("KINDRED_DATA"))
        .filter(name -> !name.isEmpty())
        .map(Path::of);
  }
}
