package io.kindred.node;

import io.kindred.core.config.Setting;
import io.kindred.core.record.Buildable;

/** How a node measures the links to its neighbours, and which neighbours it keeps. */
@Buildable
public record LinkSettings(
    @Setting(
            doc =
                "probes that measure the link to each neighbour; 0 measures links only if the"
                    + " method needs it",
            fallback = "0",
            min = 0,
            max = 10_000)
        int probes,
    @Setting(doc = "timeout of a probe in seconds", fallback = "1", above = 0, max = 600)
        double seconds,
    @Setting(
            doc =
                "share of failed probes at or above which a neighbour is not used; 1 uses all"
                    + " neighbours",
            fallback = "1",
            above = 0,
            max = 1)
        double tolerance,
    @Setting(
            doc = "seconds after which links are measured again; 0 means never",
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
