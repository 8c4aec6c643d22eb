package io.kindred.learning.partition;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStream;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Chooses which peers hold which classes when each peer holds a given number of them. */
final class ClassHolders {
  private ClassHolders() {}

  /**
   * The peers that hold each class: as equal numbers of them as the sizes of the classes allow.
   *
   * @param key what to name when the classes are too small for so many holders
   */
  static List<IndexList> choose(
      List<IndexList> byClass, int peers, int perPeer, String key, RandomStream random) {
    return choose(count(byClass, peers, perPeer, key, random), peers, perPeer, random);
  }

  /**
   * How many peers hold each class: one more for every class in turn until all places are taken. No
   * class gets more holders than it has samples, or a peer would hold a class in name only.
   */
  private static int[] count(
      List<IndexList> byClass, int peers, int perPeer, String key, RandomStream random) {
    int[] holders = new int[byClass.size()];
    long places = (long) peers * perPeer;
    while (places > 0) {
      long before = places;
      for (int label : random.permutation(holders.length)) {
        if (places > 0 && holders[label] < Math.min(peers, byClass.get(label).size())) {
          holders[label]++;
          places--;
        }
      }
      if (places == before) {
        throw new SettingException(
            key,
            "some classes have too few samples to give "
                + peers
                + " peers "
                + perPeer
                + " classes each",
            key.equals("partition.fraction")
                ? "use a smaller fraction, fewer peers or more samples"
                : "ask for fewer classes, fewer peers or more samples");
      }
    }
    return holders;
  }

  /**
   * Which peers hold each class. Every peer takes the classes that still want most holders, chance
   * deciding between equals: the greedy rule of Havel and Hakimi, which never gets stuck, because a
   * class that wants as many holders as there are peers left is always among those taken.
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
