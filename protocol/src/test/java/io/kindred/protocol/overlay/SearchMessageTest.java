package io.kindred.protocol.overlay;

import static io.kindred.protocol.overlay.Scenes.OTHER;
import static io.kindred.protocol.overlay.Scenes.OWN;
import static io.kindred.protocol.overlay.Scenes.THIRD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.Message;
import io.kindred.protocol.clusters.ClusterId;
import io.kindred.protocol.overlay.OverlayMessage.Parent;
import io.kindred.protocol.overlay.OverlayMessage.Placement;
import io.kindred.protocol.overlay.SearchMessage.Answer;
import io.kindred.protocol.overlay.SearchMessage.Branch;
import io.kindred.protocol.overlay.SearchMessage.Compared;
import io.kindred.protocol.overlay.SearchMessage.Found;
import io.kindred.protocol.overlay.SearchMessage.Query;
import io.kindred.protocol.overlay.SearchMessage.Refusal;
import io.kindred.protocol.overlay.SearchMessage.Rising;
import io.kindred.protocol.overlay.SearchMessage.Sought;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.Wire;
import io.kindred.protocol.wire.WireOutput;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What nobody can say to others, whatever it writes down. */
class SearchMessageTest {
  private static final QueryId ID = new QueryId(OTHER, 1);
  private static final ClusterId AT = new ClusterId(Scenes.zone(1, OTHER), 0);
  private static final Sought SOUGHT = new Sought(ID, OWN, 3, Scenes.RULE);
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
      refused(() -> new Rising(SOUGHT, AT, Optional.of((double) value)));
      refused(() -> new Query(SOUGHT, AT, value, 0, 1));
      refused(() -> new Answer(ID, AT, 0, found, Tally.NOTHING));
      refused(() -> new Branch(AT, List.of(OTHER), value));
      refused(() -> new Compared(ID, AT, value));
      refused(() -> new Found(ID, found, 0, 1, Tally.NOTHING));
      refused(() -> new Found(ID, List.of(), value, 1, Tally.NOTHING));
    }
    for (float value : new float[] {-1, 0, 1}) {
      assertThat(new Compared(ID, AT, value).similarity()).isEqualTo(value);
    }
  }

  @Test
  void nobodyWantsLessThanNothing() {
    refused(() -> new Sought(ID, OWN, -1, Scenes.RULE));
    refused(() -> new Sought(ID, OWN, 3, new SearchRule(0, SearchRule.Reading.NODE, 0)));
    refused(() -> new Sought(ID, OWN, 3, new SearchRule(-8, SearchRule.Reading.LEVEL, 0)));
    refused(() -> new Sought(ID, OWN, 3, new SearchRule(8, SearchRule.Reading.NODE, -1)));
  }

  @Test
  void whatASearchCostNeitherIsNegativeNorBecomesSo() {
    for (int i = 0; i < 4; i++) {
      int[] counts = new int[4];
      counts[i] = -1;
      refused(() -> new Tally(counts[0], counts[1], counts[2], counts[3]));
    }
    int most = Integer.MAX_VALUE;
    Tally all = new Tally(most, most, most, most);
    assertThat(all.plus(all)).isEqualTo(all);
  }

  @Test
  void somebodyHoldsACluster() {
    refused(() -> new Branch(AT, List.of(), 0));
    refused(() -> new Seat.Pointer(AT, List.of()));
    refused(() -> new Placement(AT, List.of()));
    refused(() -> new Parent(AT, new ClusterId(Scenes.zone(2, OTHER), 0), List.of(), 0));
  }

  @Test
  void whatCannotBeSaidCannotBeReadEither() {
    byte[] bytes = wire.encode(Message.class, new Compared(ID, AT, 0.5f)).bytes();
    assertThat(decoded(bytes)).isEqualTo(new Compared(ID, AT, 0.5f));
    // The similarity is what ends it, low byte first.
    bytes[bytes.length - 1] = 0x7f;
    bytes[bytes.length - 2] = (byte) 0xc0;
    assertThatThrownBy(() -> decode(bytes)).isInstanceOf(MalformedException.class);
  }

  @Test
  void refusalsDoNotNest() {
    Rising rising = new Rising(SOUGHT, AT, Optional.empty());
    Refusal refusal = new Refusal(rising);
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
