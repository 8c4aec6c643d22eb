package io.kindred.storage.config;

import io.kindred.core.config.SettingException;
import io.kindred.storage.OperatorException;

/** A mistake in an experiment file, a profile or a {@code --set}, with its location. */
public final class ConfigException extends OperatorException {
  private static final long serialVersionUID = 1;

  public ConfigException(Origin origin, String problem) {
    super(WRONG_USE, origin + ": " + problem);
  }

  /**
   * Adds the location to an error in the configuration {@code root}: the line of the key, or of the
   * nearest section around it where the key was left to its default.
   */
  public static ConfigException at(ConfigNode root, SettingException invalid) {
    return new ConfigException(Locator.nearest(root, invalid.path()), invalid.line());
  }
}
