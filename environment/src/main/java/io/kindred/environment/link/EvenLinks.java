package io.kindred.environment.link;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.peer.Ticks;
import io.kindred.core.random.RandomStreams;

/**
 * The same latency between any two participants, and no bandwidth limit beyond the devices' own.
 */
@Named(value = "even", summary = "the same latency and loss between any two participants")
public record EvenLinks(
    @Setting(doc = "latency in seconds", fallback = "0.02", above = 0) double latencySeconds,
    @Setting(doc = "probability that a message is lost", fallback = "0", min = 0, max = 1)
        double loss)
    implements LinkModel {
  @Override
  public Link between(int from, int to, long round, RandomStreams streams) {
    return new Link(Ticks.ofSeconds(latencySeconds), Double.POSITIVE_INFINITY, loss);
  }

  @Override
  public boolean varyOverTime() {
    return false;
  }
}
