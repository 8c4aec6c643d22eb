package io.kindred.node.transport.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import com.github.luben.zstd.Zstd;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Peer;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerState;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerFactory;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.methods.rounds.SlotModel;
import io.kindred.node.TinyNetwork;
import io.kindred.node.identity.Member;
import io.kindred.node.transport.Header;
import io.kindred.node.transport.Layouts;
import io.kindred.node.transport.Limits;
import io.kindred.node.transport.MessageMetadata;
import io.kindred.node.transport.Packing;
import io.kindred.node.transport.RefusalKind;
import io.kindred.node.transport.Refusals;
import io.kindred.protocol.wire.Wire;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The claims of a sender are checked before its message counts. */
class InboundCallTest {
  private static final Layout LAYOUT = Layout.builder().add("w", 2, 3).build();
  private static final Weights WEIGHTS = Weights.copyOf(LAYOUT, new float[] {1, 2, 3, -4, 5.5f, 0});
  private static final Member CALLER = new Member("tiny", new PeerId(1));

  private final List<MessageReceiver.ReceivedMessage> arrived = new ArrayList<>();
  private final List<String> answers = new ArrayList<>();
  private final Refusals refusals = new Refusals(line -> {});
  private final Wire wire = new Wire(List.of(NeighbourUpdate.class));
  private Packing packing = Packing.NONE;
  private MessageMetadata metadata = metadata(Optional.empty(), 0);
  private int numbers;
  private InboundContext context = context(new Layouts(List.of(LAYOUT)), 100);

  private static MessageMetadata metadata(Optional<String> messageId, long resumeOffset) {
    return new MessageMetadata(messageId, resumeOffset, Optional.empty(), Optional.empty());
  }

  private InboundContext context(Layouts layouts, long mostBytes) {
    Limits limits = new Limits(mostBytes / (double) (1 << 20), 120, 500, 10, 60);
    return InboundContext.of(wire, layouts, new AbusePolicy(limits, refusals), arrived::add);
  }

  /** The metadata that a test has set, or that of a new message. */
  private MessageMetadata numbered() {
    return metadata.messageId().isPresent()
        ? metadata
        : metadata(Optional.of("new-" + numbers++), metadata.resumeOffset());
  }

  private InboundCall inboundCall() {
    return inboundCall(numbered());
  }

  private InboundCall inboundCall(MessageMetadata given) {
    return new InboundCall(
        context,
        CALLER,
        given,
        new StreamObserver<>() {
          @Override
          public void onNext(byte[] receipt) {
            answers.add("receipt");
          }

          @Override
          public void onError(Throwable refused) {
            answers.add(Status.fromThrowable(refused).getCode().name());
          }

          @Override
          public void onCompleted() {
            answers.add("completed");
          }
        });
  }

  private Message message(Weights weights) {
    return new NeighbourUpdate(1, 1, ModelUpdate.of(new SlotModel(0, weights, 1)), false, 0);
  }

  private byte[] header(Member sender, Weights weights) {
    return Header.of(
            sender,
            Component.METHOD,
            wire.encode(Message.class, message(weights), packing::roundedAsSent),
            packing)
        .encode();
  }

  private static byte[] bytes(Weights weights) {
    ByteBuffer bytes = ByteBuffer.allocate((int) weights.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(weights.shared());
    return bytes.array();
  }

  private void receive(byte[]... frames) {
    InboundCall call = inboundCall();
    for (byte[] frame : frames) {
      call.onNext(frame);
    }
    call.onCompleted();
  }

  @Test
  void chunksOfAnySizeMakeTheVector() {
    byte[] all = bytes(WEIGHTS);
    receive(
        header(CALLER, WEIGHTS),
        Arrays.copyOfRange(all, 0, 4),
        Arrays.copyOfRange(all, 4, 20),
        Arrays.copyOfRange(all, 20, 24));
    assertThat(answers).containsExactly("receipt", "completed");
    assertThat(arrived)
        .singleElement()
        .extracting(MessageReceiver.ReceivedMessage::message)
        .isEqualTo(message(WEIGHTS));
  }

  @Test
  void aFrameThatEndsWithinAWeightIsRefused() {
    receive(header(CALLER, WEIGHTS), Arrays.copyOf(bytes(WEIGHTS), 5));
    refusedAs(RefusalKind.MALFORMED_MESSAGE, "INVALID_ARGUMENT");
  }

  @Test
  void weightsArriveAsTheirSenderRoundedThemInEveryPacking() {
    float[] trained = {0.1f, -2.7182817f, 3e-9f, 0, 1 + 0x1p-8f, -7};
    Weights model = Weights.copyOf(LAYOUT, trained);
    for (Packing.Values values : Packing.Values.values()) {
      for (boolean compress : new boolean[] {false, true}) {
        packing = new Packing(values, compress);
        arrived.clear();
        Weights sent = packing.roundedAsSent(model);
        receive(
            header(CALLER, model),
            packing.pack(sent.shared(), 0, 2),
            packing.pack(sent.shared(), 2, 4));
        assertThat(arrived)
            .as("%s", packing)
            .singleElement()
            .satisfies(
                each -> {
                  assertThat(each.message()).isEqualTo(message(sent));
                  assertThat(each.modelBytes()).isEqualTo(packing.bytes(6));
                });
        for (int i = 0; i < trained.length; i++) {
          assertThat(sent.get(i))
              .isCloseTo(trained[i], withPercentage(values == Packing.Values.FLOAT32 ? 0 : 0.4));
        }
      }
    }
    // Halfway between two values of eight bits: rounded to even.
    assertThat(new Packing(Packing.Values.BFLOAT16, false).roundedAsSent(model).get(4))
        .isEqualTo(1);
  }

  @Test
  void aCompressedFrameThatWouldGrowBeyondTheVectorIsRefusedBeforeItDoes() {
    packing = new Packing(Packing.Values.FLOAT32, true);
    byte[] bomb = Zstd.compress(new byte[1 << 24]);
    receive(header(CALLER, WEIGHTS), bomb);
    refusedAs(RefusalKind.MALFORMED_MESSAGE, "INVALID_ARGUMENT");
  }

  @Test
  void anEmptyCompressedFrameIsRefused() {
    packing = new Packing(Packing.Values.FLOAT32, true);
    receive(header(CALLER, WEIGHTS), new byte[0]);
    refusedAs(RefusalKind.MALFORMED_MESSAGE, "INVALID_ARGUMENT");
  }

  @ParameterizedTest
  @ValueSource(bytes = {0, 4, 127, -1})
  void aVersionThatDoesNotExistIsAnOffence(byte version) {
    byte[] other = header(CALLER, WEIGHTS);
    other[0] = version;
    receive(other, bytes(WEIGHTS));
    refusedAs(RefusalKind.MALFORMED_MESSAGE, "INVALID_ARGUMENT");
    assertThat(context.policy().offenceStats()).hasSize(1);
  }

  @Test
  void aMessageWithoutANumberIsAnOffenceBecauseItCouldBeARepetition() {
    for (int i = 0; i < 3; i++) {
      inboundCall(metadata(Optional.empty(), 0)).onNext(header(CALLER, WEIGHTS));
    }
    assertThat(answers).containsOnly("INVALID_ARGUMENT").hasSize(3);
    assertThat(arrived).isEmpty();
    assertThat(context.policy().mutedSeconds(CALLER.peer())).isPositive();
  }

  @Test
  void anEarlierVersionIsRefusedInWordsAndIsNoOffence() {
    byte[] other = header(CALLER, WEIGHTS);
    other[0] = 1;
    receive(other, bytes(WEIGHTS));
    refusedAs(RefusalKind.OTHER_VERSION, "FAILED_PRECONDITION");
    assertThat(context.policy().offenceStats()).isEmpty();
  }

  @Test
  void plainAndPackedWeightsTravelInOneVersion() {
    assertThat(header(CALLER, WEIGHTS)[0]).isEqualTo((byte) 3);
    packing = new Packing(Packing.Values.BFLOAT16, false);
    assertThat(header(CALLER, WEIGHTS)[0]).isEqualTo((byte) 3);
  }

  @Test
  void aMessageThatCameBeforeIsRefused() {
    metadata = metadata(Optional.of("7"), 0);
    receive(header(CALLER, WEIGHTS), bytes(WEIGHTS));
    assertThat(answers).containsExactly("receipt", "completed");
    answers.clear();
    receive(header(CALLER, WEIGHTS), bytes(WEIGHTS));
    assertThat(answers).containsExactly("ALREADY_EXISTS");
    assertThat(arrived).hasSize(1);
    assertThat(refusals.counts()).containsEntry(RefusalKind.REPLAYED_MESSAGE, 1L);
  }

  /** A sender signs the header alone, and sends the whole message again after an interruption. */
  @Test
  void whatComesAfterASealedHeaderIsRefusedAndNoOffence() {
    metadata = new MessageMetadata(Optional.of("7"), 0, Optional.empty(), Optional.of("seal"));
    for (int i = 0; i < 4; i++) {
      receive(header(CALLER, WEIGHTS), bytes(WEIGHTS));
    }
    metadata = new MessageMetadata(Optional.of("8"), 0, Optional.empty(), Optional.of("seal"));
    receive(header(CALLER, WEIGHTS), new byte[24]);
    receive(header(CALLER, WEIGHTS));
    assertThat(refusals.counts())
        .containsEntry(RefusalKind.REPLAYED_MESSAGE, 3L)
        .containsEntry(RefusalKind.MALFORMED_MESSAGE, 2L);
    assertThat(context.policy().offenceStats()).isEmpty();
    receive(new byte[] {2, 2, 3});
    assertThat(context.policy().offenceStats()).hasSize(1);
  }

  /** The signed header contains their digests, so a relay can only repeat them. */
  @Test
  void badWeightsAreTheirSendersOffenceAlsoThroughARelayAndOnceForEachMessage() {
    Weights model = Weights.copyOf(LAYOUT, new float[] {1, 2, 3, Float.NaN, 5.5f, 0});
    metadata = new MessageMetadata(Optional.of("7"), 0, Optional.empty(), Optional.of("seal"));
    for (int i = 0; i < 3; i++) {
      receive(header(CALLER, model), bytes(model));
    }
    assertThat(answers).containsExactly("INVALID_ARGUMENT", "ALREADY_EXISTS", "ALREADY_EXISTS");
    assertThat(refusals.counts())
        .containsEntry(RefusalKind.BAD_WEIGHTS, 1L)
        .containsEntry(RefusalKind.REPLAYED_MESSAGE, 2L);
    assertThat(context.policy().offenceStats())
        .containsEntry(1L, new AbusePolicy.OffenceStats(1, 0));
  }

  @Test
  void aMessageThatBrokeOffGoesOnWhereItWas() {
    byte[] all = bytes(WEIGHTS);
    metadata = metadata(Optional.of("7"), 0);
    InboundCall first = inboundCall();
    first.onNext(header(CALLER, WEIGHTS));
    first.onNext(Arrays.copyOf(all, 8));
    first.onError(Status.UNAVAILABLE.asRuntimeException());
    assertThat(context.transfers().receivedWeights(CALLER.peer(), "7")).isEqualTo(2);
    metadata = metadata(Optional.of("7"), 2);
    receive(header(CALLER, WEIGHTS), Arrays.copyOfRange(all, 8, 24));
    assertThat(answers).containsExactly("receipt", "completed");
    assertThat(arrived)
        .singleElement()
        .extracting(MessageReceiver.ReceivedMessage::message)
        .isEqualTo(message(WEIGHTS));
    assertThat(context.transfers().wasReceived(CALLER.peer(), "7")).isTrue();
  }

  @Test
  void aTransferThatTheReceiverDoesNotKnowCannotBeResumed() {
    metadata = metadata(Optional.of("7"), 2);
    receive(header(CALLER, WEIGHTS), Arrays.copyOfRange(bytes(WEIGHTS), 8, 24));
    assertThat(answers).containsExactly("ABORTED");
    assertThat(arrived).isEmpty();
  }

  @Test
  void aSenderThatIsNotTheCallerIsRefused() {
    receive(header(new Member("tiny", new PeerId(2)), WEIGHTS), bytes(WEIGHTS));
    refusedAs(RefusalKind.FALSE_SENDER, "PERMISSION_DENIED");
  }

  @Test
  void aTurnedBitIsFoundByTheDigest() {
    byte[] spoiled = bytes(WEIGHTS);
    spoiled[7] ^= 4;
    receive(header(CALLER, WEIGHTS), spoiled);
    refusedAs(RefusalKind.MALFORMED_MESSAGE, "INVALID_ARGUMENT");
  }

  @Test
  void missingAndSurplusBytesAreRefused() {
    receive(header(CALLER, WEIGHTS), Arrays.copyOf(bytes(WEIGHTS), 20));
    refusedAs(RefusalKind.MALFORMED_MESSAGE, "INVALID_ARGUMENT");
    answers.clear();
    receive(header(CALLER, WEIGHTS), bytes(WEIGHTS), new byte[1]);
    assertThat(answers).containsExactly("INVALID_ARGUMENT");
    assertThat(arrived).isEmpty();
  }

  @Test
  void weightsBeyondTheLimitAreRefusedBeforeTheyCome() {
    Weights large = Weights.copyOf(Layout.builder().add("w", 26).build(), new float[26]);
    receive(header(CALLER, large));
    refusedAs(RefusalKind.TOO_LARGE, "OUT_OF_RANGE");
  }

  @Test
  void weightsAboveTheRmsLimitAreRefused() {
    for (float wrong : new float[] {Float.NaN, Float.NEGATIVE_INFINITY, 100}) {
      Weights model = Weights.copyOf(LAYOUT, new float[] {1, 2, 3, wrong, 5.5f, 0});
      receive(header(CALLER, model), bytes(model));
    }
    assertThat(answers).containsExactly("INVALID_ARGUMENT", "INVALID_ARGUMENT", "INVALID_ARGUMENT");
    assertThat(arrived).isEmpty();
    assertThat(refusals.counts())
        .containsEntry(RefusalKind.BAD_WEIGHTS, 3L)
        .containsEntry(RefusalKind.MUTED, 1L);
  }

  @Test
  void anUnknownLayoutIsRefused() {
    Weights other = Weights.copyOf(Layout.builder().add("w", 3, 2).build(), WEIGHTS.copy());
    receive(header(CALLER, other), bytes(other));
    refusedAs(RefusalKind.MALFORMED_MESSAGE, "INVALID_ARGUMENT");
  }

  @Test
  void aHeaderThatIsNoneIsRefused() {
    receive(new byte[] {2, 2, 3});
    refusedAs(RefusalKind.MALFORMED_MESSAGE, "INVALID_ARGUMENT");
  }

  /**
   * Frames with random corruptions: each message gets one answer, and an accepted message is one
   * that the peer can step, since its sender is a member.
   */
  @Test
  void spoiledFramesAreAnsweredOnceAndNeverThrow() {
    PeerFactory factory = TinyNetwork.peerFactory(2, 3);
    Weights model =
        factory
            .architecture()
            .initialWeights(new RandomStreams(1).stream(Purpose.INITIAL_WEIGHTS, 0, 0));
    Peer peer = factory.peer(0);
    PeerState state =
        peer.stepAll(peer.initial(), new Event.Started(0, List.of(CALLER.peer()))).state();
    context = context(new Layouts(List.of(model.layout())), model.bytes());
    RandomStream random = new RandomStreams(7).stream(new Purpose("fuzz"), 0, 0);
    byte[] header = header(CALLER, model);
    byte[] weights = bytes(model);
    int steps = 0;
    for (int trial = 0; trial < 20_000; trial++) {
      answers.clear();
      arrived.clear();
      byte[] first = random.nextInt(8) == 0 ? header : spoiled(header, random);
      byte[] second = random.nextInt(8) == 0 ? spoiled(weights, random) : weights;
      receive(first, second);
      assertThat(answers).as("trial %d", trial).hasSize(arrived.isEmpty() ? 1 : 2);
      for (MessageReceiver.ReceivedMessage received : arrived) {
        Event event = new Event.Received(trial, received.from(), received.message());
        state = peer.step(state, received.component(), event).state();
        steps++;
      }
    }
    assertThat(steps).isBetween(100, 19_000);
  }

  private static byte[] spoiled(byte[] frame, RandomStream random) {
    byte[] bytes = frame.clone();
    int at = random.nextInt(bytes.length);
    switch (random.nextInt(5)) {
      case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> bytes[at] = (byte) random.nextInt(256);
      case 2 -> bytes = Arrays.copyOf(bytes, at);
      case 3 -> bytes = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(20));
      default -> {
        for (int i = at; i < Math.min(bytes.length, at + 12); i++) {
          bytes[i] = (byte) random.nextInt(256);
        }
      }
    }
    return bytes;
  }

  private void refusedAs(RefusalKind kind, String status) {
    assertThat(answers).containsExactly(status);
    assertThat(arrived).isEmpty();
    assertThat(refusals.counts()).containsEntry(kind, 1L);
  }
}
