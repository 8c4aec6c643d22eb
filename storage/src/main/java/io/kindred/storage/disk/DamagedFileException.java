package io.kindred.storage.disk;

import java.io.IOException;
import java.nio.file.Path;

/** A file that differs from what its writer wrote: truncated, altered, or of another kind. */
public final class DamagedFileException extends IOException {
  private static final long serialVersionUID = 1;

  private final transient Path file;
  private final String expected;
  private final String found;

  public DamagedFileException(Path file, String message, String expected, String found) {
    super(message);
    this.file = file;
    this.expected = expected;
    this.found = found;
  }

  public Path file() {
    return file;
  }

  public String expected() {
    return expected;
  }

  public String found() {
    return found;
  }
}
