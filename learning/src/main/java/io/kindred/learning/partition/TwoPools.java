package io.kindred.learning.partition;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Assigns all samples of two pools to peers, each with a fraction from the first pool drawn
 * uniformly between two bounds (FedSPD, appendix B.1: 10% to 90%). Independent draws would never
 * use both pools up, and adjusting them until they do makes the peers more alike (measured with 50
 * peers: an eighth less variance). So peers of equal size are paired at random and have fractions
 * that mirror each other, which leaves each fraction uniform. The remaining difference, from
 * unequal pools or a peer without a partner, moves all fractions towards one bound by a common
 * factor.
 */
final class TwoPools {
  private final IndexList first;
  private final IndexList second;
  private final double smallestPart;
  private final double largestPart;

  private TwoPools(IndexList first, IndexList second, double least, double most) {
    this.first = first;
    this.second = second;
    this.smallestPart = least;
    this.largestPart = most;
  }

  /** Splits the samples by a rule that selects those of the first pool. */
  static TwoPools of(IntPredicate isFirst, int samples, double least, double most) {
    IndexList first = new IndexList();
    IndexList second = new IndexList();
    for (int i = 0; i < samples; i++) {
      (isFirst.test(i) ? first : second).add(i);
    }
    return new TwoPools(first, second, least, most);
  }

  /** Checks the bounds of a fraction when a partition is created. */
  static void requireBounds(double least, double most) {
    if (!(least >= 0 && least <= most && most <= 1)) {
      throw new SettingException(
          "least",
          "a share cannot lie between " + least + " and " + most,
          "choose 0 <= least <= most <= 1");
    }
  }

  List<Ints> deal(int[] sizes, RandomStream random) {
    requirePossible();
    double[] parts = draw(sizes, random);
    double[] exact = new double[sizes.length];
    Arrays.setAll(exact, peer -> parts[peer] * sizes[peer]);
    int[] fromFirst = Rounding.toTotal(exact, first.size());
    int[] one = first.shuffled(random);
    int[] other = second.shuffled(random);
    List<IndexList> shares = IndexList.emptyLists(sizes.length);
    int nextOne = 0;
    int nextOther = 0;
    for (int peer = 0; peer < sizes.length; peer++) {
      for (int i = 0; i < sizes[peer]; i++) {
        shares.get(peer).add(i < fromFirst[peer] ? one[nextOne++] : other[nextOther++]);
      }
    }
    return IndexList.sorted(shares);
  }

  private void requirePossible() {
    double part = first.size() / (double) (first.size() + second.size());
    // Half a percent of slack, because an odd number of samples has no exact half.
    if (part < smallestPart - 0.005 || part > largestPart + 0.005) {
      throw new SettingException(
          "partition.least",
          ("the first of the two kinds of samples makes up " + Math.round(1000 * part) / 10.0 + "%")
              + (", so that peers cannot all have a share of "
                  + smallestPart
                  + " to "
                  + largestPart
                  + " of it"),
          "widen the bounds, or use a data set in which both kinds are about equally"
              + " frequent");
    }
  }

  private double[] draw(int[] sizes, RandomStream random) {
    double[] parts = mirroredParts(sizes, random);
    double wanted = first.size();
    double drawn = 0;
    double below = 0;
    double above = 0;
    for (int peer = 0; peer < sizes.length; peer++) {
      drawn += parts[peer] * sizes[peer];
      below += (parts[peer] - smallestPart) * sizes[peer];
      above += (largestPart - parts[peer]) * sizes[peer];
    }
    boolean tooMuch = drawn > wanted;
    double factor = Math.abs(drawn - wanted) / Math.max(tooMuch ? below : above, Double.MIN_NORMAL);
    double even = wanted / (first.size() + second.size());
    for (int peer = 0; peer < sizes.length; peer++) {
      double bound = tooMuch ? smallestPart : largestPart;
      // If the bounds leave no freedom, every peer gets the fraction of the whole data.
      parts[peer] = factor <= 1 ? parts[peer] + (bound - parts[peer]) * factor : even;
    }
    return parts;
  }

  /** Uniform fractions, each mirrored by that of the peer's partner. */
  private double[] mirroredParts(int[] sizes, RandomStream random) {
    List<Integer> order =
        Arrays.stream(random.permutation(sizes.length))
            .boxed()
            .sorted(Comparator.comparingInt(peer -> sizes[peer]))
            .toList();
    double[] parts = new double[sizes.length];
    for (int i = 0; i < sizes.length; i++) {
      boolean partner = i % 2 == 1;
      parts[order.get(i)] =
          partner
              ? smallestPart + largestPart - parts[order.get(i - 1)]
              : random.uniform(smallestPart, largestPart);
    }
    return parts;
  }
}
