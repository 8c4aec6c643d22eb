package io.kindred.methods.hierarchy;

import io.kindred.core.PeerId;
import io.kindred.core.weights.Weights;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the bound of equation 11 is made of, measured at the global model that a round starts from
 * (tables 8 and 9, figure 6).
 *
 * @param clusterGlobal mean over clusters of the distance between a cluster's gradient and the
 *     common one
 * @param clusterGlobalMost the greatest of them
 * @param clientCluster mean over clients of the distance between a client's gradient and its
 *     cluster's
 * @param clientClusterMost the greatest of them
 * @param loss F of the global model over all samples
 * @param weight w^p = learning rate x sum over clusters and clients of their shares x rounds x
 *     steps
 */
public record Mismatch(
    double clusterGlobal,
    double clusterGlobalMost,
    double clientCluster,
    double clientClusterMost,
    double loss,
    double weight) {
  /** Nothing unless every client has measured its gradient. */
  static Optional<Mismatch> of(
      List<FormClusters.Plan> plans, List<Report> reports, double learningRate) {
    if (reports.isEmpty() || reports.stream().anyMatch(each -> each.slope().isEmpty())) {
      return Optional.empty();
    }
    Map<PeerId, Report> byPeer = new TreeMap<>();
    reports.forEach(each -> byPeer.put(each.from(), each));
    return Optional.of(new Sums(plans, byPeer).mismatch(learningRate));
  }

  /** Gradients of clusters and of the whole, as sums weighted by shares. */
  private record Sums(List<FormClusters.Plan> plans, Map<PeerId, Report> reports) {
    private static Weights gradient(Report report) {
      return report.slope().orElseThrow().gradient();
    }

    private Report report(FormClusters.Member member) {
      Report report = reports.get(member.peer());
      if (report == null) {
        throw new IllegalStateException("no report of a member: " + member.peer());
      }
      return report;
    }

    private double[] mean(List<FormClusters.Member> members) {
      double total = members.stream().mapToDouble(FormClusters.Member::share).sum();
      double[] mean = new double[gradient(report(members.getFirst())).size()];
      for (FormClusters.Member member : members) {
        float[] gradient = gradient(report(member)).shared();
        for (int i = 0; i < mean.length; i++) {
          mean[i] += member.share() / total * gradient[i];
        }
      }
      return mean;
    }

    Mismatch mismatch(double learningRate) {
      List<FormClusters.Member> all =
          plans.stream().flatMap(plan -> plan.members().stream()).toList();
      double total = all.stream().mapToDouble(FormClusters.Member::share).sum();
      double[] common = mean(all);
      double clusters = 0;
      double clustersMost = 0;
      double clients = 0;
      double clientsMost = 0;
      double loss = 0;
      double weight = 0;
      for (FormClusters.Plan plan : plans) {
        double[] ofCluster = mean(plan.members());
        double distance = distance(ofCluster, common);
        clusters += distance;
        clustersMost = Math.max(clustersMost, distance);
        for (FormClusters.Member member : plan.members()) {
          Report report = report(member);
          double own = distance(gradient(report).shared(), ofCluster);
          clients += own;
          clientsMost = Math.max(clientsMost, own);
          loss += member.share() / total * report.slope().orElseThrow().loss();
          weight += member.share() / total * plan.rounds() * report.steps();
        }
      }
      return new Mismatch(
          clusters / plans.size(),
          clustersMost,
          clients / all.size(),
          clientsMost,
          loss,
          learningRate * weight);
    }

    private static double distance(double[] x, double[] y) {
      double sum = 0;
      for (int i = 0; i < x.length; i++) {
        sum += (x[i] - y[i]) * (x[i] - y[i]);
      }
      return Math.sqrt(sum);
    }

    private static double distance(float[] x, double[] y) {
      double sum = 0;
      for (int i = 0; i < x.length; i++) {
        sum += (x[i] - y[i]) * (x[i] - y[i]);
      }
      return Math.sqrt(sum);
    }
  }
}
