package io.kindred.methods.hfl;

/**
 * One attempt at a global round. A coordinator that comes back from a crash begins its round anew;
 * what belongs to the attempt before is told by the coordinator's clock, which only goes forward.
 */
public record RoundAttempt(int round, long startTick) {
  static final RoundAttempt NONE = new RoundAttempt(0, -1);

  boolean isNewerThan(RoundAttempt other) {
    return startTick > other.startTick;
  }
}
