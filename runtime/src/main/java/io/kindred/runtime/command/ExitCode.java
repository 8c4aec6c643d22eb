package io.kindred.runtime.command;

import io.kindred.storage.OperatorException;

/** Exit codes of the process; scripts rely on these values. */
public final class ExitCode {
  public static final int DONE = 0;
  public static final int FAILED = OperatorException.FAILED;
  public static final int WRONG_USE = OperatorException.WRONG_USE;
  public static final int PARTLY_FAILED = 4;
  public static final int STOPPED = 130;

  private ExitCode() {}
}
