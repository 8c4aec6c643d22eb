package io.kindred.methods.hfl;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.config.Named;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.methods.hfl.formation.Formation;
import io.kindred.methods.hfl.formation.FormationInput;
import io.kindred.methods.hfl.formation.FormationSettings;
import io.kindred.methods.hfl.formation.HeadChoice;
import io.kindred.methods.hfl.formation.HeadSettings;
import io.kindred.methods.hfl.formation.NoClusteringException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.stream.IntStream;

/**
 * Forms the clusters of a global round from the reports of clients (algorithm 1, stage 2).
 *
 * @param labelFeatures whether features are counts of labels
 * @param modelBytes size of the model that a member sends to its head
 * @param globalSeconds T_g, which a cluster fills with as many rounds as fit into it
 * @param equalWeights whether all clients have the same weight, instead of their number of samples
 * @param learningRate for the bound of table 8
 * @param links how link reports deviated in the rounds before
 */
@Named("hfl/form-clusters")
public record FormClusters(
    FormationSettings settings,
    List<ClientReport> reports,
    boolean labelFeatures,
    long modelBytes,
    double globalSeconds,
    boolean equalWeights,
    double learningRate,
    LinkHistory links,
    long seed,
    int round)
    implements PureFunction {
  private static final Purpose CLUSTERS = new Purpose("clusters");

  public FormClusters {
    reports = List.copyOf(reports);
  }

  /**
   * One member of a cluster.
   *
   * @param share weight of its model
   * @param updateSeconds reported time of its training and of sending its model to the head
   * @param returnSeconds time of sending a model from the head to the member
   */
  public record Member(PeerId peer, double share, double updateSeconds, double returnSeconds) {}

  /**
   * The member that takes over if the head crashes.
   *
   * @param members the members that it reaches, itself included, with times of their links to it
   */
  public record Deputy(PeerId peer, List<Member> members) {
    public Deputy {
      members = List.copyOf(members);
    }
  }

  /** A cluster as its head receives it. */
  public record ClusterPlan(
      PeerId head,
      List<Member> members,
      Optional<Deputy> deputy,
      int rounds,
      double angle,
      double seconds) {
    public ClusterPlan {
      members = List.copyOf(members);
    }

    /** The longest time of a round with the return of the model, if all reports are right. */
    double maxRoundSeconds() {
      return members.stream()
          .mapToDouble(each -> each.updateSeconds() + each.returnSeconds())
          .max()
          .orElse(0);
    }
  }

  /**
   * What collecting reports has cost, and what clients have spent so far.
   *
   * @param spentJoules mean energy over clients
   * @param spentJoulesMost energy of the client that has spent most
   */
  public record ReportTotals(long featureBytes, double spentJoules, double spentJoulesMost) {
    static final ReportTotals NONE = new ReportTotals(0, 0, 0);

    static ReportTotals of(List<ClientReport> reports) {
      return new ReportTotals(
          reports.stream().mapToLong(ClientReport::featureBytes).sum(),
          reports.stream().mapToDouble(ClientReport::spentJoules).average().orElse(0),
          reports.stream().mapToDouble(ClientReport::spentJoules).max().orElse(0));
    }
  }

  /** The clusters, or the reason why there are none. */
  @Named("hfl/formed")
  public record FormedClusters(
      List<ClusterPlan> plans,
      List<Region> regions,
      boolean withoutFixedHeads,
      List<PeerId> inconsistentReporters,
      LinkHistory links,
      Optional<String> problem,
      double angleBefore,
      double secondsBefore,
      Optional<GradientMismatch> mismatch,
      ReportTotals totals)
      implements Answer {
    public FormedClusters {
      plans = List.copyOf(plans);
      regions = List.copyOf(regions);
      inconsistentReporters = List.copyOf(inconsistentReporters);
    }

    /** Clusters without regions. */
    public FormedClusters(
        List<ClusterPlan> plans,
        List<PeerId> inconsistentReporters,
        LinkHistory links,
        Optional<String> problem,
        double angleBefore,
        double secondsBefore,
        Optional<GradientMismatch> mismatch) {
      this(
          plans,
          List.of(),
          false,
          inconsistentReporters,
          links,
          problem,
          angleBefore,
          secondsBefore,
          mismatch,
          ReportTotals.NONE);
    }

    Optional<Region> regionOf(int cluster) {
      return regions.stream().filter(region -> region.part(cluster).isPresent()).findFirst();
    }
  }

  @Override
  public long operations() {
    long clients = reports.size();
    long size = reports.stream().mapToLong(each -> each.feature().length).max().orElse(0);
    long tried = clients * clients / Math.max(1, (long) settings.count() * settings.count());
    return clients * clients * size
        + 100L * settings.swap().restarts() * settings.swap().trials() * (tried + 1);
  }

  @Override
  public Answer apply() {
    LinkHistory judged = links.with(new LinkReports(reports));
    SortedSet<PeerId> inconsistent = judged.contradicted(reports.size());
    List<ClientReport> consistent =
        reports.stream().filter(report -> !inconsistent.contains(report.from())).toList();
    try {
      Formation formation =
          Formation.ofAvailable(
              formationInput(consistent),
              settings,
              () -> new RandomStreams(seed).stream(CLUSTERS, 0, round));
      List<List<Integer>> regions = dividedIntoRegions(formation, consistent);
      List<ClusterPlan> clusterPlans = plans(formation, consistent, regions);
      return new FormedClusters(
          clusterPlans,
          regions.stream()
              .map(each -> Region.of(each, settings.regions().cycles(), clusterPlans))
              .toList(),
          settings.heads().rule() == HeadSettings.Rule.FIXED && !headChoice(consistent).isFixed(),
          List.copyOf(inconsistent),
          judged,
          Optional.empty(),
          Formation.meanAngle(formation.before()),
          Formation.meanSeconds(formation.before()),
          GradientMismatch.of(clusterPlans, consistent, learningRate),
          ReportTotals.of(reports));
    } catch (NoClusteringException none) {
      return noClusters(inconsistent, judged, none.problem());
    }
  }

  private static FormedClusters noClusters(
      SortedSet<PeerId> inconsistent, LinkHistory links, String problem) {
    return new FormedClusters(
        List.of(), List.copyOf(inconsistent), links, Optional.of(problem), 0, 0, Optional.empty());
  }

  private double share(ClientReport report) {
    return equalWeights ? 1 : report.samples();
  }

  private FormationInput formationInput(List<ClientReport> consistent) {
    double[] shares = consistent.stream().mapToDouble(this::share).toArray();
    double[] computing = consistent.stream().mapToDouble(ClientReport::trainingSeconds).toArray();
    float[][] features = consistent.stream().map(ClientReport::feature).toArray(float[][]::new);
    return new FormationInput(
        shares,
        computing,
        new LinkReports(consistent).seconds(modelBytes),
        features,
        labelFeatures,
        headChoice(consistent));
  }

  /** If no fixed head takes part, any client may lead. */
  private HeadChoice headChoice(List<ClientReport> consistent) {
    HeadSettings heads = settings.heads();
    return switch (heads.rule()) {
      case TIME -> HeadChoice.BY_TIME;
      case FIXED ->
          new HeadChoice(
              heads.fixed().stream()
                  .flatMapToInt(
                      peer ->
                          IntStream.range(0, consistent.size())
                              .filter(each -> consistent.get(each).from().number() == peer))
                  .toArray(),
              new double[0],
              1);
      case ENERGY ->
          new HeadChoice(
              new int[0],
              consistent.stream().mapToDouble(ClientReport::spentJoules).toArray(),
              heads.slack());
    };
  }

  /** The clusters of each region, that of the leader first. */
  private List<List<Integer>> dividedIntoRegions(
      Formation formation, List<ClientReport> consistent) {
    int[] heads = formation.after().stream().mapToInt(Formation.Cluster::head).toArray();
    if (settings.regions().count() == 0) {
      return List.of();
    }
    float[][] sending = new LinkReports(consistent).seconds(modelBytes);
    double[][] seconds = new double[heads.length][heads.length];
    for (int one = 0; one < heads.length; one++) {
      for (int other = 0; other < heads.length; other++) {
        seconds[one][other] =
            Math.max(sending[heads[one]][heads[other]], sending[heads[other]][heads[one]]);
      }
    }
    return Region.divide(settings.regions().count(), seconds);
  }

  private List<ClusterPlan> plans(
      Formation formation, List<ClientReport> consistent, List<List<Integer>> regions) {
    float[][] sending = new LinkReports(consistent).seconds(modelBytes);
    List<ClusterPlan> clusterPlans = new ArrayList<>();
    for (int number = 0; number < formation.after().size(); number++) {
      Formation.Cluster cluster = formation.after().get(number);
      int index = number;
      boolean inRegion = regions.stream().anyMatch(region -> region.contains(index));
      int cycles = inRegion ? settings.regions().cycles() : 1;
      clusterPlans.add(
          new ClusterPlan(
              consistent.get(cluster.head()).from(),
              members(cluster.head(), cluster.members(), consistent, sending),
              deputy(cluster, consistent, sending),
              cycles * rounds(cycles * cluster.seconds()),
              cluster.angle(),
              cluster.seconds()));
    }
    return clusterPlans;
  }

  /** The members that a head reaches, with times of their links to it. */
  private List<Member> members(
      int head, Ints numbers, List<ClientReport> consistent, float[][] sending) {
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < numbers.size(); i++) {
      int number = numbers.get(i);
      ClientReport report = consistent.get(number);
      double linkSeconds = sending[number][head];
      if (linkSeconds < Double.POSITIVE_INFINITY) {
        members.add(
            new Member(
                report.from(), share(report), report.trainingSeconds() + linkSeconds, linkSeconds));
      }
    }
    return members;
  }

  /** The member that reaches most members, and among those the one with the shortest round. */
  private Optional<Deputy> deputy(
      Formation.Cluster cluster, List<ClientReport> consistent, float[][] sending) {
    Optional<Deputy> best = Optional.empty();
    double shortest = Double.POSITIVE_INFINITY;
    for (int i = 0; i < cluster.members().size(); i++) {
      int candidate = cluster.members().get(i);
      if (candidate == cluster.head()) {
        continue;
      }
      PeerId peer = consistent.get(candidate).from();
      PeerId head = consistent.get(cluster.head()).from();
      List<Member> members = members(candidate, cluster.members(), consistent, sending);
      members.removeIf(member -> member.peer().equals(head));
      double longest = members.stream().mapToDouble(Member::updateSeconds).max().orElse(0);
      int most = best.map(deputy -> deputy.members().size()).orElse(0);
      if (members.size() > most || (members.size() == most && longest < shortest)) {
        best = Optional.of(new Deputy(peer, members));
        shortest = longest;
      }
    }
    return best;
  }

  /**
   * r_c = floor(T_g / T_c), for each of the cycles of a region, and at least one: a slow cluster
   * would never learn otherwise.
   */
  private int rounds(double seconds) {
    double fitting = seconds > 0 ? StrictMath.floor(globalSeconds / seconds) : MAX_ROUNDS;
    return (int) Math.clamp(fitting, 1, MAX_ROUNDS);
  }

  private static final double MAX_ROUNDS = 1000;
}
