package io.kindred.core.peer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ComponentTest {
  /** Trace hashes and the recordings of nodes hold these names. */
  @Test
  void recordedNamesStayWhenAConstantIsRenamed() {
    assertThat(Component.values())
        .extracting(Component::recordedName)
        .containsExactly("OVERLAY", "METHOD", "SHELL");
  }
}
