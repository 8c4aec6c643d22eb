package io.kindred.environment.radio;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongFunction;

/**
 * The medium that all peers share, one fading block at a time: which of the peers that want to
 * transmit do, on which sub-channel, and at which ratio of signal to interference and noise their
 * receivers hear them. A pure function of the run's seed and the block's number.
 */
public final class RadioMedium {
  private static final Purpose ACCESS = new Purpose("radio-access");

  private final Channel channel;
  private final LongFunction<RadioField> fields;
  private final boolean saturated;
  private final RandomStreams streams;

  /**
   * @param fields where the peers are in a block
   * @param saturated whether all peers interfere all the time, as the formulas of pFedWN assume, or
   *     only those that transmit in the same block
   */
  public RadioMedium(
      Channel channel, LongFunction<RadioField> fields, boolean saturated, RandomStreams streams) {
    this.channel = channel;
    this.fields = fields;
    this.saturated = saturated;
    this.streams = streams;
  }

  /** A peer that has data for another one. */
  public record Sender(int from, int to) {}

  /**
   * A transmission in one block.
   *
   * @param sinr ratio of signal to interference and noise at the receiver
   * @param snr ratio of signal to noise alone, which the sender can know beforehand
   */
  public record Heard(Sender sender, double sinr, double snr) {}

  /**
   * The sub-channel that a peer uses in a block, and the fading power on it towards its receiver.
   */
  private record Use(int receiver, int subChannel, double fadingPower) {}

  /** The peers in the order in which they may claim the medium in a block. */
  public int[] accessOrder(long block) {
    return streams.stream(ACCESS, 0, block).permutation(fields.apply(block).positions().size());
  }

  /**
   * The transmissions of a block, in the order of the senders, of which each is named once. A
   * sender without a sub-channel that is good enough stays silent and is not listed.
   */
  public List<Heard> transmissions(long block, List<Sender> senders) {
    SortedMap<Integer, Use> uses = new TreeMap<>();
    for (Sender sender : senders) {
      Use use = bestSubChannel(sender.from(), sender.to(), block);
      if (use.fadingPower() >= channel.minFadingPower()) {
        uses.put(sender.from(), use);
      }
    }
    RadioField radioField = fields.apply(block);
    List<Heard> heard = new ArrayList<>();
    for (Sender sender : senders) {
      Use use = uses.get(sender.from());
      if (use != null) {
        double signal = radioField.meanWatts(sender.from(), sender.to()) * use.fadingPower();
        double noise = channel.noiseWatts();
        double disturbance = noise + interference(radioField, block, sender, use, uses);
        heard.add(new Heard(sender, ratio(signal, disturbance), ratio(signal, noise)));
      }
    }
    return heard;
  }

  /** A peer that gets no power hears nothing, even without any noise. */
  private static double ratio(double signal, double disturbance) {
    return disturbance > 0 ? signal / disturbance : signal > 0 ? Double.POSITIVE_INFINITY : 0;
  }

  /** The fading between two peers in a block: the same for whatever the first one transmits. */
  private RandomStream stream(int from, int to, long block) {
    return streams.stream(Purpose.FADING, (long) from << 32 | to, block);
  }

  private Use bestSubChannel(int from, int to, long block) {
    RandomStream random = stream(from, to, block);
    int best = 0;
    double highest = 0;
    for (int f = 0; f < channel.subChannels(); f++) {
      double power = channel.fading().draw(random);
      if (power > highest) {
        highest = power;
        best = f;
      }
    }
    return new Use(to, best, highest);
  }

  private double interference(
      RadioField radioField, long block, Sender sender, Use own, SortedMap<Integer, Use> uses) {
    double sum = 0;
    int peers = radioField.positions().size();
    for (int other = 0; other < peers; other++) {
      if (other == sender.from() || other == sender.to()) {
        continue;
      }
      Use use = uses.get(other);
      if (use != null && use.subChannel() == own.subChannel()) {
        double power =
            use.receiver() == sender.to()
                ? use.fadingPower()
                : fadingPower(other, sender.to(), use.subChannel(), block);
        sum += radioField.meanWatts(other, sender.to()) * power;
      } else if (use == null && saturated) {
        Use always = bestSubChannel(other, sender.to(), block);
        if (always.subChannel() == own.subChannel()
            && always.fadingPower() >= channel.minFadingPower()) {
          sum += radioField.meanWatts(other, sender.to()) * always.fadingPower();
        }
      }
    }
    return sum;
  }

  /** The fading power towards a peer that a transmission was not meant for. */
  private double fadingPower(int from, int to, int subChannel, long block) {
    RandomStream random = stream(from, to, block);
    double power = channel.fading().draw(random);
    for (int f = 0; f < subChannel; f++) {
      power = channel.fading().draw(random);
    }
    return power;
  }
}
