package io.kindred.experiment;

import io.kindred.learning.model.Architecture;
import io.kindred.runtime.config.Experiment;
import java.util.Locale;
import java.util.Optional;

/**
 * What the models of a run take at least, before it starts. Peers share the initial weights, but
 * once each has trained, each holds a model of its own; received models and data come on top.
 */
final class MemoryNeed {
  private static final double MEGABYTE = 1e6;

  private MemoryNeed() {}

  /**
   * A line with the arithmetic if one model for each peer exceeds the heap; empty otherwise, and
   * for methods whose peers may all hold a server's model.
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
                + " %,.0f MB; unless few peers train, the run will stop; allow more with"
                + " KINDRED_JAVA_OPTIONS=-Xmx..., or use fewer peers or a smaller model",
            experiment.peers(),
            model / MEGABYTE,
            all / MEGABYTE,
            heap / MEGABYTE));
  }
}
