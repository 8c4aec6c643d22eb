package io.kindred.environment.radio;

import io.kindred.core.config.Catalogue;
import java.util.List;

/** The catalogue of {@link GainSource}. */
public final class GainSources {
  /** Every source of gains that an experiment file can name. */
  public static final Catalogue<GainSource> ALL =
      new Catalogue<>(
          GainSource.class, "source of gains", List.of(ComputedGains.class, GainTrace.class));

  private GainSources() {}
}
