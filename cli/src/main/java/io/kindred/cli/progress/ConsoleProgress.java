package io.kindred.cli.progress;

import io.kindred.experiment.GridRun;
import io.kindred.runtime.Progress;
import io.kindred.storage.fetch.Download;
import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Shows the progress of one run after another on standard error. The launcher reports whether
 * standard error is a terminal, because Java cannot.
 */
public final class ConsoleProgress implements Progress, GridRun.Display, Download.Progress {
  private static final int BAR_CELLS = 24;

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

  ConsoleProgress(PrintStream out, boolean terminal, LongSupplier nanoClock) {
    this(new StatusLine(out, terminal), nanoClock);
  }

  private ConsoleProgress(StatusLine line, LongSupplier nanoClock) {
    this.line = line;
    this.nanoClock = nanoClock;
  }

  public static ConsoleProgress ofProcess() {
    return new ConsoleProgress(processStatusLine(), System::nanoTime);
  }

  static StatusLine processStatusLine() {
    return new StatusLine(System.err, Boolean.getBoolean("kindred.terminal"));
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
    String soFar = begun ? line(nanoClock.getAsLong() - began) : prefix + what;
    line.drawFinal(soFar + "  " + outcome);
    what = "";
    begun = false;
  }

  private String line(long elapsedNanos) {
    double share = Math.min(1, done / (double) steps);
    int full = (int) Math.round(share * BAR_CELLS);
    String bar = "━".repeat(full) + "─".repeat(BAR_CELLS - full);
    double elapsed = elapsedNanos / 1e9;
    StringBuilder text = new StringBuilder(prefix).append(what);
    text.append(line.terminal() ? "  " + bar : "")
        .append(String.format(Locale.ROOT, " %3.0f%%", 100 * share));
    if (!Double.isNaN(accuracy)) {
      text.append(String.format(Locale.ROOT, "  accuracy %.3f", accuracy));
    }
    text.append("  ").append(StatusLine.duration(elapsed));
    if (done > doneBefore && share < 1) {
      double left = elapsed * (steps - done) / (done - doneBefore);
      text.append(", ").append(StatusLine.duration(left)).append(" left");
    }
    return text.toString();
  }
}
