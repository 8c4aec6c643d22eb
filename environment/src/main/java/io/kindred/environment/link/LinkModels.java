package io.kindred.environment.link;

import io.kindred.core.config.Catalogue;
import java.util.List;

/** The catalogue of {@link LinkModel}. */
public final class LinkModels {
  /** Every link model that an experiment file can name. */
  public static final Catalogue<LinkModel> ALL =
      new Catalogue<>(
          LinkModel.class,
          "kind of links",
          List.of(EvenLinks.class, VariedLinks.class, RadioLinks.class, TracedLinks.class));

  private LinkModels() {}
}
