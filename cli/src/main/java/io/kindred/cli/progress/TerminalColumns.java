package io.kindred.cli.progress;

/**
 * The widths of the terminals that the standard streams write to. The launcher reports them in
 * system properties, because Java cannot find them out.
 */
public final class TerminalColumns {
  /** The width where the stream writes to a file or to another program. */
  static final int NO_TERMINAL = 0;

  private TerminalColumns() {}

  /** The columns that a table on standard output may use; unlimited where that is no terminal. */
  public static int ofTables() {
    int columns = Integer.getInteger("kindred.stdout.columns", NO_TERMINAL);
    return columns == NO_TERMINAL ? Integer.MAX_VALUE : columns;
  }

  /** The width of the terminal that messages go to, or {@link #NO_TERMINAL}. */
  static int ofMessages() {
    return Integer.getInteger("kindred.stderr.columns", NO_TERMINAL);
  }
}
