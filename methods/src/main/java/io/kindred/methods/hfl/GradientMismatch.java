package io.kindred.methods.hfl;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Weights;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The terms of the bound of equation 11, measured at the global model that a round starts from
 * (tables 8 and 9, figure 6).
 *
 * @param clusterGlobal mean over clusters of the distance between a cluster's gradient and the
 *     common one
 * @param clusterGlobalMax the greatest of them
 * @param clientCluster mean over clients of the distance between a client's gradient and its
 *     cluster's
 * @param clientClusterMax the greatest of them
 * @param loss F of the global model over all samples
 * @param weight w^p = learning rate x sum over clusters and clients of their shares x rounds x
 *     steps
 */
public record GradientMismatch(
    double clusterGlobal,
    double clusterGlobalMax,
    double clientCluster,
    double clientClusterMax,
    double loss,
    double weight) {
  /** Empty unless every client has measured its gradient. */
  static Optional<GradientMismatch> of(
      List<FormClusters.ClusterPlan> clusterPlans,
      List<ClientReport> reports,
      double learningRate) {
    if (reports.isEmpty() || reports.stream().anyMatch(each -> each.lossGradient().isEmpty())) {
      return Optional.empty();
    }
    Map<PeerId, ClientReport> byPeer = new TreeMap<>();
    reports.forEach(each -> byPeer.put(each.from(), each));
    return Optional.of(new Sums(clusterPlans, byPeer).mismatch(learningRate));
  }

  /** Gradients of clusters and of the whole, as sums weighted by shares. */
  private record Sums(List<FormClusters.ClusterPlan> plans, Map<PeerId, ClientReport> reports) {
    private static Weights gradient(ClientReport report) {
      return report.lossGradient().orElseThrow().gradient();
    }

    private ClientReport report(FormClusters.Member member) {
      ClientReport report = reports.get(member.peer());
      if (report == null) {
        throw new IllegalStateException("a member has no report: " + member.peer());
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

    GradientMismatch mismatch(double learningRate) {
      List<FormClusters.Member> all =
          plans.stream().flatMap(clusterPlan -> clusterPlan.members().stream()).toList();
      double total = all.stream().mapToDouble(FormClusters.Member::share).sum();
      double[] common = mean(all);
      double clusters = 0;
      double clustersMost = 0;
      double clients = 0;
      double clientsMost = 0;
      double loss = 0;
      double weight = 0;
      for (FormClusters.ClusterPlan plan : plans) {
        double[] ofCluster = mean(plan.members());
        double distance = distance(ofCluster, common);
        clusters += distance;
        clustersMost = Math.max(clustersMost, distance);
        for (FormClusters.Member member : plan.members()) {
          ClientReport clientReport = report(member);
          double own = distance(gradient(clientReport).shared(), ofCluster);
          clients += own;
          clientsMost = Math.max(clientsMost, own);
          loss += member.share() / total * clientReport.lossGradient().orElseThrow().loss();
          weight += member.share() / total * plan.rounds() * clientReport.steps();
        }
      }
      return new GradientMismatch(
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
