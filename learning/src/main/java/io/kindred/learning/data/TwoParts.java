package io.kindred.learning.data;

import io.kindred.core.weights.Ints;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/** Sorts items into a training and a test part, each in the order in which they come. */
final class TwoParts<T> {
  private final List<T> train;
  private final List<T> test;
  private final int[] places;

  TwoParts(List<T> items, Predicate<T> isTest) {
    train = items.stream().filter(isTest.negate()).toList();
    test = items.stream().filter(isTest).toList();
    places = new int[items.size()];
    int[] next = new int[2];
    for (int i = 0; i < places.length; i++) {
      places[i] = next[isTest.test(items.get(i)) ? 1 : 0]++;
    }
  }

  List<T> train() {
    return train;
  }

  List<T> test() {
    return test;
  }

  /** Where an item stands within its part. */
  int place(int item) {
    return places[item];
  }

  static <T> Ints labels(List<T> part, ToIntFunction<T> label) {
    return Ints.wrap(part.stream().mapToInt(label).toArray());
  }
}
