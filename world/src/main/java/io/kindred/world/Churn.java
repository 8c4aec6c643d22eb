package io.kindred.world;

import io.kindred.core.settings.Catalogue;
import java.util.List;

/** How peers come and go; a record whose components are its settings. */
public interface Churn extends Disturbance {
  /** Every kind of churn that an experiment file can name. */
  Catalogue<Churn> ALL =
      new Catalogue<>(
          Churn.class,
          "kind of churn",
          List.of(NoChurn.class, SteadyChurn.class, SessionChurn.class, TraceChurn.class));

  /** The same with whatever it has to read from files; refused where they say nonsense. */
  default Churn read(int peers, TextFiles files) {
    return this;
  }
}
