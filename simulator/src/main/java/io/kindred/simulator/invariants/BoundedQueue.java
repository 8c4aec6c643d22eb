package io.kindred.simulator.invariants;

import io.kindred.simulator.StepListener;
import java.util.Locale;

/**
 * The number of queued events stays within a bound: peers that answer each other ever faster exceed
 * it.
 */
final class BoundedQueue implements StepListener {
  /** Queued messages, timers and tickets per peer. */
  private static final int PER_PEER = 500;

  private final int bound;

  BoundedQueue(int peers) {
    bound = PER_PEER * (peers + 1);
  }

  @Override
  public void queued(int entries) {
    if (entries > bound) {
      throw new Violation(
          getClass(),
          0,
          String.format(
              Locale.ROOT, "%d events are queued, more than %d per peer", entries, PER_PEER));
    }
  }
}
