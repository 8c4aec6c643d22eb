package io.kindred.environment.radio;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The interference in many blocks in which every interferer is on the sub-channel with its
 * probability and with a fading of its own. The blocks are the same for all receivers and runs, so
 * that an error probability is a pure function of the positions; each interferer meets every
 * quantile of its distribution once, so that its moments are right.
 */
final class SampledInterference {
  private static final int BLOCKS = 8192;
  private static final Purpose SAMPLE = new Purpose("interference-sample");
  private static final RandomStreams STREAMS = new RandomStreams(0);

  private final double probability;
  private final double[] powers;
  private final List<Presence> interferers = new ArrayList<>();

  /** In which blocks an interferer is on the sub-channel, and at which fading power. */
  private static final class Presence {
    private final int[] blocks;
    private final double[] powers;

    Presence(int[] blocks, double[] powers) {
      this.blocks = blocks;
      this.powers = powers;
    }
  }

  /**
   * @param probability that an interferer is on the sub-channel
   * @param powers equally probable fading powers while it is, ascending
   */
  SampledInterference(double probability, double[] powers) {
    this.probability = probability;
    this.powers = powers.clone();
  }

  /** The interference of senders with these mean received powers. */
  synchronized Interference of(List<Double> watts) {
    double[] totals = new double[BLOCKS];
    for (int i = 0; i < watts.size(); i++) {
      if (i == interferers.size()) {
        interferers.add(draw(i));
      }
      Presence presence = interferers.get(i);
      for (int j = 0; j < presence.blocks.length; j++) {
        totals[presence.blocks[j]] += watts.get(i) * presence.powers[j];
      }
    }
    Arrays.sort(totals);
    return new Interference.Sample(totals);
  }

  private Presence draw(int number) {
    RandomStream random = STREAMS.stream(SAMPLE, number, 0);
    int[] order = random.permutation(BLOCKS);
    // The rest of a block is there with its probability, so that the share is right on the mean.
    int present = (int) Math.floor(probability * BLOCKS + random.nextDouble());
    double[] fadings = new double[present];
    for (int j = 0; j < present; j++) {
      double quantile = (j + random.nextDouble()) / present;
      fadings[j] = powers[(int) (quantile * powers.length)];
    }
    return new Presence(Arrays.copyOf(order, present), fadings);
  }
}
