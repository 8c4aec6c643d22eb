package io.kindred.learning;

import io.kindred.core.config.Catalogue;
import io.kindred.learning.data.audio.OwnSounds;
import io.kindred.learning.data.format.OwnTable;
import io.kindred.learning.data.format.OwnTensors;
import io.kindred.learning.data.own.OwnSource;
import io.kindred.learning.data.text.OwnTexts;
import io.kindred.learning.data.vision.OwnPictures;
import java.util.List;

/** Every kind of own data that a node can name. */
public final class OwnSources {
  public static final Catalogue<OwnSource> ALL =
      new Catalogue<>(
          OwnSource.class,
          "kind of own data",
          List.of(
              OwnTable.class,
              OwnPictures.class,
              OwnSounds.class,
              OwnTexts.class,
              OwnTensors.class));

  private OwnSources() {}
}
