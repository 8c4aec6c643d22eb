package io.kindred.methods.contract;

import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.Ticks;
import java.util.ArrayList;
import java.util.List;

/**
 * How long a round waits for other peers: a soft barrier. The wait ends when all answers have
 * arrived or at the timeout; the round then continues with the answers that have arrived. With a
 * factor the timeout follows recent latencies, so that one straggler does not delay all others
 * (SemanticDFL, section 4).
 */
public record TimeoutPolicy(
    @Setting(doc = "longest wait in virtual seconds", fallback = "600", above = 0) double seconds,
    @Setting(
            doc =
                "multiple of the recent median answer time that a round waits; 0 always waits"
                    + " `seconds`",
            fallback = "0",
            min = 0)
        double factor,
    @Setting(doc = "shortest wait in virtual seconds", fallback = "1", above = 0)
        double minSeconds) {
  private static final int LATENCY_WINDOW = 15;

  public TimeoutPolicy {
    if (minSeconds > seconds) {
      throw new SettingException(
          "minSeconds",
          "the shortest wait is longer than the longest one, `seconds`",
          "choose at most " + seconds);
    }
  }

  /** A fixed timeout. */
  public static TimeoutPolicy of(double seconds) {
    return new TimeoutPolicy(seconds, 0, Math.min(1, seconds));
  }

  /** The timeout, given the latencies of the last answers. */
  public long ticks(List<Long> latencies) {
    if (factor == 0 || latencies.isEmpty()) {
      return Ticks.ofSeconds(seconds);
    }
    List<Long> sorted = latencies.stream().sorted().toList();
    double median = sorted.get((sorted.size() - 1) / 2);
    return Math.clamp(
        Math.round(factor * median), Ticks.ofSeconds(minSeconds), Ticks.ofSeconds(seconds));
  }

  /** Appends a latency and drops the oldest one beyond the window. */
  public static List<Long> appendLatency(List<Long> latencies, long ticks) {
    List<Long> more = new ArrayList<>(latencies);
    more.add(ticks);
    return more.size() > LATENCY_WINDOW ? more.subList(1, more.size()) : more;
  }
}
