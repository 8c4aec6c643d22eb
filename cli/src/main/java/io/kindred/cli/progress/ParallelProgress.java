package io.kindred.cli.progress;

import io.kindred.experiment.GridRun;
import io.kindred.report.table.TextWidth;
import io.kindred.runtime.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/** Shows the progress of parallel runs on one line. */
public final class ParallelProgress implements GridRun.Display {
  private final StatusLine line;
  private final LongSupplier nanoClock;
  private final long began;
  private final List<CellProgress> running = new ArrayList<>();
  private int count;
  private int finishedEarlier;
  private String lastNote = "";
  // A set, because a cell that lacked memory beside other cells ends twice but counts once.
  private final SortedSet<Integer> ended = new TreeSet<>();

  ParallelProgress(StatusLine line, LongSupplier nanoClock) {
    this.line = line;
    this.nanoClock = nanoClock;
    this.began = nanoClock.getAsLong();
    line.start(began);
  }

  public static ParallelProgress ofProcess() {
    return new ParallelProgress(ConsoleProgress.processStatusLine(), System::nanoTime);
  }

  @Override
  public synchronized void finishedBefore(int cells) {
    finishedEarlier = cells;
  }

  @Override
  public synchronized Progress cell(int number, int all, String label) {
    count = all;
    CellProgress cellProgress = new CellProgress(number, label);
    running.add(cellProgress);
    return cellProgress;
  }

  private synchronized void drawWhenDue() {
    long now = nanoClock.getAsLong();
    if (line.redrawDue(now)) {
      line.draw(text(now));
    }
  }

  /** The cells of a grid mostly repeat each other's notes, so only a new one is shown. */
  private synchronized void note(String text) {
    if (!text.equals(lastNote)) {
      lastNote = text;
      line.drawFinal(text);
    }
  }

  private synchronized void end(CellProgress cellProgress, String outcome) {
    running.remove(cellProgress);
    ended.add(cellProgress.number);
    String position = positionText() + " ";
    int room = line.limit() - position.length() - outcome.length() - 2;
    line.drawFinal(position + TextWidth.shorten(cellProgress.label, room) + "  " + outcome);
  }

  private String positionText() {
    return "[" + (finishedEarlier + ended.size()) + "/" + count + "]";
  }

  /** Shows as many running cells as fit, and the number of the others. */
  private String text(long now) {
    String time = "  " + StatusLine.duration((now - began) / 1e9);
    StringBuilder text = new StringBuilder(positionText());
    int limit = line.limit() - time.length();
    int shown = 0;
    for (CellProgress cellProgress : running) {
      int rest = running.size() - shown - 1;
      int room = limit - text.length() - others(rest).length();
      String share = String.format(Locale.ROOT, " %.0f%%", 100 * cellProgress.share());
      String cell = "  " + cellProgress.label + share;
      if (cell.length() > room) {
        if (shown > 0) {
          break;
        }
        cell = "  " + TextWidth.shorten(cellProgress.label, room - share.length() - 2) + share;
      }
      text.append(cell);
      shown++;
    }
    return text.append(others(running.size() - shown)).append(time).toString();
  }

  private static String others(int count) {
    return count == 0 ? "" : "  and " + count + " more";
  }

  /** The progress of one run; only that run's thread calls it. */
  private final class CellProgress implements Progress {
    private final int number;
    private final String label;
    private long steps = 1;
    private long done;

    CellProgress(int number, String label) {
      this.number = number;
      this.label = label;
    }

    private double share() {
      return Math.min(1, done / (double) steps);
    }

    @Override
    public void note(String text) {
      ParallelProgress.this.note(text);
    }

    @Override
    public void begin(String what, long allSteps, long doneAlready) {
      synchronized (ParallelProgress.this) {
        steps = Math.max(1, allSteps);
        done = doneAlready;
      }
      drawWhenDue();
    }

    @Override
    public void stepCompleted() {
      synchronized (ParallelProgress.this) {
        done++;
      }
      drawWhenDue();
    }

    @Override
    public void accuracy(double mean) {}

    @Override
    public void end(String outcome) {
      ParallelProgress.this.end(this, outcome);
    }
  }
}
