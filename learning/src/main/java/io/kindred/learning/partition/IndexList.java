package io.kindred.learning.partition;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A growing list of integers, mostly sample indices being assigned to a peer. */
final class IndexList {
  private int[] indices = new int[8];
  private int size;

  static List<IndexList> emptyLists(int count) {
    List<IndexList> indexLists = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      indexLists.add(new IndexList());
    }
    return indexLists;
  }

  /** One list per class, each in ascending order. */
  static List<IndexList> groupByClass(Ints labels, int classes) {
    List<IndexList> indexLists = emptyLists(classes);
    for (int i = 0; i < labels.size(); i++) {
      int label = labels.get(i);
      if (label < 0 || label >= classes) {
        throw new IllegalArgumentException(
            "sample " + i + " has label " + label + ", expected 0 to " + (classes - 1));
      }
      indexLists.get(label).add(i);
    }
    return indexLists;
  }

  /**
   * Assigns the samples of each class at random, {@code counts[peer][class]} of them to each peer.
   */
  static List<IndexList> deal(List<IndexList> byClass, int[][] counts, RandomStream random) {
    List<IndexList> shares = emptyLists(counts.length);
    for (int label = 0; label < byClass.size(); label++) {
      int[] samples = byClass.get(label).shuffled(random);
      int next = 0;
      for (int peer = 0; peer < counts.length; peer++) {
        for (int i = 0; i < counts[peer][label]; i++) {
          shares.get(peer).add(samples[next++]);
        }
      }
    }
    return shares;
  }

  static List<Ints> sorted(List<IndexList> indexLists) {
    return indexLists.stream().map(IndexList::sorted).toList();
  }

  /** Fails unless every peer can have a sample, since a peer without samples cannot take part. */
  static void requireEnoughSamples(int samples, int peers) {
    if (peers <= 0) {
      throw new IllegalArgumentException("peers must be positive, got " + peers);
    }
    if (peers > samples) {
      throw new SettingException(
          "peers",
          "there are " + peers + " peers but only " + samples + " training samples",
          "choose at most " + samples + " peers, or use more samples");
    }
  }

  int size() {
    return size;
  }

  void add(int index) {
    if (size == indices.length) {
      indices = Arrays.copyOf(indices, 2 * size);
    }
    indices[size++] = index;
  }

  void addAll(IndexList other) {
    for (int i = 0; i < other.size; i++) {
      add(other.indices[i]);
    }
  }

  int get(int at) {
    return indices[at];
  }

  /** Removes one index, each with the same probability. */
  int removeRandom(RandomStream random) {
    int at = random.nextInt(size);
    int drawn = indices[at];
    indices[at] = indices[--size];
    return drawn;
  }

  int[] shuffled(RandomStream random) {
    int[] copy = Arrays.copyOf(indices, size);
    random.shuffle(copy);
    return copy;
  }

  Ints sorted() {
    int[] copy = Arrays.copyOf(indices, size);
    Arrays.sort(copy);
    return Ints.wrap(copy);
  }
}
