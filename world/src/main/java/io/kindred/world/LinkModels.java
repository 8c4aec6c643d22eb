package io.kindred.world;

import io.kindred.core.settings.Catalogue;
import java.util.List;

/** The catalogue of {@link Links}. */
public final class LinkModels {
  /** Every kind of links that an experiment file can name. */
  public static final Catalogue<Links> ALL =
      new Catalogue<>(
          Links.class,
          "kind of links",
          List.of(EvenLinks.class, VariedLinks.class, RadioLinks.class));

  private LinkModels() {}
}
