package io.kindred.learning.data;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Chooses the common test set of data that have none: the same share of every class, drawn from the
 * run's seed.
 */
public final class StratifiedSplit {
  private static final Purpose PURPOSE = new Purpose("own-test-split");

  private StratifiedSplit() {}

  /**
   * The rule for a reader.
   *
   * @param of what the share is taken from, such as a class
   */
  public static String described(double share, String of) {
    return String.format(
        Locale.ROOT, "the test is %.3g %% of each %s, drawn from the seed", 100 * share, of);
  }

  /** Marks the samples of the test set. */
  public static boolean[] draw(int[] labels, int classes, double share, RandomStreams streams) {
    boolean[] test = new boolean[labels.length];
    int drawn = 0;
    for (int label = 0; label < classes; label++) {
      List<Integer> own = new ArrayList<>();
      for (int i = 0; i < labels.length; i++) {
        if (labels[i] == label) {
          own.add(i);
        }
      }
      RandomStream random = streams.stream(PURPOSE, label, 0);
      int[] order = random.permutation(own.size());
      // At least one sample of a class stays for training.
      int count = Math.min((int) Math.round(share * own.size()), own.size() - 1);
      for (int i = 0; i < count; i++) {
        test[own.get(order[i])] = true;
        drawn++;
      }
    }
    if (drawn == 0) {
      throw new SettingException(
          "dataset.testShare",
          "a share of " + share + " leaves no test samples",
          "choose a larger share, or add samples");
    }
    return test;
  }
}
