package io.kindred.lab.command;

import io.kindred.files.fetch.Download;
import io.kindred.lab.run.GridRun;
import io.kindred.lab.run.Progress;
import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Progress on standard error: one line that redraws itself on a terminal, a plain line now and then
 * elsewhere. The launcher knows whether it is a terminal, which Java cannot tell of standard error.
 */
final class Console implements Progress, GridRun.Display, Download.Progress {
  private static final int BAR_CELLS = 24;
  private static final long REDRAW_NANOS = 100_000_000L;
  private static final long PLAIN_LINE_NANOS = 10_000_000_000L;

  private final PrintStream out;
  private final boolean terminal;
  private final LongSupplier nanoClock;
  private String prefix = "";
  private String what = "";
  private long steps = 1;
  private long doneBefore;
  private long done;
  private double accuracy = Double.NaN;
  private boolean begun;
  private long began;
  private long lastDrawn;
  private int lastLength;

  Console(PrintStream out, boolean terminal, LongSupplier nanoClock) {
    this.out = out;
    this.terminal = terminal;
    this.nanoClock = nanoClock;
  }

  static Console ofProcess() {
    return new Console(System.err, Boolean.getBoolean("kindred.terminal"), System::nanoTime);
  }

  @Override
  public Progress cell(int number, int count, String label) {
    prefix = count == 1 ? "" : "[" + number + "/" + count + "] ";
    what = label;
    begun = false;
    return this;
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
    lastDrawn = began;
    if (terminal) {
      draw(line(0));
    }
  }

  @Override
  public void deployed() {
    reached(done + 1);
  }

  @Override
  public void reached(long steps) {
    done = steps;
    long now = nanoClock.getAsLong();
    if (now - lastDrawn >= (terminal ? REDRAW_NANOS : PLAIN_LINE_NANOS)) {
      lastDrawn = now;
      draw(line(now - began));
    }
  }

  @Override
  public void accuracy(double mean) {
    accuracy = mean;
  }

  @Override
  public void end(String outcome) {
    // What fails while it is being prepared has taken no steps and no time worth showing.
    if (outcome.equals("done")) {
      done = steps;
    }
    String soFar = begun ? line(nanoClock.getAsLong() - began) : prefix + what;
    draw(soFar + "  " + outcome);
    if (terminal) {
      out.println();
      lastLength = 0;
    }
    what = "";
    begun = false;
  }

  private void draw(String line) {
    if (terminal) {
      out.print("\r" + line + " ".repeat(Math.max(0, lastLength - line.length())));
      out.flush();
      lastLength = line.length();
    } else {
      out.println(line);
    }
  }

  private String line(long elapsedNanos) {
    double share = Math.min(1, done / (double) steps);
    int full = (int) Math.round(share * BAR_CELLS);
    String bar = "━".repeat(full) + "─".repeat(BAR_CELLS - full);
    double elapsed = elapsedNanos / 1e9;
    StringBuilder text = new StringBuilder(prefix).append(what);
    text.append(terminal ? "  " + bar : "")
        .append(String.format(Locale.ROOT, " %3.0f%%", 100 * share));
    if (!Double.isNaN(accuracy)) {
      text.append(String.format(Locale.ROOT, "  accuracy %.3f", accuracy));
    }
    text.append("  ").append(duration(elapsed));
    if (done > doneBefore && share < 1) {
      double left = elapsed * (steps - done) / (done - doneBefore);
      text.append(", ").append(duration(left)).append(" left");
    }
    return text.toString();
  }

  private static String duration(double seconds) {
    long whole = Math.round(seconds);
    if (whole < 60) {
      return String.format(Locale.ROOT, "%.1f s", seconds);
    }
    return whole < 3600
        ? String.format(Locale.ROOT, "%d min %02d s", whole / 60, whole % 60)
        : String.format(Locale.ROOT, "%d h %02d min", whole / 3600, whole / 60 % 60);
  }
}
