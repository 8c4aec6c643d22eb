package io.kindred.methods.kin;

/** What a peer deploys. */
public enum Choice {
  /** The model that is mixed with the models of similar peers. */
  SHARED(0),
  /** The model that is trained alone, and moves towards the shared one in every round. */
  PERSONAL(1),
  /** The model that no other peer has any influence on. */
  ALONE(2),
  /** The mean of the outputs of all three models. */
  ENSEMBLE(3);

  private final int number;

  Choice(int number) {
    this.number = number;
  }

  /** The place of its score in a message, and its number in metrics. */
  int number() {
    return number;
  }

  static Choice ofNumber(int number) {
    for (Choice each : values()) {
      if (each.number == number) {
        return each;
      }
    }
    throw new IllegalArgumentException("no choice has the number " + number);
  }

  /** Whether a peer that deploys this trains its shared model on. */
  boolean needsShared() {
    return this != ALONE;
  }

  boolean needsPersonal() {
    return this == PERSONAL || this == ENSEMBLE;
  }

  boolean needsAlone() {
    return this == ALONE || this == ENSEMBLE;
  }

  /**
   * What a newcomer deploys where its peers deploy this. A newcomer has had no time to train a
   * model alone, so it takes the personal model instead.
   */
  Choice forNewcomer() {
    return this == SHARED ? SHARED : PERSONAL;
  }
}
