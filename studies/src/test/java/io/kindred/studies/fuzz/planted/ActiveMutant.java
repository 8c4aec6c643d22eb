package io.kindred.studies.fuzz.planted;

/** The number of the bug that is switched on; none before the first one is. */
public final class ActiveMutant {
  static final int NONE = -1;

  /** Read by the changed methods. */
  public static volatile int number = NONE;

  private ActiveMutant() {}
}
