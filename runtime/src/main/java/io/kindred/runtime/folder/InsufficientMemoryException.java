package io.kindred.runtime.folder;

import io.kindred.storage.OperatorException;

/** A run needs more memory than the process may take. */
public final class InsufficientMemoryException extends OperatorException {
  private static final long serialVersionUID = 1;

  public InsufficientMemoryException() {
    this(
        "the models of this run do not fit into %,d MB of memory; allow more with"
                .formatted(Runtime.getRuntime().maxMemory() >> 20)
            + " KINDRED_JAVA_OPTIONS=-Xmx..., or use fewer peers or a smaller model");
  }

  /** With the message of a run in another process. */
  public InsufficientMemoryException(String line) {
    super(FAILED, line);
  }
}
