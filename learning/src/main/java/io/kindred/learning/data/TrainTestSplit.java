package io.kindred.learning.data;

import io.kindred.core.weights.Ints;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/** Splits items into a training and a test part, each in the items' order. */
public final class TrainTestSplit<T> {
  private final List<T> train;
  private final List<T> test;
  private final int[] positionsInPart;

  public TrainTestSplit(List<T> items, Predicate<T> isTest) {
    train = items.stream().filter(isTest.negate()).toList();
    test = items.stream().filter(isTest).toList();
    positionsInPart = new int[items.size()];
    int[] next = new int[2];
    for (int i = 0; i < positionsInPart.length; i++) {
      positionsInPart[i] = next[isTest.test(items.get(i)) ? 1 : 0]++;
    }
  }

  public List<T> train() {
    return train;
  }

  public List<T> test() {
    return test;
  }

  /** The position of an item within its part. */
  public int positionInPart(int item) {
    return positionsInPart[item];
  }

  public static <T> Ints labels(List<T> part, ToIntFunction<T> label) {
    return Ints.wrap(part.stream().mapToInt(label).toArray());
  }
}
