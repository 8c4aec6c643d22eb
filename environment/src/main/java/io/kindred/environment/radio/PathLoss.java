package io.kindred.environment.radio;

import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;

/** How the received power falls with the distance. */
public record PathLoss(
    @Setting(
            doc =
                "`single-slope` with one exponent, as in the paper; `free-space`; or the street"
                    + " canyons (`umi`) or indoor offices (`inh`) of 3GPP TR 38.901, with line of"
                    + " sight and shadowing that are correlated in space",
            fallback = "single-slope")
        Law law,
    @Setting(
            doc = "received power falls with this power of the distance, for `single-slope`",
            fallback = "3",
            min = 1,
            max = 10)
        double exponent,
    @Setting(
            doc =
                "reference distance in metres up to which path loss is that of free space, for"
                    + " `single-slope`; for this law and `free-space`, shorter distances count as"
                    + " this one",
            fallback = "1",
            above = 0)
        double referenceMetres) {
  private static final double LIGHT_METRES_PER_SECOND = 299_792_458;

  /** The laws. */
  public enum Law {
    /** Free space up to the reference distance, then one exponent (equation 3 of pFedWN). */
    SINGLE_SLOPE,
    /** The square of the distance. */
    FREE_SPACE,
    /** Urban micro cells, street canyon: 10 m above ground to 1.5 m above ground. */
    UMI,
    /** Indoor hotspot, mixed office: 3 m above ground to 1 m above ground. */
    INH
  }

  public static PathLoss singleSlope(double exponent, double referenceMetres) {
    return new PathLoss(Law.SINGLE_SLOPE, exponent, referenceMetres);
  }

  static double wavelengthMetres(double gigahertz) {
    return LIGHT_METRES_PER_SECOND / (gigahertz * 1e9);
  }

  /** Whether links of the same length differ, by line of sight and shadowing. */
  boolean hasSurroundings() {
    return law == Law.UMI || law == Law.INH;
  }

  void check(double gigahertz) {
    if (hasSurroundings() && (gigahertz < 0.5 || gigahertz > 100)) {
      throw new SettingException(
          "frequencyGigahertz",
          "3GPP TR 38.901 has no path loss at " + gigahertz + " gigahertz",
          "choose 0.5 to 100, or the path loss single-slope");
    }
    double shortest = wavelengthMetres(gigahertz) / (4 * Math.PI);
    if (!hasSurroundings() && referenceMetres < shortest) {
      throw new SettingException(
          "pathLoss.referenceMetres",
          "the distance is so short that a receiver would get more power than was sent",
          "choose at least " + shortest + " metres");
    }
  }

  /** The probability that two peers see each other (table 7.4.2-1 of TR 38.901). */
  double sightProbability(double metres) {
    return switch (law) {
      case SINGLE_SLOPE, FREE_SPACE -> 1;
      case UMI -> metres <= 18 ? 1 : 18 / metres + StrictMath.exp(-metres / 36) * (1 - 18 / metres);
      case INH ->
          metres <= 1.2
              ? 1
              : metres < 6.5
                  ? StrictMath.exp(-(metres - 1.2) / 4.7)
                  : 0.32 * StrictMath.exp(-(metres - 6.5) / 32.6);
    };
  }

  /** The share of the sent power that arrives on the mean, before shadowing. */
  double gain(double metres, double gigahertz, boolean sight) {
    return switch (law) {
      case SINGLE_SLOPE -> slope(metres, gigahertz, exponent);
      case FREE_SPACE -> slope(metres, gigahertz, 2);
      case UMI -> ratio(-umiDecibels(Math.max(10, metres), gigahertz, sight));
      case INH -> ratio(-inhDecibels(Math.max(1, metres), gigahertz, sight));
    };
  }

  private double slope(double metres, double gigahertz, double power) {
    double free = wavelengthMetres(gigahertz) / (4 * Math.PI * referenceMetres);
    double fallen = referenceMetres / Math.max(metres, referenceMetres);
    return free * free * StrictMath.pow(fallen, power);
  }

  /** Table 7.4.1-1, UMi street canyon, with antennas at 10 and 1.5 metres. */
  private static double umiDecibels(double metres, double gigahertz, boolean sight) {
    double slant = Math.hypot(metres, 8.5);
    double breakpoint = 4 * 9 * 0.5 / wavelengthMetres(gigahertz);
    double visible =
        metres <= breakpoint
            ? 32.4 + 21 * StrictMath.log10(slant) + 20 * StrictMath.log10(gigahertz)
            : 32.4
                + 40 * StrictMath.log10(slant)
                + 20 * StrictMath.log10(gigahertz)
                - 9.5 * StrictMath.log10(breakpoint * breakpoint + 8.5 * 8.5);
    return sight
        ? visible
        : Math.max(
            visible, 35.3 * StrictMath.log10(slant) + 22.4 + 21.3 * StrictMath.log10(gigahertz));
  }

  /** Table 7.4.1-1, indoor office, with antennas at 3 and 1 metres. */
  private static double inhDecibels(double metres, double gigahertz, boolean sight) {
    double slant = Math.hypot(metres, 2);
    double visible = 32.4 + 17.3 * StrictMath.log10(slant) + 20 * StrictMath.log10(gigahertz);
    return sight
        ? visible
        : Math.max(
            visible, 38.3 * StrictMath.log10(slant) + 17.3 + 24.9 * StrictMath.log10(gigahertz));
  }

  /** The deviation of the shadowing (table 7.4.1-1). */
  double shadowingDecibels(boolean sight) {
    return law == Law.UMI ? (sight ? 4 : 7.82) : (sight ? 3 : 8.03);
  }

  /** The distance over which shadowing changes (table 7.5-6). */
  double shadowingMetres(boolean sight) {
    return law == Law.UMI ? (sight ? 10 : 13) : (sight ? 10 : 6);
  }

  /** The distance over which the line of sight changes (table 7.6.3.1-2). */
  double sightMetres() {
    return law == Law.UMI ? 50 : 10;
  }

  static double ratio(double decibels) {
    return StrictMath.pow(10, decibels / 10);
  }
}
