package io.kindred.methods.hfl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GradientMismatchTest {
  private static final Layout LAYOUT =
      Layout.builder()
          .add("conv.weight", 1, 1, 1, 2)
          .add("conv.bias", 1)
          .add("fc.weight", 2)
          .build();

  private static Weights weights(float... values) {
    return Weights.copyOf(LAYOUT, values);
  }

  private static ClientReport report(
      int peer, long samples, int steps, double loss, float x, float y) {
    return new ClientReport(
        new PeerId(peer),
        samples,
        1,
        steps,
        List.of(),
        Optional.empty(),
        Floats.of(),
        Optional.of(new ClientReport.LossGradient(loss, weights(x, y, 0, 0, 0))));
  }

  private static FormClusters.Member member(int peer, double share) {
    return new FormClusters.Member(new PeerId(peer), share, 1, 0);
  }

  @Test
  void distancesAreThoseOfWeightedMeans() {
    List<ClientReport> reports =
        List.of(report(0, 1, 10, 2, 0, 0), report(1, 3, 30, 1, 4, 0), report(2, 4, 40, 0.5, 3, 4));
    List<FormClusters.ClusterPlan> clusterPlans =
        List.of(
            new FormClusters.ClusterPlan(
                new PeerId(0), List.of(member(0, 1), member(1, 3)), Optional.empty(), 2, 0, 1),
            new FormClusters.ClusterPlan(
                new PeerId(2), List.of(member(2, 4)), Optional.empty(), 5, 0, 1));

    GradientMismatch gradientMismatch =
        GradientMismatch.of(clusterPlans, reports, 0.1).orElseThrow();

    // Clusters point to (3, 0) and (3, 4), all clients together to (3, 2).
    assertThat(gradientMismatch.clusterGlobal()).isEqualTo(2, within(1e-9));
    // The gradients of clients are 3, 1 and 0 away from those of their clusters.
    assertThat(gradientMismatch.clientCluster()).isEqualTo(4.0 / 3, within(1e-6));
    assertThat(gradientMismatch.clientClusterMax()).isEqualTo(3, within(1e-6));
    assertThat(gradientMismatch.loss()).isEqualTo((2 + 3 + 2) / 8.0, within(1e-12));
    // 0.1 x (1/8 x 2 x 10 + 3/8 x 2 x 30 + 4/8 x 5 x 40)
    assertThat(gradientMismatch.weight()).isEqualTo(12.5, within(1e-9));
  }

  @Test
  void oneClientWithoutAGradientLeavesNothingToCompare() {
    ClientReport without =
        new ClientReport(
            new PeerId(1), 1, 1, 1, List.of(), Optional.empty(), Floats.of(), Optional.empty());

    assertThat(GradientMismatch.of(List.of(), List.of(report(0, 1, 1, 1, 1, 1), without), 0.1))
        .isEmpty();
  }

  @Test
  void cropKeepsTheSmallestConvolutionWholeWithItsBias() {
    assertThat(ExtractFeature.layers(LAYOUT, List.of())).containsExactly("conv");
    assertThat(ExtractFeature.layers(LAYOUT, List.of("fc"))).containsExactly("fc");

    ExtractFeature.Feature feature =
        (ExtractFeature.Feature)
            new ExtractFeature(weights(1, 2, 3, 4, 5), weights(2, 4, 6, 8, 10), List.of("conv"))
                .apply();

    assertThat(feature.direction()).isEmpty();
    assertThat(feature.row()).isEqualTo(Floats.of(1, 2, 3));
  }

  @Test
  void wholeDifferenceIsAModelOfTheSameLayout() {
    ExtractFeature.Feature feature =
        (ExtractFeature.Feature)
            new ExtractFeature(weights(1, 2, 3, 4, 5), weights(2, 4, 6, 8, 10), List.of()).apply();

    assertThat(feature.direction()).contains(weights(1, 2, 3, 4, 5));
  }
}
