package io.kindred.node.assembly;

/**
 * The finding of one check before a start.
 *
 * @param check what was checked
 * @param text what was found, or what to fix
 */
public record PreflightFinding(String check, Level level, String text) {
  /** Whether a node can start. */
  public enum Level {
    OK,
    /** The node can start, but the operator should check this. */
    WARN,
    /** The node cannot start, or other nodes would refuse it. */
    FIX
  }
}
