package io.kindred.core.config;

import java.util.Optional;

/**
 * Reads the text files that describe an environment, such as a graph. Implementations resolve the
 * path.
 */
public interface TextFiles {
  /** No files: for environments that are drawn at random. */
  TextFiles NONE = path -> Optional.empty();

  /** The whole text, or empty when there is no such file. */
  Optional<String> read(String path);
}
