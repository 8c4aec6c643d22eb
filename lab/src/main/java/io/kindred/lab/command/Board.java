package io.kindred.lab.command;

import io.kindred.lab.run.GridRun;
import io.kindred.lab.run.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/** Progress of several runs that go on side by side, on one line. */
final class Board implements GridRun.Display {
  private final StatusLine line;
  private final LongSupplier nanoClock;
  private final long began;
  private final List<Lane> running = new ArrayList<>();
  private int count;
  private int before;
  // A cell that had no room beside another ends twice, and is one all the same.
  private final SortedSet<Integer> ended = new TreeSet<>();

  Board(StatusLine line, LongSupplier nanoClock) {
    this.line = line;
    this.nanoClock = nanoClock;
    this.began = nanoClock.getAsLong();
    line.start(began);
  }

  static Board ofProcess() {
    return new Board(Console.processLine(), System::nanoTime);
  }

  @Override
  public synchronized void finishedBefore(int cells) {
    before = cells;
  }

  @Override
  public synchronized Progress cell(int number, int all, String label) {
    count = all;
    Lane lane = new Lane(number, label);
    running.add(lane);
    return lane;
  }

  private synchronized void drawWhenDue() {
    long now = nanoClock.getAsLong();
    if (line.due(now)) {
      line.draw(text(now));
    }
  }

  private synchronized void end(Lane lane, String outcome) {
    running.remove(lane);
    ended.add(lane.number);
    line.leave(place() + " " + lane.label + "  " + outcome);
  }

  private String place() {
    return "[" + (before + ended.size()) + "/" + count + "]";
  }

  private String text(long now) {
    double elapsed = (now - began) / 1e9;
    StringBuilder text = new StringBuilder(place());
    for (Lane lane : running) {
      text.append(String.format(Locale.ROOT, "  %s %.0f%%", lane.label, 100 * lane.share()));
    }
    return text.append("  ").append(StatusLine.duration(elapsed)).toString();
  }

  /** One run; only its own thread calls it. */
  private final class Lane implements Progress {
    private final int number;
    private final String label;
    private long steps = 1;
    private long done;

    Lane(int number, String label) {
      this.number = number;
      this.label = label;
    }

    private double share() {
      return Math.min(1, done / (double) steps);
    }

    @Override
    public void begin(String what, long allSteps, long doneAlready) {
      synchronized (Board.this) {
        steps = Math.max(1, allSteps);
        done = doneAlready;
      }
      drawWhenDue();
    }

    @Override
    public void deployed() {
      synchronized (Board.this) {
        done++;
      }
      drawWhenDue();
    }

    @Override
    public void accuracy(double mean) {}

    @Override
    public void end(String outcome) {
      Board.this.end(this, outcome);
    }
  }
}
