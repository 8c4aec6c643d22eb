package io.kindred.environment.radio;

import java.util.List;

/**
 * A channel with everything that does not depend on positions computed once: the moments of one
 * interferer of unit power, and the distribution of the wanted sender's fading.
 */
final class ChannelModel {
  /** So many equally probable fading powers stand for that of the wanted sender. */
  private static final int OWN_QUANTILES = 64;

  /** So many stand for that of an interferer. */
  private static final int POWERS = 256;

  private final Channel channel;
  private final Fading fading;
  private final double noise;
  private final double subChannelProbability;
  private final double meanPower;
  private final double meanSquaredPower;
  private final double[] ownPowers;
  private final SampledInterference sampled;

  ChannelModel(Channel channel) {
    this.channel = channel;
    fading = channel.usedFading();
    noise = channel.noiseWatts();
    // The probability that a sender uses a given sub-channel: by symmetry all are equally often
    // best.
    subChannelProbability = channel.transmitProbability() / channel.subChannels();
    switch (channel.moments()) {
      case EXACT -> {
        meanPower = fading.moment(1) / channel.subChannels();
        meanSquaredPower = fading.moment(2) / channel.subChannels();
      }
      case UNSQUARED -> {
        meanPower = fading.moment(1) * subChannelProbability;
        meanSquaredPower = fading.moment(2) * subChannelProbability;
      }
      case PRINTED -> {
        meanPower = fading.moment(1) * subChannelProbability;
        meanSquaredPower = fading.moment(2) * subChannelProbability * subChannelProbability;
      }
      default -> throw new IllegalStateException("unknown moments " + channel.moments());
    }
    ownPowers = quantiles(OWN_QUANTILES);
    sampled = new SampledInterference(subChannelProbability, quantiles(POWERS));
  }

  private double[] quantiles(int count) {
    double[] powers = new double[count];
    for (int i = 0; i < count; i++) {
      powers[i] = fadingPower((i + 0.5) / count);
    }
    return powers;
  }

  /** The fading power of a sender that transmits, at a quantile of its distribution. */
  private double fadingPower(double quantile) {
    double low = fading.minPower();
    double high = fading.maxPower();
    // As many halvings as a double has digits.
    for (int i = 0; i < 60; i++) {
      double middle = (low + high) / 2;
      if (fading.massUpTo(middle) < quantile * fading.mass()) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The total interference of senders with these mean received powers. */
  Interference interferenceOf(List<Double> watts) {
    if (watts.isEmpty()) {
      return Interference.NONE;
    }
    return channel.interference() == Channel.InterferenceOf.SAMPLED
        ? sampled.of(watts)
        : logNormal(watts);
  }

  private Interference logNormal(List<Double> watts) {
    double sum = 0;
    double variance = 0;
    double silence = 1;
    for (double each : watts) {
      sum += each * meanPower;
      variance += each * each * (meanSquaredPower - meanPower * meanPower);
      silence *= 1 - subChannelProbability;
    }
    return new Interference.LogNormal(sum, variance, channel.silence() ? silence : 0);
  }

  /** The probability that a transmission at this fading power fails. */
  private double failureProbability(double watts, double fadingPower, Interference interference) {
    return interference.exceeds(watts * fadingPower / channel.sinrThreshold() - noise);
  }

  /**
   * The probability that a transmission fails, over its own fading: SINR below the threshold means
   * interference above P g / gamma - noise. The printed integral divides the noise by gamma too.
   */
  double errorProbability(double watts, Interference interference) {
    double noiseLimitedPower = noise * channel.sinrThreshold() / watts;
    double from = Math.max(fading.minPower(), noiseLimitedPower);
    double failedByNoise = fading.massUpTo(Math.min(noiseLimitedPower, fading.maxPower()));
    double failedByInterference =
        from >= fading.maxPower() || interference.equals(Interference.NONE)
            ? 0
            : failedByInterference(watts, from, interference);
    double joint = failedByNoise + failedByInterference;
    return Math.clamp(
        channel.error() == Channel.ErrorOf.JOINT ? joint : joint / fading.mass(), 0.0, 1.0);
  }

  /**
   * With sampled interference, the probability of failure has a step for each sample, which
   * quantiles of the own power meet as well as any other nodes.
   */
  private double failedByInterference(double watts, double from, Interference interference) {
    if (channel.interference() == Channel.InterferenceOf.LOG_NORMAL) {
      return Quadrature.integrate(
          power -> fading.density(power) * failureProbability(watts, power, interference),
          from,
          fading.maxPower());
    }
    double before = fading.massUpTo(from) / fading.mass();
    double sum = 0;
    for (int i = 0; i < OWN_QUANTILES; i++) {
      double quantile = before + (1 - before) * (i + 0.5) / OWN_QUANTILES;
      double power = before == 0 ? ownPowers[i] : fadingPower(quantile);
      sum += failureProbability(watts, power, interference);
    }
    return sum / OWN_QUANTILES * (1 - before) * fading.mass();
  }
}
