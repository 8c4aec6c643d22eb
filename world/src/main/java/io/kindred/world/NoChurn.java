package io.kindred.world;

import io.kindred.core.random.RandomStreams;
import io.kindred.core.settings.Named;
import java.util.List;

/** Everybody stays. */
@Named(value = "none", summary = "everybody stays")
public record NoChurn() implements Churn {
  @Override
  public List<Change> during(Round round, Presence presence, RandomStreams streams) {
    return List.of();
  }

  @Override
  public boolean isCalm() {
    return true;
  }
}
