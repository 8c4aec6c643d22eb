package io.kindred.environment.link;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.Ticks;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;

/**
 * Latency, throughput and loss of each pair drawn from a range, on request anew in every
 * environment round, like the device-to-device links of hierarchical learning (seed 002, section
 * 5.2).
 */
@Named(
    value = "varied",
    summary = "latency, throughput and loss drawn for each pair of participants")
public record VariedLinks(
    @Setting(doc = "shortest latency in seconds", fallback = "0.005", above = 0)
        double leastLatencySeconds,
    @Setting(doc = "longest latency in seconds", fallback = "0.1", above = 0)
        double mostLatencySeconds,
    @Setting(doc = "lowest throughput in megabits a second", fallback = "10", min = 0)
        double leastMbps,
    @Setting(doc = "highest throughput in megabits a second", fallback = "200", above = 0)
        double mostMbps,
    @Setting(doc = "highest probability that a message is lost", fallback = "0", min = 0, max = 1)
        double mostLoss,
    @Setting(
            doc = "probability that two participants cannot reach each other at all",
            fallback = "0",
            min = 0,
            max = 1)
        double down,
    @Setting(doc = "whether the two directions of a link differ", fallback = "false")
        boolean asymmetric,
    @Setting(doc = "whether links are redrawn in every environment round", fallback = "true")
        boolean redraw)
    implements LinkModel {
  private static final double BYTES_PER_MEGABIT = 1e6 / 8;
  private static final long ROUNDS = 1L << 20;

  /** Links that are never down. */
  public VariedLinks(
      double leastLatencySeconds,
      double mostLatencySeconds,
      double leastMbps,
      double mostMbps,
      double mostLoss,
      boolean asymmetric,
      boolean redraw) {
    this(
        leastLatencySeconds,
        mostLatencySeconds,
        leastMbps,
        mostMbps,
        mostLoss,
        0,
        asymmetric,
        redraw);
  }

  public VariedLinks {
    if (leastLatencySeconds > mostLatencySeconds) {
      throw new SettingException(
          "leastLatencySeconds",
          "the shortest latency is above the longest",
          "choose at most " + mostLatencySeconds);
    }
    if (leastMbps > mostMbps) {
      throw new SettingException(
          "leastMbps", "the lowest throughput is above the highest", "choose at most " + mostMbps);
    }
  }

  @Override
  public Link between(int from, int to, long round, RandomStreams streams) {
    int low = asymmetric ? from : Math.min(from, to);
    int high = asymmetric ? to : Math.max(from, to);
    RandomStream random =
        streams.stream(Purpose.LINKS, low, high * ROUNDS + (redraw ? round % ROUNDS : 0));
    Link link =
        new Link(
            Ticks.ofSeconds(random.uniform(leastLatencySeconds, mostLatencySeconds)),
            random.uniform(leastMbps, mostMbps) * BYTES_PER_MEGABIT,
            random.uniform(0, mostLoss));
    boolean isDown = down > 0 && random.nextDouble() < down;
    return isDown || link.bytesPerSecond() == 0 ? link.down() : link;
  }

  @Override
  public boolean varyOverTime() {
    return redraw;
  }
}
