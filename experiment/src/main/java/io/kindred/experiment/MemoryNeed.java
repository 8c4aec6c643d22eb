package io.kindred.experiment;

import io.kindred.core.config.SettingException;
import io.kindred.learning.model.Architecture;
import io.kindred.runtime.config.Experiment;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What the models of a run take at least, before it starts. Peers share the initial weights, but
 * once each has trained, each holds a model of its own; received models and data come on top.
 */
final class MemoryNeed {
  private static final double MEGABYTE = 1e6;

  private static final String WARNING =
      "; unless few peers train, the run will stop; allow more with the setting 'memory', or use"
          + " fewer peers or a smaller model";

  private MemoryNeed() {}

  /**
   * Refuses a run that may exceed its setting {@code memory}, or certainly will; without that
   * setting, warns of the latter.
   */
  static void check(
      Experiment experiment, Architecture architecture, long heap, Consumer<String> warn) {
    Optional<Integer> memory = experiment.memory();
    if (memory.isEmpty()) {
      excess(experiment, architecture, heap)
          .ifPresent(arithmetic -> warn.accept(arithmetic + WARNING));
      return;
    }
    int megabytes = memory.get();
    if (heap > (long) megabytes << 20) {
      throw new SettingException(
          "memory",
          "Java may take %,d MB, but 'memory' is %,d MB".formatted(heap >> 20, megabytes),
          "set it at the top of the file or with --set, where the launcher 'kindred' reads it, or"
              + " start with KINDRED_JAVA_OPTIONS=-Xmx%dm".formatted(megabytes));
    }
    excess(experiment, architecture, heap)
        .ifPresent(
            arithmetic -> {
              throw new SettingException(
                  "memory", arithmetic, "allow more, or use fewer peers or a smaller model");
            });
  }

  /**
   * The arithmetic if one model for each peer exceeds the heap; empty otherwise, and for methods
   * whose peers may all hold a server's model.
   */
  static Optional<String> excess(Experiment experiment, Architecture architecture, long heap) {
    double model = 4.0 * architecture.layout().size();
    double all = model * experiment.peers();
    if (experiment.method().hasServer() || experiment.method().pooledData() || all <= heap) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "%,d peers with one model of %,.1f MB each need %,.0f MB, and this process may take"
                + " %,.0f MB",
            experiment.peers(),
            model / MEGABYTE,
            all / MEGABYTE,
            heap / MEGABYTE));
  }
}
