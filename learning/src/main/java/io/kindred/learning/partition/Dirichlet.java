package io.kindred.learning.partition;

import io.kindred.core.random.RandomStream;
import io.kindred.core.settings.Complaint;
import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;
import io.kindred.core.weights.Ints;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * Label skew by a Dirichlet distribution (Hsu, Qi and Brown, 2019): each class is cut among the
 * peers in proportions drawn with this alpha. The usual code redraws until every peer has enough,
 * which for a small alpha and many peers never happens; here the first draw stands and the richest
 * peers give to those that fall short, in at most twice as many gifts as there are peers. All
 * samples are handed out.
 */
@Named(value = "dirichlet", summary = "label skew: each class cut in Dirichlet(alpha) proportions")
public record Dirichlet(
    @Setting(
            doc = "evenness: 100 is nearly iid, 0.1 leaves most peers with a class or two",
            fallback = "0.5",
            above = 0,
            max = MOST_EVEN)
        double alpha,
    @Setting(doc = "fewest samples a peer may hold", fallback = "10", min = 1) int minimum)
    implements Partition {
  private static final double MOST_EVEN = 1e6;

  /** Below this a class goes to one peer anyway, and dividing by alpha would overflow. */
  private static final double MOST_SKEWED = 1e-12;

  @Override
  public List<Ints> assign(Ints labels, int classes, int peers, RandomStream random) {
    requirePossible(labels.size(), peers);
    List<Pile> shares = Pile.empty(peers);
    for (Pile samples : Pile.byClass(labels, classes)) {
      cut(samples.shuffled(random), shares, random);
    }
    fillUp(shares, random);
    return Pile.sorted(shares);
  }

  private void requirePossible(int samples, int peers) {
    if (!(alpha > 0 && alpha <= MOST_EVEN)) {
      throw new Complaint(
          "partition.alpha",
          "the Dirichlet distribution has no alpha of " + alpha,
          "choose a number above 0 and at most " + (long) MOST_EVEN);
    }
    Pile.requireOneEach(samples, peers);
    if ((long) peers * minimum > samples) {
      throw new Complaint(
          "partition.minimum",
          peers + " peers cannot hold " + minimum + " samples each when there are only " + samples,
          "set the minimum to " + samples / peers + " or less, or use fewer peers or more samples");
    }
  }

  /** Cuts at the rounded running sums, so that rounding neither loses nor doubles a sample. */
  private void cut(int[] samples, List<Pile> shares, RandomStream random) {
    double[] proportions = random.nextDirichlet(shares.size(), Math.max(alpha, MOST_SKEWED));
    double sum = 0;
    int from = 0;
    for (int peer = 0; peer < shares.size(); peer++) {
      sum += proportions[peer];
      boolean last = peer == shares.size() - 1;
      int to =
          last ? samples.length : (int) Math.min(samples.length, Math.round(sum * samples.length));
      while (from < to) {
        shares.get(peer).add(samples[from++]);
      }
    }
  }

  /**
   * Gives every peer its minimum. A gift comes from a single donor where possible, because a share
   * pieced together from everybody would be the least skewed of all. Each gift fills a peer up or
   * takes a donor down to the minimum, and while one peer is short another has more than the
   * minimum, so this ends.
   */
  private void fillUp(List<Pile> shares, RandomStream random) {
    TreeSet<Integer> byWealth =
        new TreeSet<>(
            Comparator.<Integer>comparingInt(peer -> -shares.get(peer).size())
                .thenComparing(Comparator.naturalOrder()));
    for (int peer = 0; peer < shares.size(); peer++) {
      if (shares.get(peer).size() > minimum) {
        byWealth.add(peer);
      }
    }
    for (Pile share : shares) {
      while (share.size() < minimum) {
        // Out of the set while its size changes: the set is ordered by size.
        int richest = byWealth.removeFirst();
        Pile donor = shares.get(richest);
        int gift = Math.min(minimum - share.size(), donor.size() - minimum);
        for (int i = 0; i < gift; i++) {
          share.add(donor.draw(random));
        }
        if (donor.size() > minimum) {
          byWealth.add(richest);
        }
      }
    }
  }
}
