package io.kindred.methods.hfl;

/**
 * One attempt at a global round. A coordinator that is restored after a crash begins its round
 * anew; the coordinator's clock, which only goes forward, distinguishes its attempts. The term
 * distinguishes attempts of different coordinators.
 */
public record RoundAttempt(long term, int round, long startTick) {
  static final RoundAttempt NONE = new RoundAttempt(0, 0, -1);

  boolean isNewerThan(RoundAttempt other) {
    return term != other.term ? term > other.term : startTick > other.startTick;
  }
}
