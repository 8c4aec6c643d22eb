package io.kindred.report.run;

import java.util.Locale;
import java.util.Optional;

/** When within a round a model was evaluated. */
public enum Stage {
  /** After models of others were mixed in, before own training. */
  MIXED,
  /** After own training. */
  TRAINED,
  /** Once after the last round. */
  FINAL;

  static Optional<Stage> named(String name) {
    for (Stage stage : values()) {
      if (stage.fileWord().equals(name)) {
        return Optional.of(stage);
      }
    }
    return Optional.empty();
  }

  /** The name of the stage in files. */
  public String fileWord() {
    return name().toLowerCase(Locale.ROOT);
  }
}
