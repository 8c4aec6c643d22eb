package io.kindred.methods.hfl;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.config.Named;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.methods.hfl.formation.Formation;
import io.kindred.methods.hfl.formation.FormationInput;
import io.kindred.methods.hfl.formation.FormationSettings;
import io.kindred.methods.hfl.formation.NoClusteringException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * Forms the clusters of a global round from what clients reported (algorithm 1, stage 2).
 *
 * @param labelFeatures whether features are counts of labels
 * @param modelBytes what a member sends to its head
 * @param globalSeconds T_g, which a cluster fills with as many rounds as go into it
 * @param equalWeights whether everybody counts the same, instead of by samples
 * @param learningRate for the bound of table 8
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
   * @param share what its model counts for
   * @param updateSeconds what its training and its way to the head take, as reported
   * @param returnSeconds what the way back takes
   */
  public record Member(PeerId peer, double share, double updateSeconds, double returnSeconds) {}

  /** A cluster as its head gets to know it. */
  public record ClusterPlan(
      PeerId head, List<Member> members, int rounds, double angle, double seconds) {
    public ClusterPlan {
      members = List.copyOf(members);
    }

    /** The longest that a round with the way back may take if everybody is as reported. */
    double maxRoundSeconds() {
      return members.stream()
          .mapToDouble(each -> each.updateSeconds() + each.returnSeconds())
          .max()
          .orElse(0);
    }
  }

  /** What came of it: clusters, or why there are none. */
  @Named("hfl/formed")
  public record FormedClusters(
      List<ClusterPlan> plans,
      List<PeerId> inconsistentReporters,
      Optional<String> problem,
      double angleBefore,
      double secondsBefore,
      Optional<GradientMismatch> mismatch)
      implements Answer {
    public FormedClusters {
      plans = List.copyOf(plans);
      inconsistentReporters = List.copyOf(inconsistentReporters);
    }
  }

  @Override
  public long operations() {
    long clients = reports.size();
    long size = reports.stream().mapToLong(each -> each.feature().length).max().orElse(0);
    long tried = clients * clients / Math.max(1, (long) settings.count() * settings.count());
    return clients * clients * size + 100L * settings.swap().trials() * (tried + 1);
  }

  @Override
  public Answer apply() {
    SortedSet<PeerId> liars = new LinkReports(reports).inconsistentReporters();
    List<ClientReport> honest =
        reports.stream().filter(report -> !liars.contains(report.from())).toList();
    try {
      Formation formation =
          Formation.of(
              formationInput(honest), settings, new RandomStreams(seed).stream(CLUSTERS, 0, round));
      List<ClusterPlan> clusterPlans = plans(formation, honest);
      return new FormedClusters(
          clusterPlans,
          List.copyOf(liars),
          Optional.empty(),
          Formation.meanAngle(formation.before()),
          Formation.meanSeconds(formation.before()),
          GradientMismatch.of(clusterPlans, honest, learningRate));
    } catch (NoClusteringException none) {
      return noClusters(liars, none.problem());
    } catch (SettingException tooFew) {
      return noClusters(liars, tooFew.problem());
    }
  }

  private static FormedClusters noClusters(SortedSet<PeerId> liars, String problem) {
    return new FormedClusters(
        List.of(), List.copyOf(liars), Optional.of(problem), 0, 0, Optional.empty());
  }

  private double share(ClientReport report) {
    return equalWeights ? 1 : report.samples();
  }

  private FormationInput formationInput(List<ClientReport> honest) {
    double[] shares = honest.stream().mapToDouble(this::share).toArray();
    double[] computing = honest.stream().mapToDouble(ClientReport::trainingSeconds).toArray();
    float[][] features = honest.stream().map(ClientReport::feature).toArray(float[][]::new);
    return new FormationInput(
        shares, computing, new LinkReports(honest).seconds(modelBytes), features, labelFeatures);
  }

  private List<ClusterPlan> plans(Formation formation, List<ClientReport> honest) {
    float[][] sending = new LinkReports(honest).seconds(modelBytes);
    List<ClusterPlan> clusterPlans = new ArrayList<>();
    for (Formation.Cluster cluster : formation.after()) {
      List<Member> members = new ArrayList<>();
      Ints numbers = cluster.members();
      for (int i = 0; i < numbers.size(); i++) {
        int number = numbers.get(i);
        ClientReport report = honest.get(number);
        double way = sending[number][cluster.head()];
        members.add(new Member(report.from(), share(report), report.trainingSeconds() + way, way));
      }
      clusterPlans.add(
          new ClusterPlan(
              honest.get(cluster.head()).from(),
              members,
              rounds(cluster.seconds()),
              cluster.angle(),
              cluster.seconds()));
    }
    return clusterPlans;
  }

  /**
   * r_c = floor(T_g / T_c), and one where that is none: a slow cluster would never learn otherwise.
   */
  private int rounds(double seconds) {
    double fitting = seconds > 0 ? StrictMath.floor(globalSeconds / seconds) : MAX_ROUNDS;
    return (int) Math.clamp(fitting, 1, MAX_ROUNDS);
  }

  private static final double MAX_ROUNDS = 1000;
}
