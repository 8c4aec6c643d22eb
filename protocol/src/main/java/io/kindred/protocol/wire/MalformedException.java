package io.kindred.protocol.wire;

/**
 * The bytes are not a valid encoding. Checked, because a caller that reads a peer's bytes must
 * decide how to react.
 */
public final class MalformedException extends Exception {
  private static final long serialVersionUID = 1;

  public MalformedException(String problem) {
    super(problem);
  }
}
