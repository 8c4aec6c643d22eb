package io.kindred.learning.partition;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStream;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Chooses the classes of each peer when each peer holds a given number of them. */
final class ClassHolders {
  private ClassHolders() {}

  /**
   * The peers that hold each class: as equal numbers of peers as the sizes of the classes allow.
   *
   * @param key the setting to name when the classes are too small for so many holders
   */
  static List<IndexList> choose(
      List<IndexList> byClass, int peers, int perPeer, String key, RandomStream random) {
    return choose(count(byClass, peers, perPeer, key, random), peers, perPeer, random);
  }

  /**
   * The number of peers that hold each class: one more for every class in turn until all {@code
   * peers} times {@code perPeer} are assigned. No class gets more holders than it has samples,
   * otherwise a peer would hold a class without a sample of it.
   */
  private static int[] count(
      List<IndexList> byClass, int peers, int perPeer, String key, RandomStream random) {
    int[] holders = new int[byClass.size()];
    long remaining = (long) peers * perPeer;
    while (remaining > 0) {
      long before = remaining;
      for (int label : random.permutation(holders.length)) {
        if (remaining > 0 && holders[label] < Math.min(peers, byClass.get(label).size())) {
          holders[label]++;
          remaining--;
        }
      }
      if (remaining == before) {
        throw new SettingException(
            key,
            "some classes have too few samples to give "
                + peers
                + " peers "
                + perPeer
                + " classes each",
            key.equals("partition.fraction")
                ? "use a smaller fraction, fewer peers or more samples"
                : "use fewer classes, fewer peers or more samples");
      }
    }
    return holders;
  }

  /**
   * The peers that hold each class. Every peer takes the classes that still need most holders, ties
   * broken at random: the greedy rule of Havel and Hakimi. It never gets stuck, because a class
   * that needs as many holders as there are peers left is always among those taken.
   */
  private static List<IndexList> choose(
      int[] holders, int peers, int perPeer, RandomStream random) {
    int[] wanted = holders.clone();
    List<IndexList> chosen = IndexList.emptyLists(wanted.length);
    for (int peer = 0; peer < peers; peer++) {
      List<Integer> order =
          Arrays.stream(random.permutation(wanted.length))
              .boxed()
              .sorted(Comparator.comparingInt(label -> -wanted[label]))
              .toList();
      for (int label : order.subList(0, perPeer)) {
        chosen.get(label).add(peer);
        wanted[label]--;
      }
    }
    return chosen;
  }
}
