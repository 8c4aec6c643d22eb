package io.kindred.environment.fault;

import io.kindred.core.random.RandomStreams;
import java.util.List;
import java.util.Optional;

/** What goes wrong in the world, as a pure function of the run's streams. */
public interface FaultSource {
  /** A stretch of time: its number, when it begins and how long it lasts. */
  record Interval(long number, long startTick, long ticks) {
    /** A moment within it. */
    long tickAt(double share) {
      return startTick + Math.min(ticks - 1, (long) (share * ticks));
    }
  }

  /** What happens in a stretch of time, known when it begins. */
  List<FaultEvent> eventsDuring(Interval interval, LivenessView liveness, RandomStreams streams);

  /**
   * What follows a change of this kind, such as the end of an absence.
   *
   * @param count how many changes there were before, to draw from
   */
  default Optional<FaultEvent> followUp(
      FaultEvent fault, long count, LivenessView liveness, RandomStreams streams) {
    return Optional.empty();
  }

  /** Whether nothing ever happens. */
  default boolean isFaultFree() {
    return false;
  }
}
