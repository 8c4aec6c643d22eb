package io.kindred.methods.hfl.formation;

/** No clusters exist, or none were found, in which every head reaches all members. */
public final class NoClusteringException extends RuntimeException {
  private static final long serialVersionUID = 1;

  NoClusteringException(String message) {
    super(message);
  }

  public String problem() {
    return String.valueOf(getMessage());
  }
}
