package io.kindred.report.run;

import java.io.IOException;
import java.nio.file.Path;

/** A file of a run folder cannot be read; the message is one line with file and line number. */
public final class DamagedRunException extends IOException {
  private static final long serialVersionUID = 1L;

  DamagedRunException(Path file, long line, String what) {
    super(file + ":" + line + ": " + what);
  }
}
