package io.kindred.lab.command;

import io.kindred.files.OperatorException;

/** What the process says when it ends; scripts rely on these. */
final class ExitCode {
  static final int DONE = 0;
  static final int FAILED = OperatorException.FAILED;
  static final int WRONG_USE = OperatorException.WRONG_USE;
  static final int PARTLY_FAILED = 4;
  static final int STOPPED = 130;

  private ExitCode() {}
}
