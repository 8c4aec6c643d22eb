package io.kindred.methods.hfl.formation;

/**
 * When a change of two clusters is an improvement (sections 3.3.3 and 5.3). One metric may get
 * worse by the share alpha if the other falls by at least z alpha; if none gets worse, one has to
 * improve.
 */
public record SwapCriteria(Solution solution, double z) {
  /** Which metrics are weighed against each other, with the numbers of section 5.3. */
  public enum Solution {
    /** 1.1: the sum of both angles against the sum of both times. */
    PAIR(1.05),
    /** 1.2: angle against time, in each of the two clusters. */
    INDIVIDUAL(1.05),
    /** 2: the sum of both angles against the sum of angle over time. */
    ANGLE_RATIO(1.05),
    /** 3: the sum of both times against the sum of angle over time. */
    TIME_RATIO(1.8);

    private final double paperZ;

    Solution(double printed) {
      this.paperZ = printed;
    }

    /** The z that section 5.3 prints. */
    public double paperZ() {
      return paperZ;
    }
  }

  /** Angle and time of the two clusters of a pair. */
  record PairMetrics(double angle1, double time1, double angle2, double time2) {
    private double angles() {
      return angle1 + angle2;
    }

    private double times() {
      return time1 + time2;
    }

    private double ratios() {
      return angle1 / time1 + angle2 / time2;
    }

    boolean isFinite() {
      return time1 + time2 < Double.POSITIVE_INFINITY;
    }
  }

  boolean allows(PairMetrics before, PairMetrics after) {
    return after.isFinite()
        && switch (solution) {
          case PAIR -> improves(before.angles(), after.angles(), before.times(), after.times());
          case ANGLE_RATIO ->
              improves(before.angles(), after.angles(), before.ratios(), after.ratios());
          case TIME_RATIO ->
              improves(before.times(), after.times(), before.ratios(), after.ratios());
          case INDIVIDUAL ->
              compensates(before.angle1, after.angle1, before.time1, after.time1)
                  && compensates(before.angle2, after.angle2, before.time2, after.time2)
                  && (gains(before.angle1, after.angle1, before.time1, after.time1)
                      || gains(before.angle2, after.angle2, before.time2, after.time2));
        };
  }

  /** The score of a change: lower is better. */
  double score(PairMetrics before, PairMetrics after) {
    return switch (solution) {
      case PAIR, INDIVIDUAL ->
          ratio(after.angles(), before.angles()) + ratio(after.times(), before.times());
      case ANGLE_RATIO ->
          ratio(after.angles(), before.angles()) + ratio(after.ratios(), before.ratios());
      case TIME_RATIO ->
          ratio(after.times(), before.times()) + ratio(after.ratios(), before.ratios());
    };
  }

  private static double ratio(double after, double before) {
    return before == 0 ? (after == 0 ? 1 : Double.POSITIVE_INFINITY) : after / before;
  }

  private boolean improves(double a, double newA, double b, double newB) {
    return compensates(a, newA, b, newB) && gains(a, newA, b, newB);
  }

  private static boolean gains(double a, double newA, double b, double newB) {
    return newA < a || newB < b;
  }

  /** Whether a loss in one metric is compensated by the other, whichever of them gets worse. */
  private boolean compensates(double a, double newA, double b, double newB) {
    return offsetsLoss(a, newA, b, newB) || offsetsLoss(b, newB, a, newA);
  }

  private boolean offsetsLoss(double a, double newA, double b, double newB) {
    double alpha = Math.max(0, ratio(newA, a) - 1);
    return alpha < Double.POSITIVE_INFINITY && newB <= (1 - z * alpha) * b;
  }
}
