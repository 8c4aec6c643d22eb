package io.kindred.methods.hierarchy;

import io.kindred.core.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.settings.Complaint;
import io.kindred.core.settings.Named;
import io.kindred.core.weights.Ints;
import io.kindred.core.work.PureFunction;
import io.kindred.methods.hierarchy.forming.Formation;
import io.kindred.methods.hierarchy.forming.Grouping;
import io.kindred.methods.hierarchy.forming.NoClusteringException;
import io.kindred.methods.hierarchy.forming.Situation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * Forms the clusters of a global round from what clients reported (algorithm 1, stage 2).
 *
 * @param labels whether features are counts of labels
 * @param modelBytes what a member sends to its head
 * @param globalSeconds T_g, which a cluster fills with as many rounds as go into it
 * @param evenly whether everybody counts the same, instead of by samples
 * @param learningRate for the bound of table 8
 */
@Named("hfl/form-clusters")
public record FormClusters(
    Grouping grouping,
    List<Report> reports,
    boolean labels,
    long modelBytes,
    double globalSeconds,
    boolean evenly,
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
   * @param seconds what its training and its way to the head take, as reported
   * @param backSeconds what the way back takes
   */
  public record Member(PeerId peer, double share, double seconds, double backSeconds) {}

  /** A cluster as its head gets to know it. */
  public record Plan(PeerId head, List<Member> members, int rounds, double angle, double seconds) {
    public Plan {
      members = List.copyOf(members);
    }

    /** The longest that a round with the way back may take if everybody is as reported. */
    double longest() {
      return members.stream()
          .mapToDouble(each -> each.seconds() + each.backSeconds())
          .max()
          .orElse(0);
    }
  }

  /** What came of it: clusters, or why there are none. */
  @Named("hfl/formed")
  public record Formed(
      List<Plan> plans,
      List<PeerId> liars,
      Optional<String> problem,
      double angleBefore,
      double secondsBefore,
      Optional<Mismatch> mismatch)
      implements Answer {
    public Formed {
      plans = List.copyOf(plans);
      liars = List.copyOf(liars);
    }
  }

  @Override
  public long operations() {
    long clients = reports.size();
    long size = reports.stream().mapToLong(each -> each.feature().length).max().orElse(0);
    long tried = clients * clients / Math.max(1, (long) grouping.count() * grouping.count());
    return clients * clients * size + 100L * grouping.swap().trials() * (tried + 1);
  }

  @Override
  public Answer apply() {
    SortedSet<PeerId> liars = new LinkReports(reports).liars();
    List<Report> honest =
        reports.stream().filter(report -> !liars.contains(report.from())).toList();
    try {
      Formation formation =
          Formation.of(
              situation(honest), grouping, new RandomStreams(seed).stream(CLUSTERS, 0, round));
      List<Plan> plans = plans(formation, honest);
      return new Formed(
          plans,
          List.copyOf(liars),
          Optional.empty(),
          Formation.meanAngle(formation.before()),
          Formation.meanSeconds(formation.before()),
          Mismatch.of(plans, honest, learningRate));
    } catch (NoClusteringException none) {
      return nothing(liars, none.problem());
    } catch (Complaint tooFew) {
      return nothing(liars, tooFew.problem());
    }
  }

  private static Formed nothing(SortedSet<PeerId> liars, String problem) {
    return new Formed(List.of(), List.copyOf(liars), Optional.of(problem), 0, 0, Optional.empty());
  }

  private double share(Report report) {
    return evenly ? 1 : report.samples();
  }

  private Situation situation(List<Report> honest) {
    double[] shares = honest.stream().mapToDouble(this::share).toArray();
    double[] computing = honest.stream().mapToDouble(Report::seconds).toArray();
    float[][] features = honest.stream().map(Report::feature).toArray(float[][]::new);
    return new Situation(
        shares, computing, new LinkReports(honest).seconds(modelBytes), features, labels);
  }

  private List<Plan> plans(Formation formation, List<Report> honest) {
    float[][] sending = new LinkReports(honest).seconds(modelBytes);
    List<Plan> plans = new ArrayList<>();
    for (Formation.Cluster cluster : formation.after()) {
      List<Member> members = new ArrayList<>();
      Ints numbers = cluster.members();
      for (int i = 0; i < numbers.size(); i++) {
        int number = numbers.get(i);
        Report report = honest.get(number);
        double way = sending[number][cluster.head()];
        members.add(new Member(report.from(), share(report), report.seconds() + way, way));
      }
      plans.add(
          new Plan(
              honest.get(cluster.head()).from(),
              members,
              rounds(cluster.seconds()),
              cluster.angle(),
              cluster.seconds()));
    }
    return plans;
  }

  /**
   * r_c = floor(T_g / T_c), and one where that is none: a slow cluster would never learn otherwise.
   */
  private int rounds(double seconds) {
    double fitting = seconds > 0 ? StrictMath.floor(globalSeconds / seconds) : MOST_ROUNDS;
    return (int) Math.clamp(fitting, 1, MOST_ROUNDS);
  }

  private static final double MOST_ROUNDS = 1000;
}
