package io.kindred.core.config;

import java.util.Optional;

/** Where the texts come from that describe a world; whoever implements it knows folders. */
public interface TextFiles {
  /** No files at all: for worlds that are drawn. */
  TextFiles NONE = path -> Optional.empty();

  /** The whole text, or nothing when there is no such file. */
  Optional<String> read(String path);
}
