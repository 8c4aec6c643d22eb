package io.kindred.environment.radio;

import java.util.List;

/**
 * A channel with everything that does not depend on positions computed once: the moments of one
 * interferer of unit power, and the distribution of the wanted sender's fading.
 */
final class ChannelModel {
  private final Channel channel;
  private final Fading fading;
  private final double noise;
  private final double subChannelProbability;
  private final double meanPower;
  private final double meanSquaredPower;

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
  }

  /** The total interference of senders with these mean received powers. */
  Interference interferenceOf(List<Double> watts) {
    double sum = 0;
    double variance = 0;
    double silence = 1;
    for (double each : watts) {
      sum += each * meanPower;
      variance += each * each * (meanSquaredPower - meanPower * meanPower);
      silence *= 1 - subChannelProbability;
    }
    return watts.isEmpty()
        ? Interference.NONE
        : new Interference(sum, variance, channel.silence() ? silence : 0);
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
            : Quadrature.integrate(
                power -> fading.density(power) * failureProbability(watts, power, interference),
                from,
                fading.maxPower());
    double joint = failedByNoise + failedByInterference;
    return Math.clamp(
        channel.error() == Channel.ErrorOf.JOINT ? joint : joint / fading.mass(), 0.0, 1.0);
  }
}
