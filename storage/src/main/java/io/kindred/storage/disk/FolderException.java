package io.kindred.storage.disk;

import io.kindred.storage.OperatorException;

/** A folder that the operator named cannot be used. */
public final class FolderException extends OperatorException {
  private static final long serialVersionUID = 1;

  FolderException(String line) {
    super(WRONG_USE, line);
  }
}
