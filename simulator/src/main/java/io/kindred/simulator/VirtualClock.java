package io.kindred.simulator;

import io.kindred.environment.SimulatedEnvironment;

/** Virtual time: the tick of the current event, and the clock of each participant, which drifts. */
final class VirtualClock {
  private final double[] rates;
  private long tick;

  VirtualClock(SimulatedEnvironment environment, int participants, long tick) {
    this.tick = tick;
    rates = new double[participants];
    for (int i = 0; i < participants; i++) {
      rates[i] = environment.faults().clockRate(i, environment.streams());
    }
  }

  long tick() {
    return tick;
  }

  void advanceTo(long next) {
    tick = next;
  }

  /** The current time on a participant's own clock. */
  long localTick(int participant) {
    double rate = rates[participant];
    return rate == 1 ? tick : (long) (tick * rate);
  }

  /** The tick at which this many ticks, at least one, have passed on a participant's own clock. */
  long tickAfter(int participant, long localTicks) {
    double rate = rates[participant];
    return tick + Math.max(1, rate == 1 ? localTicks : (long) Math.ceil(localTicks / rate));
  }
}
