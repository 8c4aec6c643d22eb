package io.kindred.methods.contract;

import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.Ticks;
import java.util.ArrayList;
import java.util.List;

/**
 * How long a round waits for others: a soft barrier. It ends when everything is in, or when this is
 * over; then the round goes on with what is there. With a factor the wait follows the answers seen
 * so far, so that one straggler does not hold up everybody (SemanticDFL, section 4).
 */
public record TimeoutPolicy(
    @Setting(doc = "longest wait in virtual seconds", fallback = "600", above = 0) double seconds,
    @Setting(
            doc = "waits so many times the median answer took; 0 always waits the longest",
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
          "the shortest wait is longer than the longest",
          "choose at most " + seconds);
    }
  }

  /** Waits so long, whatever happens. */
  public static TimeoutPolicy of(double seconds) {
    return new TimeoutPolicy(seconds, 0, Math.min(1, seconds));
  }

  /** How long to wait, given how long the last answers took. */
  public long ticks(List<Long> answers) {
    if (factor == 0 || answers.isEmpty()) {
      return Ticks.ofSeconds(seconds);
    }
    List<Long> sorted = answers.stream().sorted().toList();
    double median = sorted.get((sorted.size() - 1) / 2);
    return Math.clamp(
        Math.round(factor * median), Ticks.ofSeconds(minSeconds), Ticks.ofSeconds(seconds));
  }

  /** The last answers, one more; only as many as matter. */
  public static List<Long> appendLatency(List<Long> answers, long ticks) {
    List<Long> more = new ArrayList<>(answers);
    more.add(ticks);
    return more.size() > LATENCY_WINDOW ? more.subList(1, more.size()) : more;
  }
}
