package io.kindred.learning.partition;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * Label skew by a Dirichlet distribution: each class is divided among the peers in proportions
 * drawn with this alpha (Yurochkin et al., 2019), or each peer draws the proportions of the classes
 * in its samples (Hsu, Qi and Brown, 2019). The usual code redraws until every peer has enough,
 * which for a small alpha and many peers never happens; here the first draw is kept and the peers
 * with most samples give to those below the minimum, in at most twice as many transfers as there
 * are peers. All samples are assigned.
 */
@Named(value = "dirichlet", summary = "label skew: Dirichlet(alpha) proportions of each class")
public record Dirichlet(
    @Setting(
            doc = "evenness: 100 is nearly iid, 0.1 leaves most peers with a class or two",
            fallback = "0.5",
            above = 0,
            max = MAX_ALPHA)
        double alpha,
    @Setting(doc = "fewest samples a peer may hold", fallback = "10", min = 1) int minimum,
    @Setting(
            doc =
                "what the proportions are drawn over: `peers` divides each class among the"
                    + " peers, `classes` draws each peer's proportions of classes",
            fallback = "peers")
        Over over,
    @Setting(doc = "whether peers hold equally many samples", fallback = "false") boolean balanced)
    implements LabelPartition {
  /** The dimension of the drawn proportions. */
  public enum Over {
    /** Each class is divided over the peers, independently of the other classes. */
    PEERS,
    /** Each peer has proportions of its own over the classes, independently of the other peers. */
    CLASSES
  }

  private static final double MAX_ALPHA = 1e6;

  /** Below this a class goes to one peer anyway, and dividing by alpha would overflow. */
  private static final double MIN_ALPHA = 1e-12;

  /** The usual form: each class divided over the peers, sizes not balanced. */
  public Dirichlet(double alpha, int minimum) {
    this(alpha, minimum, Over.PEERS, false);
  }

  @Override
  public List<Ints> assign(Ints labels, int classes, int peers, RandomStream random) {
    requirePossible(labels.size(), peers);
    List<IndexList> byClass = IndexList.groupByClass(labels, classes);
    if (balanced) {
      return IndexList.sorted(dealEqually(byClass, labels.size(), peers, random));
    }
    List<IndexList> shares = IndexList.emptyLists(peers);
    double[][] ofPeers = over == Over.CLASSES ? draw(peers, classes, random) : new double[0][];
    for (int label = 0; label < classes; label++) {
      int[] samples = byClass.get(label).shuffled(random);
      cut(samples, over == Over.PEERS ? draw(peers, random) : column(ofPeers, label), shares);
    }
    fillToMinimum(shares, random);
    return IndexList.sorted(shares);
  }

  /** Fits the drawn proportions to equal shares of the available samples, with the least change. */
  private List<IndexList> dealEqually(
      List<IndexList> byClass, int samples, int peers, RandomStream random) {
    int[] sizes = byClass.stream().mapToInt(IndexList::size).toArray();
    double[][] wanted =
        over == Over.PEERS
            ? transposed(draw(sizes.length, peers, random), sizes)
            : draw(peers, sizes.length, random);
    int[][] counts =
        ProportionalFitting.fitCounts(wanted, ShareSizes.equal(samples, peers, random), sizes);
    return IndexList.deal(byClass, counts, random);
  }

  private void requirePossible(int samples, int peers) {
    if (!(alpha > 0 && alpha <= MAX_ALPHA)) {
      throw new SettingException(
          "partition.alpha",
          "the Dirichlet distribution has no alpha of " + alpha,
          "choose a number above 0 and at most " + (long) MAX_ALPHA);
    }
    IndexList.requireEnoughSamples(samples, peers);
    if ((long) peers * minimum > samples) {
      throw new SettingException(
          "partition.minimum",
          peers + " peers cannot hold " + minimum + " samples each when there are only " + samples,
          "set the minimum to " + samples / peers + " or less, or use fewer peers or more samples");
    }
  }

  private double[] draw(int size, RandomStream random) {
    return random.nextDirichlet(size, Math.max(alpha, MIN_ALPHA));
  }

  private double[][] draw(int count, int size, RandomStream random) {
    double[][] draws = new double[count][];
    Arrays.setAll(draws, i -> draw(size, random));
    return draws;
  }

  /** Samples of each peer and class, if each class is divided by its row of proportions. */
  private static double[][] transposed(double[][] ofClasses, int[] sizes) {
    double[][] ofPeers = new double[ofClasses[0].length][sizes.length];
    for (int peer = 0; peer < ofPeers.length; peer++) {
      for (int label = 0; label < sizes.length; label++) {
        ofPeers[peer][label] = ofClasses[label][peer] * sizes[label];
      }
    }
    return ofPeers;
  }

  /**
   * The proportions in which a class is divided, given the peers' own proportions; equal if all of
   * these are zero.
   */
  private static double[] column(double[][] ofPeers, int label) {
    double[] wantedParts = Arrays.stream(ofPeers).mapToDouble(row -> row[label]).toArray();
    double sum = Arrays.stream(wantedParts).sum();
    double[] parts = new double[wantedParts.length];
    Arrays.setAll(parts, i -> sum > 0 ? wantedParts[i] / sum : 1.0 / parts.length);
    return parts;
  }

  /** Divides at the rounded running sums, so that rounding neither loses nor doubles a sample. */
  private static void cut(int[] samples, double[] proportions, List<IndexList> shares) {
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
   * Gives every peer its minimum. The samples come from a single donor where possible, because a
   * share collected from many peers would be the least skewed of all. Each transfer fills a peer to
   * the minimum or reduces a donor to it, and while one peer is short another has more than the
   * minimum, so this ends.
   */
  private void fillToMinimum(List<IndexList> shares, RandomStream random) {
    TreeSet<Integer> bySize =
        new TreeSet<>(
            Comparator.<Integer>comparingInt(peer -> -shares.get(peer).size())
                .thenComparing(Comparator.naturalOrder()));
    for (int peer = 0; peer < shares.size(); peer++) {
      if (shares.get(peer).size() > minimum) {
        bySize.add(peer);
      }
    }
    for (IndexList share : shares) {
      while (share.size() < minimum) {
        // The donor is removed while its size changes, because the set is ordered by size.
        int largest = bySize.removeFirst();
        IndexList donor = shares.get(largest);
        int transfer = Math.min(minimum - share.size(), donor.size() - minimum);
        for (int i = 0; i < transfer; i++) {
          share.add(donor.removeRandom(random));
        }
        if (donor.size() > minimum) {
          bySize.add(largest);
        }
      }
    }
  }
}
