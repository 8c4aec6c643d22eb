package io.kindred.node.transport.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.methods.rounds.SlotModel;
import io.kindred.node.identity.Member;
import io.kindred.node.transport.FakeCall;
import io.kindred.node.transport.Header;
import io.kindred.node.transport.Layouts;
import io.kindred.node.transport.Limits;
import io.kindred.node.transport.MessageMetadata;
import io.kindred.node.transport.Packing;
import io.kindred.node.transport.RefusalKind;
import io.kindred.node.transport.Refusals;
import io.kindred.protocol.wire.Wire;
import io.kindred.protocol.wire.WireOutput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Memory of messages while they arrive and after an interruption. */
class InboundMemoryTest {
  private static final Wire WIRE = new Wire(List.of(NeighbourUpdate.class));
  private static final Layout WIDE = Layout.builder().add("w", 20_000).build();

  /** Large enough to be counted. */
  private static final Weights LARGE = Weights.copyOf(WIDE, new float[20_000]);

  private static final byte[] BYTES = new byte[(int) LARGE.bytes()];
  private static final Member CALLER = new Member("tiny", new PeerId(1));

  private final Refusals refusals = new Refusals(_ -> {});
  private MessageMetadata metadata = metadata(Optional.empty(), 0);
  private int numbers;
  private FakeCall call = new FakeCall();
  private final InboundContext context =
      InboundContext.of(
          WIRE,
          new Layouts(List.of(WIDE)),
          // More than the memory of any machine.
          new AbusePolicy(new Limits(1e9, 120, 500, 10, 60), refusals),
          _ -> true);

  /** The metadata that a test has set, or that of a new message. */
  private MessageMetadata numbered() {
    return metadata.messageId().isPresent()
        ? metadata
        : metadata(Optional.of("new-" + numbers++), metadata.resumeOffset());
  }

  private static MessageMetadata metadata(Optional<String> messageId, long resumeOffset) {
    return new MessageMetadata(messageId, resumeOffset, Optional.empty(), Optional.empty());
  }

  private InboundCall inboundCall() {
    call = new FakeCall();
    return new InboundCall(context, CALLER, numbered(), call);
  }

  private static byte[] header(Weights... vectors) {
    List<SlotModel> models = new ArrayList<>();
    for (Weights each : vectors) {
      models.add(new SlotModel(models.size(), each, 1));
    }
    Message message = new NeighbourUpdate(1, 1, new ModelUpdate(models), false, 0);
    return Header.of(CALLER, Component.METHOD, WIRE.encode(Message.class, message), Packing.NONE)
        .encode();
  }

  private void receive(byte[]... frames) {
    InboundCall call = inboundCall();
    for (byte[] frame : frames) {
      call.onNext(frame);
    }
    call.onCompleted();
  }

  private void assertRefused(RefusalKind kind, String status) {
    assertThat(call.answers()).containsExactly(status);
    assertThat(refusals.counts()).containsEntry(kind, 1L);
  }

  /** Otherwise a header of a few bytes could take the memory of a whole model. */
  @Test
  void whatIsAnnouncedTakesRoomUntilItIsOver() {
    InboundCall open = inboundCall();
    open.onNext(header(LARGE));
    assertThat(context.budget().reserved()).isGreaterThanOrEqualTo(LARGE.bytes());
    open.onError(Status.UNAVAILABLE.asRuntimeException());
    assertThat(context.budget().reserved()).isZero();

    long half = context.budget().maxMessageBytes();
    assertThat(context.budget().tryReserve(new PeerId(2), half)).isTrue();
    assertThat(context.budget().tryReserve(new PeerId(3), half)).isTrue();
    receive(header(LARGE), BYTES);
    assertRefused(RefusalKind.NO_ROOM, "RESOURCE_EXHAUSTED");
    assertThat(context.policy().offenceStats()).isEmpty();
    context.budget().release(new PeerId(2), half);
    context.budget().release(new PeerId(3), half);
    receive(header(LARGE), BYTES);
    assertThat(call.answers()).containsExactly("receipt", "completed");
    assertThat(context.budget().reserved()).isZero();
  }

  /** A sender that announces an unknown layout would keep the memory reserved until its timeout. */
  @Test
  void layoutsOfAllVectorsAreCheckedBeforeRoomIsTaken() {
    Weights nonsense = Weights.copyOf(Layout.builder().add("x", 30_000).build(), new float[30_000]);
    InboundCall open = inboundCall();
    open.onNext(header(LARGE, nonsense));
    assertRefused(RefusalKind.MALFORMED_MESSAGE, "INVALID_ARGUMENT");
    assertThat(context.policy().offenceStats()).hasSize(1);
    assertThat(context.budget().reserved()).isZero();
  }

  @Test
  void aMessageThatTheMemoryNeverHasRoomForIsRefusedForGoodAndNoOffence() {
    int vectors = (int) (context.budget().maxMessageBytes() / LARGE.bytes()) + 1;
    WireOutput header = new WireOutput(_ -> {});
    header.writeByte(2);
    header.writeText(CALLER.network());
    header.writeLong(CALLER.peer().number());
    WIRE.write(Component.class, Component.METHOD, header);
    header.writeCount(0);
    header.writeCount(0);
    header.writeCount(vectors);
    for (int i = 0; i < vectors; i++) {
      header.writeBytes(LARGE.digest().bytes());
      header.writeBytes(Layouts.digest(WIDE).bytes());
      header.writeLong(LARGE.bytes());
      header.writeByte(0);
    }
    receive(header.toBytes());
    assertRefused(RefusalKind.NO_ROOM, "OUT_OF_RANGE");
    assertThat(context.policy().offenceStats()).isEmpty();
  }

  private void interrupted(String messageId) {
    metadata = metadata(Optional.of(messageId), 0);
    InboundCall broken = inboundCall();
    broken.onNext(header(LARGE));
    broken.onNext(Arrays.copyOf(BYTES, 8));
    broken.onError(Status.UNAVAILABLE.asRuntimeException());
  }

  @Test
  void whatBrokeOffKeepsItsRoomAndWhoGoesOnNeedsNoMore() {
    interrupted("7");
    long kept = context.budget().reserved();
    assertThat(kept).isGreaterThanOrEqualTo(LARGE.bytes());
    metadata = metadata(Optional.of("7"), 2);
    InboundCall open = inboundCall();
    open.onNext(header(LARGE));
    assertThat(context.budget().reserved()).isEqualTo(kept);
    open.onNext(Arrays.copyOfRange(BYTES, 8, (int) LARGE.bytes()));
    open.onCompleted();
    assertThat(call.answers()).containsExactly("receipt", "completed");
    assertThat(context.budget().reserved()).isZero();
  }

  @Test
  void anInterruptedTransferIsDroppedWhenItsMemoryIsNeeded() {
    MemoryBudget budget = context.budget();
    interrupted("7");
    assertThat(context.transfers().reserve(new PeerId(2), budget.maxMessageBytes())).isTrue();
    // Not dropped yet: the remaining memory is enough.
    assertThat(context.transfers().receivedWeights(CALLER.peer(), "7")).isEqualTo(2);
    assertThat(context.transfers().reserve(new PeerId(2), budget.maxMessageBytes())).isFalse();
    assertThat(context.transfers().receivedWeights(CALLER.peer(), "7")).isEqualTo(2);
    assertThat(context.transfers().reserve(new PeerId(3), budget.maxMessageBytes())).isTrue();
    assertThat(context.transfers().receivedWeights(CALLER.peer(), "7")).isZero();
    assertThat(budget.reserved()).isEqualTo(2 * budget.maxMessageBytes());
  }

  @Test
  void ofAMessageThatComesAnewItsBeginningIsForgotten() {
    interrupted("7");
    metadata = metadata(Optional.of("7"), 0);
    receive(header(LARGE), BYTES);
    assertThat(call.answers()).containsExactly("receipt", "completed");
    assertThat(context.budget().reserved()).isZero();
  }
}
