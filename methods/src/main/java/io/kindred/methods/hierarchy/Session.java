package io.kindred.methods.hierarchy;

/**
 * One attempt at a global round. A coordinator that comes back from a crash begins its round anew;
 * what belongs to the attempt before is told by the coordinator's clock, which only goes forward.
 */
public record Session(int round, long begunTick) {
  static final Session NONE = new Session(0, -1);

  boolean isAfter(Session other) {
    return begunTick > other.begunTick;
  }
}
