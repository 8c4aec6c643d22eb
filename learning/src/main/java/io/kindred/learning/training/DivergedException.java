package io.kindred.learning.training;

/**
 * Training produced weights that are not finite. The run cannot continue; the user can choose
 * smaller steps.
 */
public final class DivergedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public DivergedException(String message) {
    super(message);
  }
}
