package io.kindred.lab.run;

import io.kindred.files.OperatorException;

/** A run needs more memory than the process may take. */
final class NoRoomException extends OperatorException {
  private static final long serialVersionUID = 1;

  NoRoomException() {
    this(
        "the models of this run do not fit into %,d MB of memory; allow more with"
                .formatted(Runtime.getRuntime().maxMemory() >> 20)
            + " KINDRED_JAVA_OPTIONS=-Xmx..., or take fewer peers or a smaller model");
  }

  /** For a run that found no room elsewhere. */
  NoRoomException(String line) {
    super(FAILED, line);
  }
}
