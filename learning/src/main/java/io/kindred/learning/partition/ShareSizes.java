package io.kindred.learning.partition;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStream;
import java.util.Arrays;

/** The number of samples of each peer. */
final class ShareSizes {
  private ShareSizes() {}

  /** Equal to within one; the peers with one more are drawn at random. */
  static int[] equal(int samples, int peers, RandomStream random) {
    return imbalanced(samples, peers, 1, random);
  }

  /**
   * A third of the peers has small shares, a third large ones, the rest the average (FedSPD,
   * appendix B.2.5): large is {@code ratio} times small, and the average lies halfway between.
   */
  static int[] imbalanced(int samples, int peers, double ratio, RandomStream random) {
    IndexList.requireEnoughSamples(samples, peers);
    int third = peers / 3;
    double[] parts = new double[peers];
    Arrays.setAll(parts, i -> i < third ? 1 : i < peers - third ? (1 + ratio) / 2 : ratio);
    int[] sizes = Rounding.inProportion(parts, samples);
    if (Arrays.stream(sizes).anyMatch(size -> size == 0)) {
      throw new SettingException(
          "partition.ratio",
          "with a ratio of " + ratio + " some of " + peers + " peers would get no sample",
          "use a smaller ratio, fewer peers or more samples");
    }
    int[] order = random.permutation(peers);
    int[] ofPeers = new int[peers];
    for (int i = 0; i < peers; i++) {
      ofPeers[order[i]] = sizes[i];
    }
    return ofPeers;
  }
}
