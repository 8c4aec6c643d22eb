package io.kindred.environment;

import io.kindred.core.config.Setting;

/**
 * Parts of the network that cannot reach each other: addresses behind translation, walls between
 * plants, borders (SemanticDFL, section 1). What goes from one to another takes a relay, which
 * everybody shares; a server can be reached from everywhere.
 */
public record Segments(
    @Setting(doc = "how many there are", fallback = "1", min = 1) int count,
    @Setting(doc = "megabits a second that the relay passes on", fallback = "1000", above = 0)
        double relayMbps) {
  private static final double BYTES_PER_MEGABIT = 1e6 / 8;

  public double relayBytesPerSecond() {
    return relayMbps * BYTES_PER_MEGABIT;
  }

  /** Whether a message between these two has to take the relay. */
  public boolean needRelay(int a, int b, int peers) {
    return count > 1 && a < peers && b < peers && segment(a, peers) != segment(b, peers);
  }

  private long segment(int peer, int peers) {
    return (long) peer * count / peers;
  }
}
