package io.kindred.core.peer;

/**
 * The unit of time inside a peer. A tick is a microsecond; only the shells know what started the
 * count.
 */
public final class Ticks {
  public static final long PER_SECOND = 1_000_000;

  private Ticks() {}

  public static long ofSeconds(double seconds) {
    return Math.round(seconds * PER_SECOND);
  }

  public static double toSeconds(long ticks) {
    return ticks / (double) PER_SECOND;
  }
}
