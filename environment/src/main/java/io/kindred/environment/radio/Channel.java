package io.kindred.environment.radio;

import io.kindred.core.config.PowerUnit;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.record.Buildable;

/** The radio channel and how peers transmit; the defaults are table I of pFedWN. */
@Buildable
public record Channel(
    @Setting(
            doc = "sub-channels of the band; a sender uses the best one",
            fallback = "14",
            min = 1,
            max = 100_000)
        int subChannels,
    @Setting(doc = "distribution of the fading", fallback = "{}") FadingLaw fading,
    @Setting(doc = "how power falls with the distance", fallback = "{}") PathLoss pathLoss,
    @Setting(
            doc = "transmit power of every sender in watts",
            fallback = "0.2",
            min = 1e-9,
            max = 1000,
            unit = PowerUnit.WATTS)
        double powerWatts,
    @Setting(doc = "carrier frequency in gigahertz", fallback = "2.4", min = 0.001, max = 1000)
        double frequencyGigahertz,
    @Setting(doc = "noise temperature in kelvin", fallback = "290", min = 0, max = 100_000)
        double noiseKelvin,
    @Setting(doc = "bandwidth in megahertz", fallback = "100", min = 0.0001, max = 100_000)
        double bandwidthMegahertz,
    @Setting(doc = "fading amplitude at or above which a sender transmits", fallback = "2", min = 0)
        double fadingThreshold,
    @Setting(
            doc = "ratio of signal to interference and noise below which a transmission fails",
            fallback = "10",
            above = 0,
            max = 1e12,
            unit = PowerUnit.RATIO)
        double sinrThreshold,
    @Setting(
            doc =
                "how the moments of `log-normal` interference are computed: `exact` by order statistics"
                    + " of the best sub-channel, `printed` as in the paper's appendix,"
                    + " `unsquared` as there but without squaring the transmit probability",
            fallback = "exact")
        Moments moments,
    @Setting(
            doc =
                "the probability that counts as error: `given-transmission` of failing once the"
                    + " sender transmits, or `joint` of transmitting and failing, as the paper"
                    + " prints it",
            fallback = "given-transmission")
        ErrorOf error,
    @Setting(
            doc =
                "whether the probability that no other sender interferes is modelled separately"
                    + " from `log-normal` interference; the paper omits it, with a large error",
            fallback = "true")
        boolean silence,
    @Setting(
            doc =
                "the bandwidth whose thermal noise a transmission meets: that of the"
                    + " `sub-channel` it uses, over which its rate counts too, or that of the"
                    + " whole `band`, as the paper prints it",
            fallback = "sub-channel")
        NoiseOver noise,
    @Setting(
            doc =
                "the distribution of the interference: `sampled` from the mechanism of III.B, or"
                    + " one `log-normal` distribution of the same moments, as in the paper, with a"
                    + " large error where an interferer is near",
            fallback = "sampled")
        InterferenceOf interference) {
  private static final double BOLTZMANN_JOULES_PER_KELVIN = 1.38e-23;

  /** Which moments the interference has, and which distribution the fading follows. */
  public enum Moments {
    /** Every sender uses its best sub-channel: order statistics. */
    EXACT,
    /**
     * The appendix, except that the indicator's probability is not squared: the square of an
     * indicator is the indicator.
     */
    UNSQUARED,
    /** The appendix: an unconditioned tail times the probability of transmitting, squared too. */
    PRINTED
  }

  /** The event whose probability the error is. */
  public enum ErrorOf {
    /** Failing, given that the sender transmits. */
    GIVEN_TRANSMISSION,
    /** Transmitting and failing: the printed integral, which is not normalized. */
    JOINT
  }

  /** The distribution of the interference. */
  public enum InterferenceOf {
    /** Senders on the sub-channel and their fading, drawn from their own distributions. */
    SAMPLED,
    /** One log-normal distribution for all of them. */
    LOG_NORMAL
  }

  /** The bandwidth over which thermal noise counts. */
  public enum NoiseOver {
    /** The sub-channel that a transmission uses. */
    SUB_CHANNEL,
    /** All sub-channels together, although a transmission uses only one of them: as printed. */
    BAND
  }

  public Channel {
    require(subChannels >= 1, "subChannels", "the band has no sub-channel", "choose at least 1");
    positive(powerWatts, "powerWatts", " watts");
    positive(frequencyGigahertz, "frequencyGigahertz", " gigahertz");
    positive(bandwidthMegahertz, "bandwidthMegahertz", " megahertz");
    positive(sinrThreshold, "sinrThreshold", "");
    notNegative(noiseKelvin, "noiseKelvin", " kelvin");
    notNegative(fadingThreshold, "fadingThreshold", "");
    require(
        moments == Moments.EXACT || interference == InterferenceOf.LOG_NORMAL,
        "moments",
        "only log-normal interference follows from its moments",
        "set interference to log-normal too");
    pathLoss.check(frequencyGigahertz);
    require(
        1 - fading.below(fadingThreshold * fadingThreshold) > 1e-12,
        "fadingThreshold",
        "a fading amplitude of " + fadingThreshold + " is so rare that no sender ever transmits",
        "choose less than " + 5 * Math.sqrt(fading.meanPower()));
  }

  private static void positive(double value, String key, String unit) {
    require(
        value > 0 && value < Double.POSITIVE_INFINITY,
        key,
        "must be above 0" + unit + ", but is " + value,
        "");
  }

  private static void notNegative(double value, String key, String unit) {
    require(
        value >= 0 && value < Double.POSITIVE_INFINITY,
        key,
        "must be at least 0" + unit + ", but is " + value,
        "");
  }

  private static void require(boolean valid, String key, String problem, String remedy) {
    if (!valid) {
      throw new SettingException(key, problem, remedy);
    }
  }

  /** Table I, with the SINR threshold of its middle case. */
  public static Channel paperDefaults() {
    return new Channel(
        14,
        FadingLaw.rayleigh(2),
        PathLoss.singleSlope(3, 1),
        0.2,
        2.4,
        290,
        100,
        2,
        10,
        Moments.EXACT,
        ErrorOf.GIVEN_TRANSMISSION,
        true,
        NoiseOver.SUB_CHANNEL,
        InterferenceOf.SAMPLED);
  }

  public Channel withSinrThreshold(double ratio) {
    return ChannelBuilder.from(this).sinrThreshold(ratio).build();
  }

  public Channel withSubChannels(int count) {
    return ChannelBuilder.from(this).subChannels(count).build();
  }

  /** The same channel with other approximations, and one log-normal distribution. */
  public Channel withModel(Moments otherMoments, ErrorOf otherError, boolean otherSilence) {
    return ChannelBuilder.from(this)
        .moments(otherMoments)
        .error(otherError)
        .silence(otherSilence)
        .interference(InterferenceOf.LOG_NORMAL)
        .build();
  }

  /** The same channel with the probability of failing while the interference is sampled. */
  public Channel withSampledInterference() {
    return ChannelBuilder.from(this)
        .error(ErrorOf.GIVEN_TRANSMISSION)
        .interference(InterferenceOf.SAMPLED)
        .build();
  }

  public Channel withPathLoss(PathLoss other) {
    return ChannelBuilder.from(this).pathLoss(other).build();
  }

  public Channel withFading(FadingLaw other) {
    return ChannelBuilder.from(this).fading(other).build();
  }

  /** The same channel with thermal noise over another bandwidth. */
  public Channel withNoise(NoiseOver bandwidth) {
    return ChannelBuilder.from(this).noise(bandwidth).build();
  }

  /**
   * The share of the sent power that arrives on the mean with a line of sight, at fading power one
   * (equation 3).
   */
  public double pathGain(double metres) {
    if (!(metres >= 0)) {
      throw new IllegalArgumentException("a distance cannot be " + metres + " metres");
    }
    return pathLoss.gain(metres, frequencyGigahertz, true);
  }

  private double subChannelHertz() {
    return bandwidthMegahertz * 1e6 / subChannels;
  }

  /** Thermal noise over the bandwidth that {@code noise} names. */
  public double noiseWatts() {
    double hertz = noise == NoiseOver.BAND ? bandwidthMegahertz * 1e6 : subChannelHertz();
    return BOLTZMANN_JOULES_PER_KELVIN * noiseKelvin * hertz;
  }

  double minFadingPower() {
    return fadingThreshold * fadingThreshold;
  }

  /** The probability that the best sub-channel is good enough to transmit. */
  public double transmitProbability() {
    return new Fading.BestOf(subChannels, fading, minFadingPower()).mass();
  }

  /** The capacity of a sub-channel at exactly the SINR threshold. */
  public double bytesPerSecond() {
    return bytesPerSecond(StrictMath.log1p(sinrThreshold) / StrictMath.log(2));
  }

  /** The rate of a sub-channel at so many bits a second and hertz. */
  public double bytesPerSecond(double bitsPerHertz) {
    return subChannelHertz() * bitsPerHertz / 8;
  }

  /** The distribution of the fading that a sender uses. */
  Fading usedFading() {
    return moments == Moments.EXACT
        ? new Fading.BestOf(subChannels, fading, minFadingPower())
        : new Fading.Tail(fading, minFadingPower());
  }
}
