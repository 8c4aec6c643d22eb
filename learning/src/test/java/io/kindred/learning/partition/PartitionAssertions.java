package io.kindred.learning.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import java.util.Arrays;
import java.util.List;

/** Labels to partition and assertions shared by the partition tests. */
final class PartitionAssertions {
  private PartitionAssertions() {}

  static RandomStream random(long seed) {
    return new RandomStreams(seed).stream(Purpose.PARTITION, 0, 0);
  }

  /** Labels 0 to classes - 1 in turn. */
  static Ints balanced(int samples, int classes) {
    int[] labels = new int[samples];
    for (int i = 0; i < samples; i++) {
      labels[i] = i % classes;
    }
    return Ints.wrap(labels);
  }

  /** Labels drawn with unequal probabilities; low classes are common, high ones rare. */
  static Ints unbalanced(int samples, int classes, RandomStream random) {
    int[] labels = new int[samples];
    for (int i = 0; i < samples; i++) {
      labels[i] = random.nextInt(1 + random.nextInt(classes));
    }
    return Ints.wrap(labels);
  }

  /** Asserts that every sample is assigned exactly once, each share in ascending order. */
  static void assertTotal(List<Ints> shares, int samples, long seed) {
    assertThat(assertDisjoint(shares, samples, seed)).as("seed %d", seed).isEqualTo(samples);
  }

  /** Asserts that no sample is assigned twice; returns the number of assigned samples. */
  static int assertDisjoint(List<Ints> shares, int samples, long seed) {
    boolean[] seen = new boolean[samples];
    int handedOut = 0;
    for (Ints share : shares) {
      for (int i = 0; i < share.size(); i++) {
        int index = share.get(i);
        // A plain check instead of an assertion for each sample, of which there are millions.
        if (seen[index]) {
          throw new AssertionError("seed %d: sample %d twice".formatted(seed, index));
        }
        seen[index] = true;
        handedOut++;
        if (i > 0 && index <= share.get(i - 1)) {
          throw new AssertionError("seed %d: %s is not sorted".formatted(seed, share));
        }
      }
    }
    return handedOut;
  }

  static int smallest(List<Ints> shares) {
    return shares.stream().mapToInt(Ints::size).min().orElseThrow();
  }

  static int largest(List<Ints> shares) {
    return shares.stream().mapToInt(Ints::size).max().orElseThrow();
  }

  static int[] histogram(Ints share, Ints labels, int classes) {
    int[] counts = new int[classes];
    for (int i = 0; i < share.size(); i++) {
      counts[labels.get(share.get(i))]++;
    }
    return counts;
  }

  static int classesSeen(Ints share, Ints labels, int classes) {
    return (int) Arrays.stream(histogram(share, labels, classes)).filter(n -> n > 0).count();
  }

  /** The fraction of a share that its most common class makes up, averaged over the peers. */
  static double skew(List<Ints> shares, Ints labels, int classes) {
    return shares.stream()
        .mapToDouble(
            share ->
                (double) Arrays.stream(histogram(share, labels, classes)).max().orElseThrow()
                    / share.size())
        .average()
        .orElseThrow();
  }
}
