package io.kindred.methods.hfl;

/**
 * One attempt at a global round. A coordinator that is restored after a crash begins its round
 * anew; the coordinator's clock, which only goes forward, distinguishes the attempts.
 */
public record RoundAttempt(int round, long startTick) {
  static final RoundAttempt NONE = new RoundAttempt(0, -1);

  boolean isNewerThan(RoundAttempt other) {
    return startTick > other.startTick;
  }
}
