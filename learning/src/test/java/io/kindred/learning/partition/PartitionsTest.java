package io.kindred.learning.partition;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PartitionsTest {
  @Test
  void everyPartitionCanBeNamed() {
    assertThat(Partitions.ALL.names())
        .containsExactly(
            "iid",
            "quantity",
            "dirichlet",
            "pathological",
            "shards",
            "two-stage",
            "by-user",
            "user-clusters",
            "rotation-clusters",
            "rotation-mixture",
            "parity-rotation",
            "mixture");
  }
}
