package io.kindred.simulator.invariants;

import io.kindred.core.peer.Ticks;
import java.util.Locale;

/** An invariant does not hold: a bug of a method, of a protocol or of the simulator. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String invariant;

  public Violation(Class<?> checker, long tick, String problem) {
    super(String.format(Locale.ROOT, "at %.6f s: ", Ticks.toSeconds(tick)) + problem);
    invariant = checker.getSimpleName();
  }

  /** The name of the violated invariant. */
  public String invariant() {
    return invariant;
  }
}
