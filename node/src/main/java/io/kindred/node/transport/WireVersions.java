package io.kindred.node.transport;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A range of versions of the transport that a node speaks. */
public record WireVersions(int oldest, int newest) {
  /** The version before the sender's task was in the header. */
  public static final int WITHOUT_TASK = 2;

  /** The version whose header names the task of the sender. */
  public static final int WITH_TASK = 3;

  /** What this release speaks. */
  public static final WireVersions SUPPORTED = new WireVersions(WITHOUT_TASK, WITH_TASK);

  private static final Pattern FORM = Pattern.compile("(\\d{1,4})-(\\d{1,4})");

  String text() {
    return oldest + "-" + newest;
  }

  static Optional<WireVersions> parse(String text) {
    Matcher matcher = FORM.matcher(text);
    return matcher.matches()
        ? Optional.of(
            new WireVersions(
                Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))))
        : Optional.empty();
  }

  /** The newest version that both speak; the own oldest one if there is none. */
  int newestWith(WireVersions other) {
    return Math.max(oldest, Math.min(newest, other.newest));
  }
}
