package io.kindred.environment.radio;

import io.kindred.core.config.PowerUnit;
import io.kindred.core.config.Setting;
import io.kindred.core.random.RandomStream;
import org.hipparchus.special.Gamma;

/** The distribution of the fading power of one sub-channel in one block. */
public record FadingLaw(
    @Setting(
            doc =
                "`rayleigh` without a line of sight, as in the paper, `rician` with one dominant"
                    + " path, or `nakagami` with the shape `shape`",
            fallback = "rayleigh")
        Law law,
    @Setting(
            doc = "mean fading power; the Rayleigh fading factor of the paper",
            fallback = "2",
            above = 0,
            max = 1000)
        double meanPower,
    @Setting(
            doc = "power of the dominant path over that of all others, for `rician`",
            fallback = "4",
            min = 0,
            max = 100,
            unit = PowerUnit.RATIO)
        double dominance,
    @Setting(
            doc = "shape for `nakagami`: 1 is Rayleigh fading, more is milder fading",
            fallback = "2",
            min = 0.5,
            max = 100)
        double shape) {
  /** So many means above the bulk, the remaining mass is too small for a double. */
  private static final double TAIL_IN_MEANS = 40;

  /** The family of the distribution of the amplitude. */
  public enum Law {
    /** Many paths of equal strength: exponential powers. */
    RAYLEIGH,
    /** One dominant path: powers of a non-central chi-squared distribution. */
    RICIAN,
    /** Gamma powers. */
    NAKAGAMI
  }

  public static FadingLaw rayleigh(double meanPower) {
    return new FadingLaw(Law.RAYLEIGH, meanPower, 4, 2);
  }

  /** The probability of a power below this one. */
  double below(double power) {
    if (power <= 0) {
      return 0;
    }
    return switch (law) {
      case RAYLEIGH -> -StrictMath.expm1(-power / meanPower);
      case NAKAGAMI -> Gamma.regularizedGammaP(shape, shape * power / meanPower);
      case RICIAN -> ricianSeries(power, false);
    };
  }

  double density(double power) {
    return switch (law) {
      case RAYLEIGH -> StrictMath.exp(-power / meanPower) / meanPower;
      case NAKAGAMI -> gammaDensity(power);
      case RICIAN -> ricianSeries(power, true);
    };
  }

  private double gammaDensity(double power) {
    double scaled = shape * power / meanPower;
    return StrictMath.exp((shape - 1) * StrictMath.log(scaled) - scaled - Gamma.logGamma(shape))
        * shape
        / meanPower;
  }

  /** A Rician power is a gamma power whose shape is one more than a Poisson number. */
  private double ricianSeries(double power, boolean wantsDensity) {
    double scaled = (1 + dominance) * power / meanPower;
    double poisson = StrictMath.exp(-dominance);
    double gammaTerm = StrictMath.exp(-scaled);
    double upper = gammaTerm;
    double sum = 0;
    int last = (int) (dominance + 12 * Math.sqrt(dominance) + TAIL_IN_MEANS);
    for (int j = 0; j <= last; j++) {
      sum += poisson * (wantsDensity ? gammaTerm : Math.max(0, 1 - upper));
      poisson *= dominance / (j + 1);
      gammaTerm *= scaled / (j + 1);
      upper += gammaTerm;
    }
    return wantsDensity ? sum * (1 + dominance) / meanPower : sum;
  }

  /** A power above which the best of so many sub-channels has no mass. */
  double maxPower(int subChannels, double minPower) {
    double scale = law == Law.NAKAGAMI ? meanPower * Math.max(1, 1 / shape) : meanPower;
    return Math.max(minPower, scale * StrictMath.log(subChannels)) + TAIL_IN_MEANS * scale;
  }

  double draw(RandomStream random) {
    return switch (law) {
      case RAYLEIGH -> -meanPower * StrictMath.log(1 - random.nextDouble());
      case NAKAGAMI -> StrictMath.exp(random.nextLogGamma(shape)) * meanPower / shape;
      case RICIAN -> {
        double spread = Math.sqrt(meanPower / (2 * (1 + dominance)));
        double direct = Math.sqrt(meanPower * dominance / (1 + dominance));
        double inPhase = direct + spread * random.nextGaussian();
        double quadrature = spread * random.nextGaussian();
        yield inPhase * inPhase + quadrature * quadrature;
      }
    };
  }
}
