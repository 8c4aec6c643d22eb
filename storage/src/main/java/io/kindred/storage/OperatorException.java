package io.kindred.storage;

/**
 * An operator's mistake, reported in one line that says what is wrong, where, and how to fix it.
 * The command line prints the line without a stack trace and exits with {@link #exitCode()}.
 */
public class OperatorException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The request cannot be carried out. */
  public static final int FAILED = 1;

  /** Wrong use or configuration. */
  public static final int WRONG_USE = 2;

  /** Data that a run needs is missing. */
  public static final int DATA_MISSING = 3;

  private final int exitCode;

  public OperatorException(int exitCode, String line) {
    super(line.strip().replaceAll("\\s*\\R\\s*", " "));
    this.exitCode = exitCode;
  }

  /** The useful part of any failure: its message, with the cause's message where that says more. */
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

  /** The one line to print. */
  public final String line() {
    return String.valueOf(getMessage());
  }
}
