package io.kindred.world;

import io.kindred.core.Ticks;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;

/** The same latency between any two, and no limit but what the devices have. */
@Named(value = "even", summary = "the same latency between any two")
public record EvenLinks(
    @Setting(doc = "seconds that a bit is under way", fallback = "0.02", above = 0)
        double latencySeconds,
    @Setting(doc = "probability that a message is lost", fallback = "0", min = 0, max = 1)
        double loss)
    implements Links {
  @Override
  public Link between(int from, int to, long round, RandomStreams streams) {
    return new Link(Ticks.ofSeconds(latencySeconds), Double.POSITIVE_INFINITY, loss);
  }

  @Override
  public boolean change() {
    return false;
  }
}
