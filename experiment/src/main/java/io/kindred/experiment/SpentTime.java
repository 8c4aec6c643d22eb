package io.kindred.experiment;

import io.kindred.runtime.Workers;
import io.kindred.runtime.Workers.Activity;

/**
 * Seconds of wall time, and of all threads together by activity; sums over the parts of a resumed
 * run.
 */
record SpentTime(double wall, double training, double evaluation, double mixing, double other) {
  static final SpentTime NONE = new SpentTime(0, 0, 0, 0, 0);

  /**
   * The time that this process has spent so far; the stepping thread's time counts without its
   * waits.
   */
  static SpentTime of(Workers workers, double wallSeconds) {
    return new SpentTime(
        wallSeconds,
        workers.seconds(Activity.TRAINING),
        workers.seconds(Activity.EVALUATION),
        workers.seconds(Activity.MIXING),
        workers.seconds(Activity.OTHER) + Math.max(0, wallSeconds - workers.waitedSeconds()));
  }

  SpentTime plus(SpentTime more) {
    return new SpentTime(
        wall + more.wall,
        training + more.training,
        evaluation + more.evaluation,
        mixing + more.mixing,
        other + more.other);
  }
}
