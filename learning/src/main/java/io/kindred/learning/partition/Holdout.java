package io.kindred.learning.partition;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Splits some of a peer's own samples off, in the peer's label proportions: personalization is
 * evaluated on data like the peer's own.
 */
public final class Holdout {
  private Holdout() {}

  /** The result of a split: three disjoint parts, each in ascending order. */
  public record PeerSplit(Ints train, Ints validation, Ints test) {
    /**
     * The same split with other test samples: a choice made by these has seen no sample of the test
     * part.
     */
    public PeerSplit withTest(Ints others) {
      return new PeerSplit(train, validation, others);
    }
  }

  /**
   * Splits one peer's samples. Training always keeps at least one sample. Test has priority over
   * validation when there are too few samples for both. Either gets at least one sample if its
   * fraction is above zero and enough samples are left.
   *
   * @param indices the peer's samples, as positions in {@code labels}
   * @param labels the labels of the whole training set
   * @param validation fraction for validation, at least 0
   * @param test fraction for testing, at least 0; both together stay below 1
   */
  public static PeerSplit split(
      Ints indices, Ints labels, double validation, double test, RandomStream random) {
    if (!(validation >= 0 && test >= 0 && validation + test < 1)) {
      throw new IllegalArgumentException(
          "validation and test fractions must be at least 0 and together below 1, got "
              + validation
              + " and "
              + test);
    }
    int count = indices.size();
    int tested = heldOutCount(count, count, test);
    int validated = heldOutCount(count - tested, count, validation);
    List<IndexList> byClass = byClass(indices, labels);
    int[] left = byClass.stream().mapToInt(IndexList::size).toArray();
    int[] forTest = apportion(left, tested, random);
    for (int label = 0; label < left.length; label++) {
      left[label] -= forTest[label];
    }
    return deal(byClass, apportion(left, validated, random), forTest, random);
  }

  /** The rounded fraction of all samples, but at least one and never the last one left. */
  private static int heldOutCount(int left, int all, double fraction) {
    return fraction > 0 && left >= 2 ? Math.clamp(Math.round(fraction * all), 1, left - 1) : 0;
  }

  private static List<IndexList> byClass(Ints indices, Ints labels) {
    int classes = 0;
    for (int i = 0; i < indices.size(); i++) {
      classes = Math.max(classes, labels.get(indices.get(i)) + 1);
    }
    List<IndexList> indexLists = IndexList.emptyLists(classes);
    for (int i = 0; i < indices.size(); i++) {
      indexLists.get(labels.get(indices.get(i))).add(indices.get(i));
    }
    return indexLists;
  }

  /**
   * Distributes the seats over the classes in proportion to their sizes, by largest remainders. All
   * arithmetic is in integers, so that no class gets more seats than it has samples. Ties between
   * remainders are broken at random, otherwise the first classes would always win.
   */
  private static int[] apportion(int[] sizes, int seats, RandomStream random) {
    int total = Math.max(1, Arrays.stream(sizes).sum());
    int[] shares = new int[sizes.length];
    long[] remainders = new long[sizes.length];
    int spare = seats;
    for (int label = 0; label < sizes.length; label++) {
      long exact = (long) sizes[label] * seats;
      shares[label] = (int) (exact / total);
      remainders[label] = exact % total;
      spare -= shares[label];
    }
    Arrays.stream(random.permutation(sizes.length))
        .boxed()
        .sorted(Comparator.comparingLong(label -> -remainders[label]))
        .limit(spare)
        .forEach(label -> shares[label]++);
    return shares;
  }

  private static PeerSplit deal(
      List<IndexList> byClass, int[] forValidation, int[] forTest, RandomStream random) {
    IndexList train = new IndexList();
    IndexList validation = new IndexList();
    IndexList test = new IndexList();
    for (int label = 0; label < byClass.size(); label++) {
      IndexList samples = byClass.get(label);
      for (int i = 0; i < forTest[label]; i++) {
        test.add(samples.removeRandom(random));
      }
      for (int i = 0; i < forValidation[label]; i++) {
        validation.add(samples.removeRandom(random));
      }
      while (samples.size() > 0) {
        train.add(samples.removeRandom(random));
      }
    }
    return new PeerSplit(train.sorted(), validation.sorted(), test.sorted());
  }
}
