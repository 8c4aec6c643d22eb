package io.kindred.environment.link;

import io.kindred.core.config.Setting;
import io.kindred.core.record.Buildable;
import io.kindred.environment.radio.Channel;

/** How peers transfer messages over radio, block by block. */
@Buildable
public record RadioTransfers(
    @Setting(
            doc =
                "how many times in a row a block of a message is repeated before the message is"
                    + " given up",
            fallback = "5",
            min = 0,
            max = 1000)
        int retries,
    @Setting(
            doc =
                "seconds for which fading stays constant: the longest transmission; a repetition"
                    + " has a block of its own",
            fallback = "0.05",
            above = 0,
            max = 3600)
        double blockSeconds,
    @Setting(
            doc =
                "what a receiver does with a block that it could not decode: `chase` adds the"
                    + " ratios of signal to interference and noise of all repetitions, `none`"
                    + " decodes every repetition alone",
            fallback = "chase")
        Combining combining,
    @Setting(
            doc =
                "how fast peers transmit: `fixed` at the capacity of a sub-channel at"
                    + " channel.sinrThreshold, or `adapted` to what the receiver decoded so far, by"
                    + " the steps of 3GPP TS 38.214; channel.sinrThreshold then only selects"
                    + " neighbours",
            fallback = "fixed")
        Rate rate,
    @Setting(
            doc =
                "share of blocks that a receiver should not decode at the first try, for the"
                    + " `adapted` rate",
            fallback = "0.1",
            above = 0,
            max = 0.9)
        double firstErrors,
    @Setting(
            doc =
                "which peers interfere: `active` those that transmit in the same block,"
                    + " `saturated` all peers all the time, as the paper's formulas assume",
            fallback = "active")
        Interferers interferers,
    @Setting(
            doc =
                "whether a peer cannot receive in a block in which it transmits; the peers then"
                    + " claim each block in a random order",
            fallback = "true")
        boolean halfDuplex,
    @Setting(
            doc =
                "radiated share of the power that a transmitter draws; 1 counts radiated energy"
                    + " only",
            fallback = "1",
            above = 0,
            max = 1)
        double efficiency,
    @Setting(
            doc = "watts that a receiver draws while it receives",
            fallback = "0",
            min = 0,
            max = 1000)
        double receiveWatts) {
  /** What a receiver does with the repetitions of a block. */
  public enum Combining {
    /** It adds their ratios of signal to interference and noise (Chase combining). */
    CHASE,
    /** It decodes each alone. */
    NONE
  }

  /** How fast peers transmit. */
  public enum Rate {
    /** At the capacity at the threshold. */
    FIXED,
    /** At the highest rate that the receiver is expected to decode. */
    ADAPTED
  }

  /** Which peers interfere with a transmission. */
  public enum Interferers {
    /** Those that transmit in the same block. */
    ACTIVE,
    /** All, all the time. */
    SATURATED
  }

  /** Half duplex, five repetitions that are combined, interference of who transmits. */
  public static RadioTransfers usual() {
    return new RadioTransfers(
        5, 0.05, Combining.CHASE, Rate.FIXED, 0.1, Interferers.ACTIVE, true, 1, 0);
  }

  /** The rates that senders choose from. */
  RateChoice rates(Channel channel) {
    return rate == Rate.ADAPTED
        ? RateChoice.adapted(channel, firstErrors)
        : RateChoice.fixed(channel);
  }

  public RadioTransfers withFirstErrors(double share) {
    return RadioTransfersBuilder.from(this).firstErrors(share).build();
  }

  public RadioTransfers withRate(Rate other) {
    return RadioTransfersBuilder.from(this).rate(other).build();
  }

  public RadioTransfers withRetries(int most) {
    return RadioTransfersBuilder.from(this).retries(most).build();
  }
}
