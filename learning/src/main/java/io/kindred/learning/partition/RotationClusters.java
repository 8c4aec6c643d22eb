package io.kindred.learning.partition;

import io.kindred.core.random.RandomStream;
import io.kindred.core.settings.Complaint;
import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;
import io.kindred.core.weights.Ints;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Clusters of peers that see the world turned by different angles (DFCA, appendix A.1, after IFCA):
 * peers are dealt out to as many clusters as there are angles, equally to within one, and each
 * peer's samples are turned by the angle of its cluster. Who holds which samples is another
 * partition's business. A peer is shown the common test set in its own angle.
 *
 * <p>With {@code augment} every cluster shares out the whole data set, as IFCA does, so that a
 * sample is held once in each angle. Peers of different clusters then hold the same pictures, and
 * one may be tested on a picture that another, turned, trained on; without it nothing is held
 * twice.
 */
@Named(
    value = "rotation-clusters",
    summary = "clusters of peers, each seeing the pictures turned by its own angle")
public record RotationClusters(
    @Setting(doc = "angles of the clusters, counter-clockwise", fallback = "[0, 90, 180, 270]")
        List<Integer> degrees,
    @Setting(doc = "who gets which samples", fallback = "iid") Partition within,
    @Setting(doc = "whether each cluster shares out the whole data set", fallback = "false")
        boolean augment)
    implements Partition {
  private static final int QUARTER = 90;

  public RotationClusters {
    degrees = List.copyOf(degrees);
    boolean quarters = degrees.stream().allMatch(angle -> List.of(0, 90, 180, 270).contains(angle));
    if (degrees.isEmpty() || !quarters || degrees.stream().distinct().count() < degrees.size()) {
      throw new Complaint(
          "degrees",
          degrees + " are not the angles of clusters",
          "choose different ones of 0, 90, 180 and 270");
    }
  }

  @Override
  public Division divide(Stock stock, int peers, RandomStream random) {
    int clusters = degrees.size();
    if (peers < clusters) {
      throw new Complaint(
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
        Arrays.stream(clusterOf).mapToObj(cluster -> Ints.of(quarters(cluster))).toList();
    return augment
        ? augmented(stock, clusterOf, testTurns, random)
        : disjoint(stock, clusterOf, testTurns, random);
  }

  private int quarters(int cluster) {
    return degrees.get(cluster) / QUARTER;
  }

  private Division disjoint(
      Stock stock, int[] clusterOf, List<Ints> testTurns, RandomStream random) {
    List<Ints> shares = divideWithin(stock, clusterOf.length, random);
    int[] samples = new int[stock.samples()];
    int[] turns = new int[stock.samples()];
    int[] clusters = new int[stock.samples()];
    Arrays.setAll(samples, i -> i);
    for (int peer = 0; peer < shares.size(); peer++) {
      for (int i = 0; i < shares.get(peer).size(); i++) {
        int sample = shares.get(peer).get(i);
        clusters[sample] = clusterOf[peer];
        turns[sample] = quarters(clusterOf[peer]);
      }
    }
    return division(shares, samples, turns, clusters, testTurns);
  }

  private Division augmented(
      Stock stock, int[] clusterOf, List<Ints> testTurns, RandomStream random) {
    int count = stock.samples();
    int[] samples = new int[Math.multiplyExact(degrees.size(), count)];
    int[] turns = new int[samples.length];
    int[] clusters = new int[samples.length];
    Arrays.setAll(samples, row -> row % count);
    Arrays.setAll(clusters, row -> row / count);
    Arrays.setAll(turns, row -> quarters(clusters[row]));
    List<Ints> shares = new ArrayList<>(Collections.nCopies(clusterOf.length, Ints.of()));
    for (int cluster = 0; cluster < degrees.size(); cluster++) {
      int first = cluster * count;
      int[] members = members(clusterOf, cluster);
      List<Ints> dealt = divideWithin(stock, members.length, random);
      for (int i = 0; i < members.length; i++) {
        int[] rows = Arrays.stream(dealt.get(i).copy()).map(sample -> first + sample).toArray();
        shares.set(members[i], Ints.wrap(rows));
      }
    }
    return division(shares, samples, turns, clusters, testTurns);
  }

  private static int[] members(int[] clusterOf, int cluster) {
    return IntStream.range(0, clusterOf.length)
        .filter(peer -> clusterOf[peer] == cluster)
        .toArray();
  }

  private Division division(
      List<Ints> shares, int[] samples, int[] turns, int[] clusters, List<Ints> testTurns) {
    return new Division(
        shares,
        Optional.of(
            new Variation(
                Ints.wrap(samples),
                Ints.wrap(turns),
                Ints.wrap(clusters),
                degrees.size(),
                testTurns)));
  }

  /** What the other partition complains of is found one key deeper. */
  private List<Ints> divideWithin(Stock stock, int peers, RandomStream random) {
    Division division;
    try {
      division = within.divide(stock, peers, random);
    } catch (Complaint complaint) {
      throw new Complaint(
          complaint.path().replaceFirst("^partition\\b", "partition.within"),
          complaint.problem(),
          complaint.remedy());
    }
    if (division.variation().isPresent()) {
      throw new Complaint(
          "partition.within",
          "clusters of angles cannot be laid over a partition that has clusters of its own",
          "choose one that only hands out, such as iid or dirichlet");
    }
    return division.shares();
  }
}
