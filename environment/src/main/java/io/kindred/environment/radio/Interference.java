package io.kindred.environment.radio;

import org.hipparchus.special.Erf;

/**
 * What others add on the sub-channel of a transmission, as a log-normal power of given mean and
 * variance (equation 17).
 *
 * @param silence probability that nobody adds anything; the log-normal law is of the rest. The
 *     paper has none of it, although with table I and ten interferers it is more likely than not
 */
record Interference(double mean, double variance, double silence) {
  static final Interference NONE = new Interference(0, 0, 1);

  /** The probability that it is stronger than this, the paper's v. */
  double exceeds(double watts) {
    if (watts <= 0) {
      // Noise alone is too strong already.
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
