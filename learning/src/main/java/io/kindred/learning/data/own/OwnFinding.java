package io.kindred.learning.data.own;

/**
 * What an owner's data lack for a task, or have beyond it.
 *
 * @param text what was found and where
 * @param remedy what to do about it
 */
public record OwnFinding(Level level, String text, String remedy) {
  /** Whether a node can use the data all the same. */
  public enum Level {
    /** The node uses the data and leaves something out. */
    WARN,
    /** The node cannot use the data. */
    FIX
  }

  /** Finding and remedy in one line. */
  public String line() {
    return text + "; " + remedy;
  }
}
