package io.kindred.protocol.overlay;

import static io.kindred.protocol.overlay.SubProtocolFixtures.OTHER;
import static io.kindred.protocol.overlay.SubProtocolFixtures.OWN;
import static io.kindred.protocol.overlay.SubProtocolFixtures.THIRD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.peer.Message;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.overlay.OverlayMessage.HomeClusterAssigned;
import io.kindred.protocol.overlay.OverlayMessage.ParentAssigned;
import io.kindred.protocol.overlay.SearchMessage.CompareReply;
import io.kindred.protocol.overlay.SearchMessage.QueryAscent;
import io.kindred.protocol.overlay.SearchMessage.QueryDescent;
import io.kindred.protocol.overlay.SearchMessage.QuerySpec;
import io.kindred.protocol.overlay.SearchMessage.Refusal;
import io.kindred.protocol.overlay.SearchMessage.ScoredCluster;
import io.kindred.protocol.overlay.SearchMessage.SearchReply;
import io.kindred.protocol.overlay.SearchMessage.SubtreeResult;
import io.kindred.protocol.overlay.machine.Overlay;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.Wire;
import io.kindred.protocol.wire.WireOutput;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Invalid search messages, which can be neither created nor decoded. */
class SearchMessageTest {
  private static final QueryId ID = new QueryId(OTHER, 1);
  private static final ClusterId AT = new ClusterId(SubProtocolFixtures.zone(1, OTHER), 0);
  private static final QuerySpec SOUGHT = new QuerySpec(ID, 0, OWN, 3, SubProtocolFixtures.RULE);
  private static final float[] NO_COSINES = {
    Float.NaN, 1.01f, -1.01f, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY
  };

  private final Wire wire = new Wire(Overlay.records());

  private static void refused(ThrowingCallable made) {
    assertThatIllegalArgumentException().isThrownBy(made);
  }

  @Test
  void similaritiesAndThresholdsAreCosines() {
    for (float value : NO_COSINES) {
      List<Candidate> found = List.of(new Candidate(THIRD, value));
      refused(() -> new QueryAscent(SOUGHT, AT, Optional.of((double) value)));
      refused(() -> new QueryDescent(SOUGHT, AT, value, 0));
      refused(() -> new SubtreeResult(ID, AT, 0, found, SearchCost.ZERO));
      refused(() -> new ScoredCluster(AT, List.of(OTHER), value));
      refused(() -> new CompareReply(ID, AT, value));
      refused(() -> new SearchReply(ID, 0, found, 0, 1, SearchCost.ZERO));
      refused(() -> new SearchReply(ID, 0, List.of(), value, 1, SearchCost.ZERO));
    }
    for (float value : new float[] {-1, 0, 1}) {
      assertThat(new CompareReply(ID, AT, value).similarity()).isEqualTo(value);
    }
  }

  @Test
  void querySettingsBelowTheirMinimumAreRefused() {
    refused(() -> new QuerySpec(ID, 0, OWN, -1, SubProtocolFixtures.RULE));
    refused(() -> new QuerySpec(ID, 0, OWN, 3, new SearchRule(0, SearchRule.BeamScope.NODE, 0)));
    refused(() -> new QuerySpec(ID, 0, OWN, 3, new SearchRule(-8, SearchRule.BeamScope.LEVEL, 0)));
    refused(() -> new QuerySpec(ID, 0, OWN, 3, new SearchRule(8, SearchRule.BeamScope.NODE, -1)));
  }

  @Test
  void whatASearchCostNeitherIsNegativeNorBecomesSo() {
    for (int i = 0; i < 4; i++) {
      int[] counts = new int[4];
      counts[i] = -1;
      refused(() -> new SearchCost(counts[0], counts[1], counts[2], counts[3]));
    }
    int most = Integer.MAX_VALUE;
    SearchCost all = new SearchCost(most, most, most, most);
    assertThat(all.plus(all)).isEqualTo(all);
  }

  @Test
  void aClusterWithoutReplicasIsRefused() {
    refused(() -> new ScoredCluster(AT, List.of(), 0));
    refused(() -> new ClusterReplica.ClusterPointer(AT, List.of()));
    refused(() -> new HomeClusterAssigned(AT, List.of()));
    refused(
        () ->
            new ParentAssigned(
                AT, new ClusterId(SubProtocolFixtures.zone(2, OTHER), 0), List.of(), 0));
  }

  @Test
  void whatCannotBeSaidCannotBeReadEither() {
    byte[] bytes = wire.encode(Message.class, new CompareReply(ID, AT, 0.5f)).bytes();
    assertThat(decoded(bytes)).isEqualTo(new CompareReply(ID, AT, 0.5f));
    // The similarity is the last field, low byte first.
    bytes[bytes.length - 1] = 0x7f;
    bytes[bytes.length - 2] = (byte) 0xc0;
    assertThatThrownBy(() -> decode(bytes)).isInstanceOf(MalformedException.class);
  }

  @Test
  void refusalsDoNotNest() {
    QueryAscent queryAscent = new QueryAscent(SOUGHT, AT, Optional.empty());
    Refusal refusal = new Refusal(queryAscent);
    assertThat(decoded(wire.encode(Message.class, refusal).bytes())).isEqualTo(refusal);
    WireOutput out = new WireOutput(_ -> {});
    out.writeText("overlay/refusal");
    for (int depth = 0; depth < 1_000_000; depth++) {
      out.writeByte(6);
    }
    assertThatThrownBy(() -> decode(out.toBytes())).isInstanceOf(MalformedException.class);
  }

  private Message decode(byte[] bytes) throws MalformedException {
    return wire.decode(Message.class, bytes, _ -> null);
  }

  private Message decoded(byte[] bytes) {
    try {
      return decode(bytes);
    } catch (MalformedException e) {
      throw new AssertionError(e);
    }
  }
}
