package io.kindred.methods.hierarchy.forming;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Clusters with their heads, and what the search started from.
 *
 * @param changes how many swaps and moves were made
 */
public record Formation(List<Cluster> before, List<Cluster> after, int changes) {
  /**
   * One cluster.
   *
   * @param head who averages (equation 5)
   * @param members everybody whom the head reaches, itself included, in ascending order
   * @param missed who belongs to it but cannot be reached; nobody after a swap search
   * @param angle how far it is from the whole: an angle in radians, or a skew
   * @param seconds how long a round takes (equation 4)
   */
  public record Cluster(int head, Ints members, Ints missed, double angle, double seconds) {}

  public Formation {
    before = List.copyOf(before);
    after = List.copyOf(after);
  }

  /** The mean over clusters. */
  public static double meanAngle(List<Cluster> clusters) {
    return clusters.stream().mapToDouble(Cluster::angle).average().orElse(0);
  }

  /** The mean over clusters. */
  public static double meanSeconds(List<Cluster> clusters) {
    return clusters.stream().mapToDouble(Cluster::seconds).average().orElse(0);
  }

  /** Forms clusters as the rule says. */
  public static Formation of(Situation situation, Grouping rule, RandomStream random) {
    rule.check(situation.clients());
    Starts starts = new Starts(situation, rule);
    return switch (rule.way()) {
      case RANDOM -> unsearched(situation, starts.dealt(random));
      case SPECTRAL ->
          unsearched(
              situation, spectral(Spectral.similarity(situation, rule.spectral()), rule, random));
      case ADAPTED_SPECTRAL ->
          unsearched(
              situation, spectral(Spectral.adapted(situation, rule.spectral()), rule, random));
      case LABEL_SKEW -> {
        Clustering start = starts.dealt(random);
        int most = rule.most(situation.clients());
        SwapSearch search =
            new SwapSearch(
                situation,
                start,
                new LabelJudge(),
                rule.swap().choose(),
                rule.least(),
                most,
                random);
        yield searched(situation, start, search, rule.swap().trials());
      }
      case SWAP -> {
        Clustering start = start(situation, rule, starts, random);
        SwapSearch search = SwapSearch.of(situation, start, rule, random);
        yield searched(situation, start, search, rule.swap().trials());
      }
    };
  }

  private static Clustering start(
      Situation situation, Grouping rule, Starts starts, RandomStream random) {
    Clustering wanted =
        switch (rule.swap().start()) {
          case RANDOM -> starts.dealt(random);
          case SPECTRAL ->
              starts.evened(
                  spectral(Spectral.unlikeness(situation, rule.spectral()), rule, random), random);
        };
    return starts.reachable(wanted, random);
  }

  private static Clustering spectral(double[][] similarity, Grouping rule, RandomStream random) {
    return new Clustering(Spectral.clusters(similarity, rule.count(), random), rule.count());
  }

  private static Formation unsearched(Situation situation, Clustering clustering) {
    List<Cluster> clusters = describe(situation, clustering);
    return new Formation(clusters, clusters, 0);
  }

  private static Formation searched(
      Situation situation, Clustering start, SwapSearch search, int trials) {
    int changes = search.run(trials);
    return new Formation(
        describe(situation, start), describe(situation, search.clustering()), changes);
  }

  /** Every cluster that has anybody, with angles and times computed from the beginning. */
  public static List<Cluster> describe(Situation situation, Clustering clustering) {
    Divergence divergence = situation.divergence(clustering);
    List<Cluster> clusters = new ArrayList<>();
    for (int cluster = 0; cluster < clustering.clusters(); cluster++) {
      if (clustering.size(cluster) > 0) {
        clusters.add(headed(situation, clustering.members(cluster), divergence.of(cluster)));
      }
    }
    return clusters;
  }

  /** The head that misses the fewest, and among those the one with the shortest round. */
  private static Cluster headed(Situation situation, int[] members, double angle) {
    int head = -1;
    int fewest = Integer.MAX_VALUE;
    double shortest = Double.POSITIVE_INFINITY;
    for (int candidate : members) {
      int missed = 0;
      double longest = 0;
      for (int member : members) {
        if (situation.reach(member, candidate)) {
          longest = Math.max(longest, situation.seconds(member, candidate));
        } else {
          missed++;
        }
      }
      if (missed < fewest || (missed == fewest && longest < shortest)) {
        head = candidate;
        fewest = missed;
        shortest = longest;
      }
    }
    int chosen = head;
    return new Cluster(
        head,
        Ints.wrap(of(members, each -> situation.reach(each, chosen))),
        Ints.wrap(of(members, each -> !situation.reach(each, chosen))),
        angle,
        shortest);
  }

  private static int[] of(int[] members, IntPredicate which) {
    return Arrays.stream(members).filter(which).toArray();
  }
}
