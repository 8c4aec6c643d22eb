package io.kindred.environment.link;

import io.kindred.environment.radio.Channel;
import java.util.ArrayList;
import java.util.List;

/**
 * How a sender chooses the rate of a block. It knows its own fading and hence the ratio of signal
 * to noise, but not who interferes. So it multiplies that ratio by a margin, which falls with each
 * block that the receiver could not decode at the first try and rises with each decoded one (outer
 * loop link adaptation), and takes the highest rate whose capacity bound this meets.
 */
public final class RateChoice {
  /** Bits a second and hertz of the modulation and coding schemes of TS 38.214, 5.2.2.1-2. */
  private static final List<Double> BITS_PER_HERTZ =
      List.of(
          0.1523, 0.2344, 0.3770, 0.6016, 0.8770, 1.1758, 1.4766, 1.9141, 2.4063, 2.7305, 3.3223,
          3.9023, 4.5234, 5.1152, 5.5547);

  /** By how much the margin falls after a failure: one decibel. */
  private static final double STEP_DOWN = StrictMath.pow(10, -0.1);

  private final List<Rate> rates;
  private final double stepUp;

  /**
   * A rate of transmission.
   *
   * @param sinr ratio of signal to interference and noise from which on a block is decoded
   */
  public record Rate(double bytesPerSecond, double sinr) {}

  private RateChoice(List<Rate> rates, double stepUp) {
    this.rates = List.copyOf(rates);
    this.stepUp = stepUp;
  }

  /** One rate: the capacity at the threshold of the channel. */
  static RateChoice fixed(Channel channel) {
    return new RateChoice(List.of(new Rate(channel.bytesPerSecond(), channel.sinrThreshold())), 1);
  }

  /**
   * The rates of the standard.
   *
   * @param firstErrors share of failures at which falls and rises of the margin cancel out
   */
  static RateChoice adapted(Channel channel, double firstErrors) {
    List<Rate> rates = new ArrayList<>();
    for (double bits : BITS_PER_HERTZ) {
      rates.add(new Rate(channel.bytesPerSecond(bits), StrictMath.pow(2, bits) - 1));
    }
    return new RateChoice(rates, StrictMath.pow(10, 0.1 * firstErrors / (1 - firstErrors)));
  }

  /** Whether senders have a choice, so that their margins matter. */
  public boolean adapts() {
    return rates.size() > 1;
  }

  /**
   * The highest rate that the receiver is expected to decode; the lowest if it is expected to
   * decode none. A ratio above what the highest rate needs counts as that, so that a margin says
   * something about interference.
   */
  public Rate choose(double snr, double margin) {
    double expected = Math.min(snr, rates.getLast().sinr()) * margin;
    Rate chosen = rates.getFirst();
    for (Rate rate : rates) {
      if (rate.sinr() <= expected) {
        chosen = rate;
      }
    }
    return chosen;
  }

  /** The margin after a block that was sent for the first time. */
  public double marginAfter(double margin, boolean decoded) {
    double least = rates.getFirst().sinr() / rates.getLast().sinr();
    return Math.clamp(margin * (decoded ? stepUp : STEP_DOWN), least, 1.0);
  }
}
