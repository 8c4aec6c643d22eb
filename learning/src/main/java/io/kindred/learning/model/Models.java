package io.kindred.learning.model;

import io.kindred.core.settings.Catalogue;
import java.util.List;

/** Every model that an experiment file can name. */
public final class Models {
  public static final Catalogue<Model> ALL =
      new Catalogue<>(Model.class, "model", List.of(Softmax.class, Mlp.class));

  private Models() {}
}
