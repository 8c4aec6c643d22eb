package io.kindred.runtime.command;

import io.kindred.storage.disk.DataFolder;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names the folder of data sets. */
public final class DataOptions {
  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "folder of data sets (default: the environment variable KINDRED_DATA)")
  private @Nullable Path namedFolder;

  /** The folder as it was named on the command line. */
  public Optional<Path> namedFolder() {
    return Optional.ofNullable(namedFolder);
  }

  /** The folder that the option names, else the folder that the environment variable names. */
  public Optional<Path> folder() {
    return namedFolder().or(DataOptions::environmentFolder);
  }

  public DataFolder files() {
    return new DataFolder(folder());
  }

  /** The folder that the environment variable names, for commands without the option. */
  public static DataFolder ofEnvironment() {
    return new DataFolder(environmentFolder());
  }

  private static Optional<Path> environmentFolder() {
    return Optional.ofNullable(System.getenv("KINDRED_DATA"))
        .filter(name -> !name.isEmpty())
        .map(Path::of);
  }
}
