package io.kindred.files.disk;

import io.kindred.files.OperatorException;

/** A folder that the operator named cannot be used. */
public final class FolderException extends OperatorException {
  private static final long serialVersionUID = 1;

  FolderException(String line) {
    super(WRONG_USE, line);
  }
}
