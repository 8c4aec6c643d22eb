package io.kindred.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.learning.model.Architecture;
import io.kindred.learning.model.LayerShape;
import io.kindred.runtime.SmallExperiment;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryNeedTest {
  /** One million weights, that is 4 MB. */
  private static final Architecture MEGA =
      new Architecture(List.of(new LayerShape.Dense("output", 999, 1000)), 999, 1000);

  @Test
  void theArithmeticIsToldIfTheModelsOfAllPeersCannotFit() {
    assertThat(
            MemoryNeed.excess(SmallExperiment.with("method=local", "peers=100"), MEGA, 399_999_999))
        .hasValueSatisfying(
            line ->
                assertThat(line)
                    .startsWith(
                        "100 peers with one model of 4.0 MB each need 400 MB, and this process may"
                            + " take 400 MB;"));
    assertThat(
            MemoryNeed.excess(SmallExperiment.with("method=local", "peers=100"), MEGA, 400_000_000))
        .isEmpty();
  }

  @Test
  void peersThatMayAllHoldAServersModelAreNotCounted() {
    assertThat(MemoryNeed.excess(SmallExperiment.with("method=fedavg", "peers=100"), MEGA, 1))
        .isEmpty();
  }
}
