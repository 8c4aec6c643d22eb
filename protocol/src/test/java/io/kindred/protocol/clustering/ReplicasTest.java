package io.kindred.protocol.clustering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.protocol.clustering.Replicas.Candidate;
import io.kindred.protocol.signature.Precision;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.wire.Wire;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicasTest {
  private static final Candidate WEAK = new Candidate(new PeerId(1), 1);
  private static final Candidate STRONG = new Candidate(new PeerId(2), 9);
  private static final Candidate STRONG_TOO = new Candidate(new PeerId(3), 9);
  private static final Candidate STRANGER = new Candidate(new PeerId(4), 100);
  private static final List<Candidate> CLUSTER = List.of(STRONG_TOO, WEAK, STRONG);
  private static final List<Candidate> ZONE = List.of(STRANGER, STRONG_TOO, WEAK, STRONG);

  private static List<Long> choose(int wanted) {
    return Replicas.choose(new PeerId(1), CLUSTER, ZONE, wanted).stream()
        .map(PeerId::number)
        .toList();
  }

  @Test
  void theExemplarComesFirstThenCapacityThenId() {
    assertThat(choose(1)).containsExactly(1L);
    assertThat(choose(2)).containsExactly(1L, 2L);
    assertThat(choose(3)).containsExactly(1L, 2L, 3L);
  }

  @Test
  void aSmallClusterIsFilledFromItsZoneAndNoFurther() {
    assertThat(choose(4)).containsExactly(1L, 2L, 3L, 4L);
    assertThat(choose(9)).containsExactly(1L, 2L, 3L, 4L);
    assertThat(Replicas.choose(new PeerId(1), List.of(WEAK), ZONE, 3))
        .containsExactly(new PeerId(1), new PeerId(4), new PeerId(2));
  }

  @Test
  void aDescriptorHasThePrintedFieldsAndTravels() throws Exception {
    assertThat(
            Arrays.stream(ClusterDescriptor.class.getRecordComponents())
                .map(component -> component.getName()))
        .containsExactly("index", "exemplar", "prototype", "replicas", "size", "zone");
    Signature prototype =
        Signature.of(100, Precision.BFLOAT16, Ints.of(3, 90), Floats.of(0.5f, -2));
    ClusterDescriptor descriptor =
        new ClusterDescriptor(
            0,
            new PeerId(1),
            prototype,
            Replicas.choose(new PeerId(1), CLUSTER, ZONE, 3),
            3,
            new ZoneId(7, 1, new PeerId(4)));
    Wire wire = new Wire(List.of());
    byte[] bytes = wire.encode(ClusterDescriptor.class, descriptor).bytes();
    assertThat(wire.decode(ClusterDescriptor.class, bytes, digest -> null)).isEqualTo(descriptor);
  }

  @Test
  void anEmptyClusterIsRefused() {
    Signature prototype = Signature.of(1, Precision.FLOAT32, Ints.of(), Floats.of());
    ZoneId zone = new ZoneId(0, 1, new PeerId(0));
    assertThatThrownBy(() -> new ClusterDescriptor(0, new PeerId(0), prototype, List.of(), 1, zone))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
