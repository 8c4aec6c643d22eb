package io.kindred.methods.hfl.formation;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/**
 * Clusters with their heads, before and after the search.
 *
 * @param changes how many swaps and moves were made
 */
public record Formation(List<Cluster> before, List<Cluster> after, int changes) {
  /**
   * One cluster.
   *
   * @param head the client that averages (equation 5)
   * @param members all clients that the head reaches, itself included, in ascending order
   * @param unreachable clients of the cluster that the head cannot reach; none after a swap search
   * @param angle how far the cluster is from the whole: an angle in radians, or a skew
   * @param seconds how long a round takes (equation 4)
   */
  public record Cluster(int head, Ints members, Ints unreachable, double angle, double seconds) {}

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

  /** Forms clusters with the algorithm of the settings. */
  public static Formation of(FormationInput input, FormationSettings rule, RandomStream random) {
    rule.check(input.clients());
    InitialClusters initialClusters = new InitialClusters(input, rule);
    return switch (rule.way()) {
      case RANDOM -> unsearched(input, initialClusters.randomEven(random));
      case SPECTRAL ->
          unsearched(
              input, spectral(SpectralClustering.similarity(input, rule.spectral()), rule, random));
      case ADAPTED_SPECTRAL ->
          unsearched(
              input,
              spectral(SpectralClustering.adaptedSimilarity(input, rule.spectral()), rule, random));
      case LABEL_SKEW -> {
        ClientAssignment start = initialClusters.randomEven(random);
        int most = rule.most(input.clients());
        SwapSearch search =
            new SwapSearch(
                input,
                start,
                new LabelSkewCriterion(),
                rule.swap().choose(),
                rule.least(),
                most,
                random);
        yield searched(input, start, search, rule.swap().trials());
      }
      case SWAP -> {
        Formation best = swapSearched(input, rule, initialClusters, random);
        List<Cluster> first = best.before();
        for (int restart = 1; restart < rule.swap().restarts(); restart++) {
          Formation other = swapSearched(input, rule, initialClusters, random);
          best = cost(other.after(), first) < cost(best.after(), first) ? other : best;
        }
        yield new Formation(first, best.after(), best.changes());
      }
    };
  }

  private static Formation swapSearched(
      FormationInput input,
      FormationSettings rule,
      InitialClusters initialClusters,
      RandomStream random) {
    ClientAssignment start = start(input, rule, initialClusters, random);
    SwapSearch search = SwapSearch.of(input, start, rule, random);
    return searched(input, start, search, rule.swap().trials());
  }

  /** The sum of both means, each relative to the mean of other clusters. */
  private static double cost(List<Cluster> clusters, List<Cluster> unit) {
    return relative(meanAngle(clusters), meanAngle(unit))
        + relative(meanSeconds(clusters), meanSeconds(unit));
  }

  private static double relative(double value, double unit) {
    return unit > 0 ? value / unit : value;
  }

  /**
   * Forms clusters of the clients that are available: as many as the settings say if possible, else
   * fewer or smaller ones, and in the end one cluster of the clients that one head reaches, so that
   * a round is not wasted. Benchmarks without size bounds differ in the number of clusters only.
   */
  public static Formation ofAvailable(
      FormationInput input, FormationSettings rule, Supplier<RandomStream> random) {
    int fewest = Math.min(2, rule.least());
    if (input.clients() < fewest) {
      throw new NoClusteringException(
          "a cluster needs " + fewest + " clients, but only " + input.clients() + " can take part");
    }
    FormationSettings fitting = rule.fitting(input.clients());
    Optional<NoClusteringException> first = Optional.empty();
    HeadChoice heads = input.heads();
    int most = heads.isFixed() ? Math.min(heads.fixed().length, fitting.count()) : fitting.count();
    for (int count = most; count > 0; count--) {
      try {
        return of(
            input.withHeads(heads.first(count)),
            fitting.withCount(count, input.clients()),
            random.get());
      } catch (NoClusteringException none) {
        first = first.or(() -> Optional.of(none));
      }
    }
    Formation one = unsearched(input, new ClientAssignment(new int[input.clients()], 1));
    if (one.after().getFirst().members().size() < fewest) {
      throw first.orElseThrow();
    }
    return one;
  }

  private static ClientAssignment start(
      FormationInput input,
      FormationSettings rule,
      InitialClusters initialClusters,
      RandomStream random) {
    ClientAssignment wanted =
        switch (rule.swap().start()) {
          case RANDOM -> initialClusters.randomEven(random);
          case SPECTRAL ->
              initialClusters.balanced(
                  spectral(SpectralClustering.dissimilarity(input, rule.spectral()), rule, random),
                  random);
        };
    return initialClusters.withReachableHeads(wanted, random);
  }

  private static ClientAssignment spectral(
      double[][] similarity, FormationSettings rule, RandomStream random) {
    return new ClientAssignment(
        SpectralClustering.clusters(similarity, rule.count(), random), rule.count());
  }

  private static Formation unsearched(FormationInput input, ClientAssignment assignment) {
    List<Cluster> clusters = describe(input, assignment);
    return new Formation(clusters, clusters, 0);
  }

  private static Formation searched(
      FormationInput input, ClientAssignment start, SwapSearch search, int trials) {
    int changes = search.run(trials);
    return new Formation(describe(input, start), describe(input, search.clustering()), changes);
  }

  /** Every cluster that is not empty, with angles and times computed from scratch. */
  public static List<Cluster> describe(FormationInput input, ClientAssignment assignment) {
    Divergence divergence = input.divergence(assignment);
    List<Cluster> clusters = new ArrayList<>();
    for (int cluster = 0; cluster < assignment.clusters(); cluster++) {
      if (assignment.size(cluster) > 0) {
        clusters.add(withBestHead(input, assignment.members(cluster), divergence.of(cluster)));
      }
    }
    return clusters;
  }

  private static Cluster withBestHead(FormationInput input, int[] members, double angle) {
    List<HeadChoice.Candidate> candidates =
        Arrays.stream(members)
            .filter(input.heads()::mayLead)
            .mapToObj(each -> candidate(input, members, each))
            .toList();
    HeadChoice.Candidate best = input.heads().best(candidates);
    int chosen = best.client();
    return new Cluster(
        chosen,
        Ints.wrap(of(members, each -> input.canReach(each, chosen))),
        Ints.wrap(of(members, each -> !input.canReach(each, chosen))),
        angle,
        best.longest());
  }

  private static HeadChoice.Candidate candidate(FormationInput input, int[] members, int head) {
    int missed = 0;
    double longest = 0;
    for (int member : members) {
      if (input.canReach(member, head)) {
        longest = Math.max(longest, input.updateSeconds(member, head));
      } else {
        missed++;
      }
    }
    return new HeadChoice.Candidate(head, missed, longest);
  }

  private static int[] of(int[] members, IntPredicate which) {
    return Arrays.stream(members).filter(which).toArray();
  }
}
