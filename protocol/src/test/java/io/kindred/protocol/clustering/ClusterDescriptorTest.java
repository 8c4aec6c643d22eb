package io.kindred.protocol.clustering;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.protocol.signature.Precision;
import io.kindred.protocol.signature.Signature;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ClusterDescriptorTest {
  private static ClusterDescriptor of(int size, long... replicas) {
    Signature prototype = Signature.of(4, Precision.FLOAT32, Ints.of(1), Floats.of(1));
    return new ClusterDescriptor(
        0,
        new PeerId(1),
        prototype,
        LongStream.of(replicas).mapToObj(PeerId::new).toList(),
        size,
        new ZoneId(1, 1, new PeerId(1)));
  }

  @Test
  void oneThatGrewByLessThanAQuarterIsNearlyTheSame() {
    assertThat(of(9, 1, 2).isApproximately(of(8, 1, 2))).isTrue();
    assertThat(of(7, 1, 2).isApproximately(of(8, 1, 2))).isTrue();
    assertThat(of(6, 1, 2).isApproximately(of(8, 1, 2))).isFalse();
    assertThat(of(4, 1, 2).isApproximately(of(3, 1, 2))).isFalse();
    assertThat(of(Integer.MAX_VALUE, 1, 2).isApproximately(of(1, 1, 2))).isFalse();
  }

  @Test
  void oneWithOtherHoldersIsAnother() {
    assertThat(of(8, 1, 2).isApproximately(of(8, 1, 3))).isFalse();
    assertThat(of(8, 1, 2).isApproximately(of(8, 2, 1))).isFalse();
  }
}
