package io.kindred.studies.overlay;

import io.kindred.core.random.RandomStreams;
import io.kindred.environment.churn.ChurnModel;
import io.kindred.environment.fault.FaultEvent;
import io.kindred.environment.fault.LivenessView;
import java.util.ArrayList;
import java.util.List;

/** Applies the fault events that a study schedules, at the next environment tick. */
final class ScriptedChurn implements ChurnModel {
  private final List<FaultEvent> scheduledEvents = new ArrayList<>();

  void schedule(FaultEvent fault) {
    scheduledEvents.add(fault);
  }

  @Override
  public List<FaultEvent> eventsDuring(
      Interval interval, LivenessView liveness, RandomStreams streams) {
    List<FaultEvent> now = List.copyOf(scheduledEvents);
    scheduledEvents.clear();
    return now;
  }
}
