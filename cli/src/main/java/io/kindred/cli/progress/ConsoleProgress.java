package io.kindred.cli.progress;

import io.kindred.experiment.GridRun;
import io.kindred.report.table.TextWidth;
import io.kindred.runtime.Progress;
import io.kindred.storage.fetch.Download;
import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Shows the progress of one run after another on standard error. */
public final class ConsoleProgress implements Progress, GridRun.Display, Download.Progress {
  private static final int BAR_CELLS = 24;

  /** A shorter bar would show less than the percentage beside it. */
  private static final int LEAST_BAR_CELLS = 4;

  /**
   * Columns that the bar leaves to the percentage, the accuracy and the times. It is the most that
   * they need, so that the bar keeps its length while they grow.
   */
  private static final int FIGURE_COLUMNS = 52;

  private final StatusLine line;
  private final LongSupplier nanoClock;
  private String prefix = "";
  private String what = "";
  private String lastNote = "";
  private long steps = 1;
  private long doneBefore;
  private long done;
  private double accuracy = Double.NaN;
  private boolean begun;
  private long began;

  ConsoleProgress(PrintStream out, int columns, LongSupplier nanoClock) {
    this(new StatusLine(out, columns), nanoClock);
  }

  private ConsoleProgress(StatusLine line, LongSupplier nanoClock) {
    this.line = line;
    this.nanoClock = nanoClock;
  }

  public static ConsoleProgress ofProcess() {
    return new ConsoleProgress(processStatusLine(), System::nanoTime);
  }

  static StatusLine processStatusLine() {
    return new StatusLine(System.err, TerminalColumns.ofMessages());
  }

  @Override
  public Progress cell(int number, int count, String label) {
    prefix = count == 1 ? "" : "[" + number + "/" + count + "] ";
    what = label;
    begun = false;
    return this;
  }

  /** The cells of a grid mostly repeat each other's notes, so only a new one is shown. */
  @Override
  public void note(String text) {
    if (!text.equals(lastNote)) {
      lastNote = text;
      line.drawFinal(text);
    }
  }

  @Override
  public void begin(String name, long allSteps, long doneAlready) {
    if (what.isEmpty()) {
      what = name.toLowerCase(Locale.ROOT);
    }
    steps = Math.max(1, allSteps);
    doneBefore = Math.min(doneAlready, steps);
    done = doneBefore;
    accuracy = Double.NaN;
    begun = true;
    began = nanoClock.getAsLong();
    line.start(began);
    if (line.terminal()) {
      line.draw(line(0));
    }
  }

  @Override
  public void stepCompleted() {
    reached(done + 1);
  }

  @Override
  public void reached(long steps) {
    done = steps;
    long now = nanoClock.getAsLong();
    if (line.redrawDue(now)) {
      line.draw(line(now - began));
    }
  }

  @Override
  public void accuracy(double mean) {
    accuracy = mean;
  }

  @Override
  public void end(String outcome) {
    // A run that failed during preparation has no steps and no time worth showing.
    if (outcome.equals("done")) {
      done = steps;
    }
    line.drawFinal(
        begun
            ? line(nanoClock.getAsLong() - began, "  " + outcome)
            : label(line.limit() - outcome.length() - 2) + "  " + outcome);
    what = "";
    begun = false;
  }

  private String line(long elapsedNanos) {
    return line(elapsedNanos, "");
  }

  /** The line of a run that goes on, or that ended with an outcome. */
  private String line(long elapsedNanos, String outcome) {
    double share = Math.min(1, done / (double) steps);
    double elapsed = elapsedNanos / 1e9;
    StringBuilder figures = new StringBuilder(String.format(Locale.ROOT, " %3.0f%%", 100 * share));
    if (!Double.isNaN(accuracy)) {
      figures.append(String.format(Locale.ROOT, "  accuracy %.3f", accuracy));
    }
    figures.append("  ").append(StatusLine.duration(elapsed));
    if (done > doneBefore && share < 1 && outcome.isEmpty()) {
      double left = elapsed * (steps - done) / (done - doneBefore);
      figures.append(", ").append(StatusLine.duration(left)).append(" left");
    }
    figures.append(outcome);
    String bar = bar(share);
    return label(line.limit() - bar.length() - figures.length()) + bar + figures;
  }

  /** The bar with the space before it; shorter where a long label leaves less space. */
  private String bar(double share) {
    int room = line.limit() - prefix.length() - what.length() - 2 - FIGURE_COLUMNS;
    int cells = Math.min(BAR_CELLS, room);
    if (!line.terminal() || cells < LEAST_BAR_CELLS) {
      return "";
    }
    int full = (int) Math.round(share * cells);
    return "  " + "━".repeat(full) + "─".repeat(cells - full);
  }

  /** Number and name of the run; a long name loses its middle. */
  private String label(int limit) {
    return prefix + TextWidth.shorten(what, limit - prefix.length());
  }
}
