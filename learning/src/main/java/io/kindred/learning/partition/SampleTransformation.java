package io.kindred.learning.partition;

import io.kindred.core.weights.Ints;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The training set as a partition shows it: rows that are samples, each perhaps turned, and the
 * true distribution that each comes from. The common test set is turned too, so that a peer is
 * judged on what it was to learn: each class of it goes through the peer's test turns in turn.
 *
 * @param samples which sample each row is
 * @param quarterTurns by how many quarter turns, counter-clockwise, each row is turned
 * @param trueClusters the ground truth: the number of the distribution that each row comes from
 * @param clusterCount how many distributions there are
 * @param testQuarterTurns for each peer, the quarter turns in which it is shown the common test set
 */
public record SampleTransformation(
    Ints samples,
    Ints quarterTurns,
    Ints trueClusters,
    int clusterCount,
    List<Ints> testQuarterTurns) {
  public SampleTransformation {
    testQuarterTurns = List.copyOf(testQuarterTurns);
    if (samples.size() != quarterTurns.size() || samples.size() != trueClusters.size()) {
      throw new IllegalArgumentException(
          samples.size()
              + " rows, "
              + quarterTurns.size()
              + " turns, "
              + trueClusters.size()
              + " clusters");
    }
  }

  /** Every sample once, in the order of the data set; all peers see the same common test set. */
  static SampleTransformation ofAllSamples(
      int[] turns, int[] clusters, int clusterCount, int peers, Ints test) {
    return new SampleTransformation(
        Ints.wrap(IntStream.range(0, turns.length).toArray()),
        Ints.wrap(turns),
        Ints.wrap(clusters),
        clusterCount,
        Collections.nCopies(peers, test));
  }

  /** Any attribute of samples, such as their labels, row by row. */
  public Ints mapToRows(Ints ofSamples) {
    return Ints.wrap(
        IntStream.range(0, samples.size()).map(row -> ofSamples.get(samples.get(row))).toArray());
  }

  /** How many rows of each cluster a share holds. */
  public Ints countByCluster(Ints share) {
    int[] counts = new int[clusterCount];
    for (int i = 0; i < share.size(); i++) {
      counts[trueClusters.get(share.get(i))]++;
    }
    return Ints.wrap(counts);
  }

  /** The quarter turns of a test set with these labels, when each class goes through the cycle. */
  public static Ints testQuarterTurns(Ints labels, Ints cycle) {
    int[] seen = new int[1 + IntStream.range(0, labels.size()).map(labels::get).max().orElse(0)];
    int[] turns = new int[labels.size()];
    Arrays.setAll(turns, i -> cycle.get(seen[labels.get(i)]++ % cycle.size()));
    return Ints.wrap(turns);
  }
}
