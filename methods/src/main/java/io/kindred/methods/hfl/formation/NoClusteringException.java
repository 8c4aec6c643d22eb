package io.kindred.methods.hfl.formation;

/** There is no way, or none was found, to form clusters in which every head reaches everybody. */
public final class NoClusteringException extends RuntimeException {
  private static final long serialVersionUID = 1;

  NoClusteringException(String message) {
    super(message);
  }

  public String problem() {
    return String.valueOf(getMessage());
  }
}
