package io.kindred.learning.partition;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Clusters of peers whose pictures are rotated by different angles (DFCA, appendix A.1, after
 * IFCA): peers are assigned to as many clusters as there are angles, equally to within one, and
 * each peer's samples are rotated by the angle of its cluster. Another partition assigns the
 * samples to peers. A peer's common test set is rotated by its own angle.
 *
 * <p>With {@code augment} every cluster divides the whole data set among its peers, as IFCA does,
 * so that each sample occurs once in each angle. Peers of different clusters then hold the same
 * pictures, and one may be tested on a picture that another trained on in another rotation; without
 * {@code augment} no sample is held twice.
 */
@Named(
    value = "rotation-clusters",
    summary = "clusters of peers; each cluster has pictures rotated by its own angle")
public record RotationClusters(
    @Setting(doc = "angles of the clusters, counter-clockwise", fallback = "[0, 90, 180, 270]")
        List<Integer> degrees,
    @Setting(doc = "how samples are divided among the peers", fallback = "iid") Partition within,
    @Setting(
            doc = "whether each cluster divides the whole data set among its peers",
            fallback = "false")
        boolean augment)
    implements Partition {
  private static final int QUARTER_DEGREES = 90;

  public RotationClusters {
    degrees = List.copyOf(degrees);
    boolean quarters = degrees.stream().allMatch(angle -> List.of(0, 90, 180, 270).contains(angle));
    if (degrees.isEmpty() || !quarters || degrees.stream().distinct().count() < degrees.size()) {
      throw new SettingException(
          "degrees",
          degrees + " is not a list of different angles",
          "choose different ones of 0, 90, 180 and 270");
    }
  }

  @Override
  public PartitionResult divide(SamplePool pool, int peers, RandomStream random) {
    int clusters = degrees.size();
    if (peers < clusters) {
      throw new SettingException(
          "peers",
          peers + " peers cannot form " + clusters + " clusters",
          "use at least " + clusters + " peers or fewer angles");
    }
    int[] clusterOf = new int[peers];
    int[] order = random.permutation(peers);
    for (int i = 0; i < peers; i++) {
      clusterOf[order[i]] = i % clusters;
    }
    List<Ints> testTurns =
        Arrays.stream(clusterOf).mapToObj(cluster -> Ints.of(quarterTurns(cluster))).toList();
    return augment
        ? augmented(pool, clusterOf, testTurns, random)
        : disjoint(pool, clusterOf, testTurns, random);
  }

  private int quarterTurns(int cluster) {
    return degrees.get(cluster) / QUARTER_DEGREES;
  }

  private PartitionResult disjoint(
      SamplePool pool, int[] clusterOf, List<Ints> testTurns, RandomStream random) {
    List<Ints> shares = divideWithin(pool, clusterOf.length, random);
    int[] samples = new int[pool.count()];
    int[] turns = new int[pool.count()];
    int[] clusters = new int[pool.count()];
    Arrays.setAll(samples, i -> i);
    for (int peer = 0; peer < shares.size(); peer++) {
      for (int i = 0; i < shares.get(peer).size(); i++) {
        int sample = shares.get(peer).get(i);
        clusters[sample] = clusterOf[peer];
        turns[sample] = quarterTurns(clusterOf[peer]);
      }
    }
    return result(shares, samples, turns, clusters, testTurns);
  }

  private PartitionResult augmented(
      SamplePool pool, int[] clusterOf, List<Ints> testTurns, RandomStream random) {
    int count = pool.count();
    int[] samples = new int[Math.multiplyExact(degrees.size(), count)];
    int[] turns = new int[samples.length];
    int[] clusters = new int[samples.length];
    Arrays.setAll(samples, row -> row % count);
    Arrays.setAll(clusters, row -> row / count);
    Arrays.setAll(turns, row -> quarterTurns(clusters[row]));
    List<Ints> shares = new ArrayList<>(Collections.nCopies(clusterOf.length, Ints.of()));
    for (int cluster = 0; cluster < degrees.size(); cluster++) {
      int first = cluster * count;
      int[] members = members(clusterOf, cluster);
      List<Ints> dealt = divideWithin(pool, members.length, random);
      for (int i = 0; i < members.length; i++) {
        int[] rows = Arrays.stream(dealt.get(i).copy()).map(sample -> first + sample).toArray();
        shares.set(members[i], Ints.wrap(rows));
      }
    }
    return result(shares, samples, turns, clusters, testTurns);
  }

  private static int[] members(int[] clusterOf, int cluster) {
    return IntStream.range(0, clusterOf.length)
        .filter(peer -> clusterOf[peer] == cluster)
        .toArray();
  }

  private PartitionResult result(
      List<Ints> shares, int[] samples, int[] turns, int[] clusters, List<Ints> testTurns) {
    return new PartitionResult(
        shares,
        Optional.of(
            new SampleTransformation(
                Ints.wrap(samples),
                Ints.wrap(turns),
                Ints.wrap(clusters),
                degrees.size(),
                testTurns)));
  }

  /** Errors of the inner partition are reported under {@code partition.within}. */
  private List<Ints> divideWithin(SamplePool pool, int peers, RandomStream random) {
    PartitionResult result;
    try {
      result = within.divide(pool, peers, random);
    } catch (SettingException invalid) {
      throw new SettingException(
          invalid.path().replaceFirst("^partition\\b", "partition.within"),
          invalid.problem(),
          invalid.remedy());
    }
    if (result.transformation().isPresent()) {
      throw new SettingException(
          "partition.within",
          "rotation clusters cannot be combined with a partition that has its own clusters",
          "choose a partition without clusters, such as iid or dirichlet");
    }
    return result.shares();
  }
}
