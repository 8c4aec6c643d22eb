package io.kindred.environment;

import io.kindred.core.config.Setting;

/**
 * Segments of the network that cannot reach each other, because of address translation, walls
 * between plants or borders (SemanticDFL, section 1). A message between two segments takes a relay
 * that all peers share; a server is reachable from every segment.
 */
public record Segments(
    @Setting(doc = "number of segments", fallback = "1", min = 1) int count,
    @Setting(doc = "megabits a second that the relay forwards", fallback = "1000", above = 0)
        double relayMbps) {
  private static final double BYTES_PER_MEGABIT = 1e6 / 8;

  public double relayBytesPerSecond() {
    return relayMbps * BYTES_PER_MEGABIT;
  }

  /** Whether a message between two participants has to take the relay. */
  public boolean needRelay(int a, int b, int peers) {
    return count > 1 && a < peers && b < peers && segment(a, peers) != segment(b, peers);
  }

  private long segment(int peer, int peers) {
    return (long) peer * count / peers;
  }
}
