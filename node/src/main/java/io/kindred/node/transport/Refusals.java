package io.kindred.node.transport;

import io.kindred.node.log.Log;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * What others tried and were not allowed to. Everything is counted; each line is logged once, so
 * that somebody who keeps trying does not fill the disk.
 */
public final class Refusals {
  private static final int MOST_LINES = 1_000;

  /** Lines hold words of others, who may say whole books. */
  private static final int MAX_LINE_LENGTH = 300;

  /** What would begin another line, or write over this one. */
  private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

  private final Log log;
  private final SortedMap<String, Long> counts = new TreeMap<>();
  private final SortedSet<String> loggedLines = new TreeSet<>();

  public Refusals(Consumer<String> lines) {
    this(Log.of(lines));
  }

  public Refusals(Log log) {
    this.log = log;
  }

  /** Counts it by its kind, and logs a line that was not logged before. */
  public synchronized void add(String kind, String line) {
    counts.merge(kind, 1L, Long::sum);
    String clean = sanitize(line);
    if (loggedLines.size() < MOST_LINES && loggedLines.add(clean)) {
      log.warn(kind, "refused: " + clean);
    }
  }

  /** One line of a bounded length, whatever others said. */
  public static String sanitize(String line) {
    String part =
        line.length() <= MAX_LINE_LENGTH
            ? line
            : line.substring(0, MAX_LINE_LENGTH) + " (and so on)";
    return UNPRINTABLE.matcher(part).replaceAll("?");
  }

  /** How often what kind of thing was refused. */
  public synchronized SortedMap<String, Long> counts() {
    return new TreeMap<>(counts);
  }
}
