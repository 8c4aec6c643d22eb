package io.kindred.learning.training;

/**
 * Training gave weights that are not numbers. The run cannot go on; the operator can choose smaller
 * steps.
 */
public final class DivergedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public DivergedException(String message) {
    super(message);
  }
}
