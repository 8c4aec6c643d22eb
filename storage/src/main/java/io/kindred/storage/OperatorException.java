package io.kindred.storage;

/**
 * The operator's mistake, told in one line that says what is wrong, where, and how to fix it. The
 * command line prints the line without a stack trace and ends with {@link #exitCode()}.
 */
public class OperatorException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The machine cannot do what was asked. */
  public static final int FAILED = 1;

  /** Wrong use or configuration. */
  public static final int WRONG_USE = 2;

  /** Data that a run needs is not there. */
  public static final int DATA_MISSING = 3;

  private final int exitCode;

  public OperatorException(int exitCode, String line) {
    super(line.strip().replaceAll("\\s*\\R\\s*", " "));
    this.exitCode = exitCode;
  }

  /** What a person can use of any failure: its message, with the cause's where that says more. */
  public static String reason(Exception failure) {
    String message = failure.getMessage();
    Throwable cause = failure.getCause();
    if (message == null) {
      return failure.toString();
    }
    return cause == null || message.contains(String.valueOf(cause.getMessage()))
        ? message
        : message + ": " + cause.getMessage();
  }

  public final int exitCode() {
    return exitCode;
  }

  /** The one line to show. */
  public final String line() {
    return String.valueOf(getMessage());
  }
}
