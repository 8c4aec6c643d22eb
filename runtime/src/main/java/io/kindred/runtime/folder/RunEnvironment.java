package io.kindred.runtime.folder;

import io.kindred.runtime.config.Experiment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The software and machine that computed a run: the same configuration, seed and kind of machine
 * give the same trace hash.
 *
 * @param engineReason why the engine was taken, where the experiment left that open
 */
public record RunEnvironment(
    String kindred,
    String engine,
    Optional<String> engineReason,
    String java,
    String system,
    String cpu,
    String cpuFlags) {
  private static final Path LINUX_CPU = Path.of("/proc/cpuinfo");

  /** The environment of an experiment whose engine the operator named. */
  public static RunEnvironment of(Experiment experiment) {
    return of(experiment, Optional.empty());
  }

  public static RunEnvironment of(Experiment experiment, Optional<String> engineReason) {
    String version = RunEnvironment.class.getPackage().getImplementationVersion();
    return new RunEnvironment(
        version == null ? "development" : version,
        experiment.engine().description(),
        engineReason,
        System.getProperty("java.runtime.version", ""),
        System.getProperty("os.name", "") + " " + System.getProperty("os.arch", ""),
        cpuLine("model name"),
        cpuLine("flags"));
  }

  private static String cpuLine(String key) {
    if (!Files.isReadable(LINUX_CPU)) {
      return "";
    }
    try (Stream<String> lines = Files.lines(LINUX_CPU)) {
      return lines
          .filter(line -> line.startsWith(key))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }
}
