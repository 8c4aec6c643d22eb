package io.kindred.environment.churn;

import io.kindred.core.config.Named;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.fault.FaultEvent;
import io.kindred.environment.fault.LivenessView;
import java.util.List;

/** All peers stay. */
@Named(value = "none", summary = "all peers stay online")
public record NoChurn() implements ChurnModel {
  @Override
  public List<FaultEvent> eventsDuring(
      Interval interval, LivenessView liveness, RandomStreams streams) {
    return List.of();
  }

  @Override
  public boolean isFaultFree() {
    return true;
  }
}
