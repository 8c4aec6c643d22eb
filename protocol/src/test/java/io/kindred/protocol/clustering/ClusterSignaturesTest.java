package io.kindred.protocol.clustering;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.protocol.signature.Precision;
import io.kindred.protocol.signature.Prototypes;
import io.kindred.protocol.signature.Signature;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterSignaturesTest {
  private static final int DIMENSION = 200;
  private static final int ENTRIES = 20;

  /** Members of one group share their indices; their values differ a little. */
  private static Signature planted(int group, RandomStream random) {
    int[] indices = new int[ENTRIES];
    float[] values = new float[ENTRIES];
    for (int i = 0; i < ENTRIES; i++) {
      indices[i] = 3 * i + 40 * group;
      values[i] = (float) (1 + 0.2 * random.nextGaussian());
    }
    return Signature.of(DIMENSION, Precision.BFLOAT16, Ints.wrap(indices), Floats.wrap(values));
  }

  @Test
  void plantedGroupsAreFoundWithTheirPrototypes() {
    RandomStream random = new RandomStreams(3).stream(Purpose.DATA, 0, 0);
    List<Signature> signatures = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      signatures.add(planted(i % 3, random));
    }
    ClusterSignatures.Clustered answer =
        new ClusterSignatures(signatures, ENTRIES, ClusterSignatures.ANY_SIZE, AffinityRule.DEFAULT)
            .apply();
    assertThat(answer.prototypes()).hasSize(3);
    int cluster = answer.clustering().labels().get(1);
    assertThat(answer.clustering().members(cluster)).containsExactly(1, 4, 7, 10);
    List<Signature> group =
        List.of(signatures.get(1), signatures.get(4), signatures.get(7), signatures.get(10));
    assertThat(answer.prototypes().get(cluster)).isEqualTo(Prototypes.of(group, ENTRIES));
  }

  @Test
  void oneSignatureIsItsOwnPrototype() {
    Signature alone = planted(0, new RandomStreams(4).stream(Purpose.DATA, 0, 0));
    ClusterSignatures.Clustered answer =
        new ClusterSignatures(
                List.of(alone), ENTRIES, ClusterSignatures.ANY_SIZE, AffinityRule.DEFAULT)
            .apply();
    assertThat(answer.prototypes()).containsExactly(alone);
  }
}
