package io.kindred.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.SettingException;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.model.LayerShape;
import io.kindred.runtime.SmallExperiment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryNeedTest {
  /** One million weights, that is 4 MB. */
  private static final Architecture MEGA =
      new Architecture(List.of(new LayerShape.Dense("output", 999, 1000)), 999, 1000);

  private static List<String> warnings(long heap, String... settings) {
    List<String> lines = new ArrayList<>();
    MemoryNeed.check(SmallExperiment.with(settings), MEGA, heap, lines::add);
    return lines;
  }

  @Test
  void theArithmeticIsToldIfTheModelsOfAllPeersCannotFit() {
    assertThat(warnings(399_999_999, "method=local", "peers=100"))
        .singleElement()
        .asString()
        .startsWith(
            "100 peers with one model of 4.0 MB each need 400 MB, and this process may take"
                + " 400 MB;");
    assertThat(warnings(400_000_000, "method=local", "peers=100")).isEmpty();
  }

  @Test
  void aRunThatCannotKeepToItsMemoryIsRefusedWithTheArithmetic() {
    assertThatThrownBy(() -> warnings(300 << 20, "method=local", "peers=100", "memory=300"))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("100 peers with one model of 4.0 MB each need 400 MB")
        .hasMessageContaining("memory");
    assertThat(warnings(300 << 20, "method=local", "peers=50", "memory=300")).isEmpty();
  }

  @Test
  void aProcessThatMayTakeMoreThanTheMemoryOfTheRunIsRefused() {
    assertThatThrownBy(() -> warnings(301 << 20, "method=local", "peers=50", "memory=300"))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("Java may take 301 MB, but 'memory' is 300 MB")
        .hasMessageContaining("-Xmx300m");
  }

  @Test
  void peersThatMayAllHoldAServersModelAreNotCounted() {
    assertThat(warnings(1, "method=fedavg", "peers=100")).isEmpty();
  }
}
