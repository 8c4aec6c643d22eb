package io.kindred.protocol.overlay;

import io.kindred.core.peer.Timer;
import java.util.Arrays;

/** The timers of the overlay. A shell knows them by a name and a number. */
public sealed interface OverlayTimer {
  /** The peer's next heartbeat is due. */
  record HeartbeatDue() implements OverlayTimer {}

  /** Some answers to a root or subtree search are late. */
  record SearchTimeout(long number) implements OverlayTimer {}

  /** A query of the peer's own has no reply. */
  record AnswerTimeout(long number) implements OverlayTimer {}

  /** A step of forming a zone is due, in an epoch and on a level. */
  record FormationDue(FormationTimer due, long epoch, int level) implements OverlayTimer {}

  /** What a peer does when zones form and others have had time to act. */
  enum FormationTimer {
    DECIDE_ELECTION("overlay-elect"),
    PROBE_TIMEOUT("overlay-probe-timeout"),
    REGISTRATION_TIMEOUT("overlay-registration-timeout"),
    REPORT_TIMEOUT("overlay-report-timeout"),
    MERGE_RETRY("overlay-merge-retry"),
    COLLECT_TIMEOUT("overlay-collect-timeout");

    private final String timer;

    FormationTimer(String timer) {
      this.timer = timer;
    }
  }

  String HEARTBEAT = "overlay-heartbeat";
  String SEARCH = "overlay-search-timeout";
  String ANSWER = "overlay-unanswered";

  /** More than there are levels: a timer's number contains both its epoch and its level. */
  long LEVELS_PER_EPOCH = 256;

  /** The number of timers and computations of an epoch and a level. */
  static long number(long epoch, int level) {
    return epoch * LEVELS_PER_EPOCH + level;
  }

  static long epochOf(long number) {
    return number / LEVELS_PER_EPOCH;
  }

  static int levelOf(long number) {
    return (int) (number % LEVELS_PER_EPOCH);
  }

  /** The timer as a shell knows it. */
  default Timer toTimer() {
    return switch (this) {
      case HeartbeatDue _ -> new Timer(HEARTBEAT, 0);
      case SearchTimeout(long number) -> new Timer(SEARCH, number);
      case AnswerTimeout(long number) -> new Timer(ANSWER, number);
      case FormationDue(FormationTimer due, long epoch, int level) ->
          new Timer(due.timer, number(epoch, level));
    };
  }

  static OverlayTimer of(Timer timer) {
    return switch (timer.name()) {
      case HEARTBEAT -> new HeartbeatDue();
      case SEARCH -> new SearchTimeout(timer.number());
      case ANSWER -> new AnswerTimeout(timer.number());
      default ->
          new FormationDue(
              Arrays.stream(FormationTimer.values())
                  .filter(step -> step.timer.equals(timer.name()))
                  .findFirst()
                  .orElseThrow(() -> new IllegalStateException("unknown timer " + timer.name())),
              epochOf(timer.number()),
              levelOf(timer.number()));
    };
  }
}
