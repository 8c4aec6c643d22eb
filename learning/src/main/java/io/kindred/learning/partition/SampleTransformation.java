package io.kindred.learning.partition;

import io.kindred.core.weights.Ints;
import io.kindred.learning.data.AddedRows;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The training set as a partition transforms it: rows that are samples, each possibly rotated, and
 * the true distribution that each comes from. The common test set is rotated too, so that a peer is
 * evaluated on the distribution it was to learn: the samples of each class cycle through the peer's
 * test rotations.
 *
 * @param samples the sample of each row
 * @param quarterTurns the quarter turns, counter-clockwise, of each row
 * @param trueClusters the ground truth: the number of the distribution that each row comes from
 * @param clusterCount the number of distributions
 * @param testQuarterTurns for each peer, the quarter turns of its common test set
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

  /** Every sample once, in the order of the data set; all peers have the same common test set. */
  static SampleTransformation ofAllSamples(
      int[] turns, int[] clusters, int clusterCount, int peers, Ints test) {
    return new SampleTransformation(
        Ints.wrap(IntStream.range(0, turns.length).toArray()),
        Ints.wrap(turns),
        Ints.wrap(clusters),
        clusterCount,
        Collections.nCopies(peers, test));
  }

  /** Maps an attribute of samples, such as their labels, to rows. */
  public Ints mapToRows(Ints ofSamples) {
    return Ints.wrap(
        IntStream.range(0, samples.size()).map(row -> ofSamples.get(samples.get(row))).toArray());
  }

  /** The same rows, and further ones that repeat some of them. */
  public SampleTransformation repeating(Ints rows) {
    return new SampleTransformation(
        AddedRows.appended(samples, rows),
        AddedRows.appended(quarterTurns, rows),
        AddedRows.appended(trueClusters, rows),
        clusterCount,
        testQuarterTurns);
  }

  /** The number of rows of each cluster in a share. */
  public Ints countByCluster(Ints share) {
    int[] counts = new int[clusterCount];
    for (int i = 0; i < share.size(); i++) {
      counts[trueClusters.get(share.get(i))]++;
    }
    return Ints.wrap(counts);
  }

  /**
   * The quarter turns of a test set with these labels, if the samples of each class pass through
   * the cycle.
   */
  public static Ints testQuarterTurns(Ints labels, Ints cycle) {
    int[] seen = new int[1 + IntStream.range(0, labels.size()).map(labels::get).max().orElse(0)];
    int[] turns = new int[labels.size()];
    Arrays.setAll(turns, i -> cycle.get(seen[labels.get(i)]++ % cycle.size()));
    return Ints.wrap(turns);
  }
}
