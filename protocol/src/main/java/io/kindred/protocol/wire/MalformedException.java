package io.kindred.protocol.wire;

/**
 * Bytes that are not what they should be; checked, because whoever reads a peer's bytes must decide
 * what then.
 */
public final class MalformedException extends Exception {
  private static final long serialVersionUID = 1;

  public MalformedException(String problem) {
    super(problem);
  }
}
