package io.kindred.node.transport;

import io.kindred.node.identity.Member;
import io.kindred.node.log.NodeLog;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Counts what this node refused to other members. Each distinct line is logged once, so that a peer
 * that keeps trying does not fill the disk.
 */
public final class Refusals {
  private static final int MOST_LINES = 1_000;

  /** Lines include text that other peers sent, which may be long. */
  private static final int MAX_LINE_LENGTH = 300;

  /** Characters that would start another line or overwrite this one. */
  private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

  /**
   * A member that did what is refused.
   *
   * @param certificate serial number of the certificate that it used
   */
  public record Offender(Member member, Optional<String> certificate) {}

  /** Hears of every refusal. */
  @FunctionalInterface
  public interface Listener {
    void refused(RefusalKind kind, Optional<Offender> offender, String line);
  }

  private final NodeLog log;
  private final Listener listener;
  private final Map<RefusalKind, Long> counts = new EnumMap<>(RefusalKind.class);
  private final SortedSet<String> loggedLines = new TreeSet<>();

  public Refusals(Consumer<String> lines) {
    this(NodeLog.ofTexts(lines));
  }

  public Refusals(NodeLog log) {
    this(log, (kind, offender, line) -> {});
  }

  public Refusals(NodeLog log, Listener listener) {
    this.log = log;
    this.listener = listener;
  }

  /** Counts a refusal of something that no member is known to have done. */
  public void add(RefusalKind kind, String line) {
    add(kind, Optional.empty(), line);
  }

  /** Counts a refusal by its kind, and logs its line if it was not logged before. */
  public void add(RefusalKind kind, Optional<Offender> offender, String line) {
    String clean = sanitize(line);
    if (count(kind, clean)) {
      log.warn(kind.label(), "refused: {}", clean);
    }
    listener.refused(kind, offender, clean);
  }

  private synchronized boolean count(RefusalKind kind, String clean) {
    counts.merge(kind, 1L, Long::sum);
    return loggedLines.size() < MOST_LINES && loggedLines.add(clean);
  }

  /** Limits a text to one printable line of bounded length. */
  public static String sanitize(String line) {
    String clipped =
        line.length() <= MAX_LINE_LENGTH
            ? line
            : line.substring(0, MAX_LINE_LENGTH) + " (truncated)";
    return UNPRINTABLE.matcher(clipped).replaceAll("?");
  }

  /** Refusals by kind, without the kinds that have none. */
  public synchronized Map<RefusalKind, Long> counts() {
    return new EnumMap<>(counts);
  }

  /** The same by the labels of the kinds, in alphabetical order. */
  public synchronized SortedMap<String, Long> countsByLabel() {
    SortedMap<String, Long> byLabel = new TreeMap<>();
    counts.forEach((kind, count) -> byLabel.put(kind.label(), count));
    return byLabel;
  }
}
