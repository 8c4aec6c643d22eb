package io.kindred.environment.radio;

import org.hipparchus.special.Erf;

/** The interference of other senders on the sub-channel of a transmission. */
sealed interface Interference {
  Interference NONE = new LogNormal(0, 0, 1);

  /** The probability that the interference exceeds a power, the paper's v. */
  double exceeds(double watts);

  /**
   * A log-normal power of given mean and variance (equation 17).
   *
   * @param silence probability that no other sender interferes; the log-normal distribution covers
   *     the rest. The paper has no such term, although with table I and ten interferers silence is
   *     more likely than not
   */
  record LogNormal(double mean, double variance, double silence) implements Interference {
    @Override
    public double exceeds(double watts) {
      if (watts <= 0) {
        // The noise alone is too strong already.
        return 1;
      }
      if (silence >= 1 || mean <= 0) {
        return 0;
      }
      double loud = 1 - silence;
      double loudMean = mean / loud;
      double loudVariance = Math.max(0, (variance + mean * mean) / loud - loudMean * loudMean);
      double spread = StrictMath.log1p(loudVariance / (loudMean * loudMean));
      double location = StrictMath.log(loudMean) - spread / 2;
      double above = StrictMath.log(watts) - location;
      if (spread == 0) {
        return above < 0 ? loud : 0;
      }
      return loud * Erf.erfc(above / Math.sqrt(2 * spread)) / 2;
    }
  }

  /** A sample of interference powers, equally probable. */
  final class Sample implements Interference {
    private final double[] ascending;

    Sample(double[] ascending) {
      this.ascending = ascending;
    }

    @Override
    public double exceeds(double watts) {
      if (watts <= 0) {
        return 1;
      }
      int low = 0;
      int high = ascending.length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (ascending[middle] > watts) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      return (ascending.length - low) / (double) ascending.length;
    }
  }
}
