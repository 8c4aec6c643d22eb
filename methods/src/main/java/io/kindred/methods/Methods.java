package io.kindred.methods;

import io.kindred.core.settings.Catalogue;
import java.util.List;

/**
 * Every method that an experiment file can name. Adding one is a new file, a line here and a row in
 * the docs.
 */
public final class Methods {
  public static final Catalogue<Method> ALL =
      new Catalogue<>(
          Method.class,
          "method",
          List.of(
              Local.class,
              Centralized.class,
              FedAvg.class,
              Dfedavgm.class,
              FedProx.class,
              PerFedAvg.class,
              FedAmp.class,
              Pfedwn.class));

  private Methods() {}
}
