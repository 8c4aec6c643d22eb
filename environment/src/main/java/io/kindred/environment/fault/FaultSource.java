package io.kindred.environment.fault;

import io.kindred.core.random.RandomStreams;
import java.util.List;
import java.util.Optional;

/** Generates fault events, as a pure function of the run's random streams. */
public interface FaultSource {
  /** An interval of time: its number, its first tick and its length. */
  record Interval(long number, long startTick, long ticks) {
    /** The tick at a share of the interval. */
    long tickAt(double share) {
      return startTick + Math.min(ticks - 1, (long) (share * ticks));
    }
  }

  /** The fault events of an interval, known at its start. */
  List<FaultEvent> eventsDuring(Interval interval, LivenessView liveness, RandomStreams streams);

  /**
   * The event that follows a given one, such as the end of an absence.
   *
   * @param count number of earlier events, which selects the random stream
   */
  default Optional<FaultEvent> followUp(
      FaultEvent fault, long count, LivenessView liveness, RandomStreams streams) {
    return Optional.empty();
  }

  /** Whether no fault ever occurs. */
  default boolean isFaultFree() {
    return false;
  }
}
