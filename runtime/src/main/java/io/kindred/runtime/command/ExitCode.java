package io.kindred.runtime.command;

import io.kindred.storage.OperatorException;

/** What the process says when it ends; scripts rely on these. */
public final class ExitCode {
  public static final int DONE = 0;
  public static final int FAILED = OperatorException.FAILED;
  public static final int WRONG_USE = OperatorException.WRONG_USE;
  public static final int PARTLY_FAILED = 4;
  public static final int STOPPED = 130;

  private ExitCode() {}
}
