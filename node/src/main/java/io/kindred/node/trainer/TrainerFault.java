package io.kindred.node.trainer;

/** A failure of a trainer that a restart may fix. */
final class TrainerFault extends RuntimeException {
  private static final long serialVersionUID = 1;

  TrainerFault(String message) {
    super(message);
  }
}
