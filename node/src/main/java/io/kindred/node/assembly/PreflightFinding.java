package io.kindred.node.assembly;

/**
 * What one check before a start found.
 *
 * @param check what was looked at
 * @param text what is there, or what to fix
 */
public record PreflightFinding(String check, Level level, String text) {
  /** Whether a node can start. */
  public enum Level {
    OK,
    /** It can, and somebody should look after this. */
    WARN,
    /** It cannot, or nobody would talk to it. */
    FIX
  }
}
