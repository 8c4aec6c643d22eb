package io.kindred.lab.command;

import io.kindred.lab.run.GridRun;
import io.kindred.lab.run.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Progress of several runs that go on side by side, on one line. */
final class Board implements GridRun.Display {
  private final StatusLine line;
  private final LongSupplier nanoClock;
  private final long began;
  private final List<Lane> running = new ArrayList<>();
  private int count;
  private int ended;

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
  public synchronized void begin(int finished) {
    ended = finished;
  }

  @Override
  public synchronized Progress cell(int number, int all, String label) {
    count = all;
    Lane lane = new Lane(label);
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
    ended++;
    line.leave("[" + ended + "/" + count + "] " + lane.label + "  " + outcome);
  }

  private String text(long now) {
    double elapsed = (now - began) / 1e9;
    StringBuilder text = new StringBuilder("[" + ended + "/" + count + "]");
    for (Lane lane : running) {
      text.append(String.format(Locale.ROOT, "  %s %.0f%%", lane.label, 100 * lane.share()));
    }
    return text.append("  ").append(StatusLine.duration(elapsed)).toString();
  }

  /** One run; only its own thread calls it. */
  private final class Lane implements Progress {
    private final String label;
    private long steps = 1;
    private long done;

    Lane(String label) {
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
