package io.kindred.world;

import io.kindred.core.settings.Catalogue;
import java.util.List;

/** The catalogue of {@link Churn}. */
public final class ChurnModels {
  /** Every kind of churn that an experiment file can name. */
  public static final Catalogue<Churn> ALL =
      new Catalogue<>(
          Churn.class,
          "kind of churn",
          List.of(NoChurn.class, SteadyChurn.class, SessionChurn.class, TraceChurn.class));

  private ChurnModels() {}
}
