package io.kindred.cli.progress;

import io.kindred.report.table.TextWidth;
import java.io.PrintStream;
import java.util.Locale;

/** A line that redraws itself on a terminal, and is printed again at intervals elsewhere. */
final class StatusLine {
  private static final long REDRAW_NANOS = 100_000_000L;
  private static final long PLAIN_LINE_NANOS = 10_000_000_000L;

  private final PrintStream out;
  private final int columns;
  private int lastLength;
  private long lastDrawn;

  /**
   * A line on this stream.
   *
   * @param columns the width of the terminal, or {@link TerminalColumns#NO_TERMINAL}
   */
  StatusLine(PrintStream out, int columns) {
    this.out = out;
    this.columns = columns;
  }

  boolean terminal() {
    return columns != TerminalColumns.NO_TERMINAL;
  }

  /**
   * The longest text that stays on one line. The last column of a terminal stays empty, because
   * some terminals begin a new line as soon as it is filled.
   */
  int limit() {
    return terminal() ? Math.max(1, columns - 1) : Integer.MAX_VALUE;
  }

  /** Starts the redraw interval. */
  void start(long now) {
    lastDrawn = now;
  }

  /** Whether the line should be drawn again; if so, starts the next interval. */
  boolean redrawDue(long now) {
    if (now - lastDrawn < (terminal() ? REDRAW_NANOS : PLAIN_LINE_NANOS)) {
      return false;
    }
    lastDrawn = now;
    return true;
  }

  void draw(String text) {
    String line = TextWidth.shorten(text, limit());
    if (terminal()) {
      out.print("\r" + line + " ".repeat(Math.max(0, lastLength - line.length())));
      out.flush();
      lastLength = line.length();
    } else {
      out.println(line);
    }
  }

  /** Draws a line that is not overwritten. */
  void drawFinal(String line) {
    draw(line);
    if (terminal()) {
      out.println();
      lastLength = 0;
    }
  }

  static String duration(double seconds) {
    long whole = Math.round(seconds);
    if (whole < 60) {
      return String.format(Locale.ROOT, "%.1f s", seconds);
    }
    return whole < 3600
        ? String.format(Locale.ROOT, "%d min %02d s", whole / 60, whole % 60)
        : String.format(Locale.ROOT, "%d h %02d min", whole / 3600, whole / 60 % 60);
  }
}
