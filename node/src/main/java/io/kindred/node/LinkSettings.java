package io.kindred.node;

import io.kindred.core.config.Setting;
import io.kindred.core.record.Buildable;

/** How a node measures the links to its neighbours, and which neighbours it keeps. */
@Buildable
public record LinkSettings(
    @Setting(
            doc = "times that the way to each neighbour is tried; 0 where no method asks for it",
            fallback = "0",
            min = 0,
            max = 10_000)
        int probes,
    @Setting(
            doc = "seconds within which a try must be answered",
            fallback = "1",
            above = 0,
            max = 600)
        double seconds,
    @Setting(
            doc =
                "share of tries in vain from which on a neighbour is left out; 1 leaves out nobody",
            fallback = "1",
            above = 0,
            max = 1)
        double tolerance,
    @Setting(
            doc = "seconds after which the ways are tried again; 0 is never",
            fallback = "0",
            min = 0,
            max = 86400)
        double everySeconds) {
  /** Measures no links and keeps all neighbours. */
  public static final LinkSettings NONE = new LinkSettings(0, 1, 1, 0);

  private static final int DEFAULT_PROBES = 20;

  /** For a method that needs measurements, where the configuration sets no number of probes. */
  LinkSettings withDefaultProbes() {
    return probes > 0 ? this : LinkSettingsBuilder.from(this).probes(DEFAULT_PROBES).build();
  }

  boolean selects(double errorProbability) {
    return tolerance == 1 || errorProbability < tolerance;
  }

  long timeoutMillis() {
    return Math.max(1, Math.round(seconds * 1_000));
  }
}
