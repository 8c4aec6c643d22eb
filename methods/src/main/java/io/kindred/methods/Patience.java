package io.kindred.methods;

import io.kindred.core.Ticks;
import io.kindred.core.settings.Complaint;
import io.kindred.core.settings.Setting;
import java.util.ArrayList;
import java.util.List;

/**
 * How long a round waits for others: a soft barrier. It ends when everything is in, or when this is
 * over; then the round goes on with what is there. With a factor the wait follows the answers seen
 * so far, so that one straggler does not hold up everybody (SemanticDFL, section 4).
 */
public record Patience(
    @Setting(doc = "longest wait in virtual seconds", fallback = "600", above = 0) double seconds,
    @Setting(
            doc = "waits so many times the median answer took; 0 always waits the longest",
            fallback = "0",
            min = 0)
        double factor,
    @Setting(doc = "shortest wait in virtual seconds", fallback = "1", above = 0)
        double leastSeconds) {
  private static final int REMEMBERED = 15;

  public Patience {
    if (leastSeconds > seconds) {
      throw new Complaint(
          "leastSeconds",
          "the shortest wait is longer than the longest",
          "choose at most " + seconds);
    }
  }

  /** Waits so long, whatever happens. */
  public static Patience of(double seconds) {
    return new Patience(seconds, 0, Math.min(1, seconds));
  }

  /** How long to wait, given how long the last answers took. */
  public long ticks(List<Long> answers) {
    if (factor == 0 || answers.isEmpty()) {
      return Ticks.ofSeconds(seconds);
    }
    List<Long> sorted = answers.stream().sorted().toList();
    double median = sorted.get((sorted.size() - 1) / 2);
    return Math.clamp(
        Math.round(factor * median), Ticks.ofSeconds(leastSeconds), Ticks.ofSeconds(seconds));
  }

  /** The last answers, one more; only as many as matter. */
  public static List<Long> remember(List<Long> answers, long ticks) {
    List<Long> more = new ArrayList<>(answers);
    more.add(ticks);
    return more.size() > REMEMBERED ? more.subList(1, more.size()) : more;
  }
}
