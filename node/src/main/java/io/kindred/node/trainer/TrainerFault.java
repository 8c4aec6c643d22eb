package io.kindred.node.trainer;

/** A trainer did not do what it was asked to; after a restart it may. */
final class TrainerFault extends RuntimeException {
  private static final long serialVersionUID = 1;

  TrainerFault(String message) {
    super(message);
  }
}
