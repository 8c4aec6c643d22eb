package io.kindred.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.weights.Weights;
import io.kindred.node.transport.Packing;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodePlanTest {
  /** Other nodes compare a sketch of what arrives with the sketch that this node advertises. */
  @Test
  void aPeerDescribesItsModelAsThePackingRoundsIt(@TempDir Path home) {
    Packing packing = new Packing(Packing.Values.BFLOAT16, false);
    try (TinyNetwork network = new TinyNetwork(home, 2, 1)) {
      network.usePacking(packing);
      NodePlan plan = network.plan(0, network.identity(0), 0);
      Weights weights = plan.peerFactory().commonInitialWeights();
      assertThat(plan.peerFactory().sentForm().apply(weights))
          .isEqualTo(packing.roundedAsSent(weights))
          .isNotEqualTo(weights);
    }
  }
}
