package io.kindred.environment.churn;

import io.kindred.core.config.Catalogue;
import java.util.List;

/** The catalogue of {@link ChurnModel}. */
public final class ChurnModels {
  /** Every churn model that an experiment file can name. */
  public static final Catalogue<ChurnModel> ALL =
      new Catalogue<>(
          ChurnModel.class,
          "kind of churn",
          List.of(
              NoChurn.class,
              SteadyChurn.class,
              SessionChurn.class,
              LateArrivals.class,
              TraceChurn.class));

  private ChurnModels() {}
}
