package io.kindred.node.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.kindred.core.Component;
import io.kindred.core.Message;
import io.kindred.core.PeerId;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.methods.Dfedavgm;
import io.kindred.node.TinyNetwork;
import io.kindred.node.identity.Member;
import io.kindred.protocol.wire.Wire;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a sender says is checked before it counts. */
class ReceptionTest {
  @TempDir private Path home;

  private static final Layout LAYOUT = Layout.builder().add("w", 2, 3).build();
  private static final Weights WEIGHTS = Weights.copyOf(LAYOUT, new float[] {1, 2, 3, -4, 5.5f, 0});
  private static final Member CALLER = new Member("tiny", new PeerId(1));

  private final List<Arrivals.Arrival> arrived = new ArrayList<>();
  private final List<String> answers = new ArrayList<>();
  private final Refusals refusals = new Refusals(line -> {});
  private final Wire wire = new Wire(List.of(Dfedavgm.TrainedModel.class));
  private Inbox inbox;

  @SuppressWarnings("NullAway.Init") // set before each test
  ReceptionTest() {}

  @BeforeEach
  void open() {
    inbox =
        new Inbox(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new TinyNetwork(home, 1, 1).identity(0),
            wire,
            new Layouts(List.of(LAYOUT)),
            100,
            arrived::add,
            refusals,
            Runnable::run);
  }

  @AfterEach
  void close() {
    inbox.close();
  }

  private Reception reception() {
    return new Reception(
        inbox,
        CALLER,
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
    return new Dfedavgm.TrainedModel(1, 1, weights, false, 0);
  }

  private byte[] header(Member sender, Weights weights) {
    return Header.of(sender, Component.METHOD, wire.encode(Message.class, message(weights)))
        .encode();
  }

  private static byte[] bytes(Weights weights) {
    ByteBuffer bytes = ByteBuffer.allocate((int) weights.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(weights.shared());
    return bytes.array();
  }

  private void receive(byte[]... frames) {
    Reception reception = reception();
    for (byte[] frame : frames) {
      reception.onNext(frame);
    }
    reception.onCompleted();
  }

  @Test
  void chunksOfAnySizeMakeTheVector() {
    byte[] all = bytes(WEIGHTS);
    receive(
        header(CALLER, WEIGHTS),
        Arrays.copyOfRange(all, 0, 5),
        Arrays.copyOfRange(all, 5, 23),
        Arrays.copyOfRange(all, 23, 24));
    assertThat(answers).containsExactly("receipt", "completed");
    assertThat(arrived)
        .singleElement()
        .extracting(Arrivals.Arrival::message)
        .isEqualTo(message(WEIGHTS));
  }

  @Test
  void aSenderThatIsNotTheCallerIsRefused() {
    receive(header(new Member("tiny", new PeerId(2)), WEIGHTS), bytes(WEIGHTS));
    refusedAs("false-sender", "PERMISSION_DENIED");
  }

  @Test
  void aTurnedBitIsFoundByTheDigest() {
    byte[] spoiled = bytes(WEIGHTS);
    spoiled[7] ^= 4;
    receive(header(CALLER, WEIGHTS), spoiled);
    refusedAs("malformed-message", "INVALID_ARGUMENT");
  }

  @Test
  void missingAndSurplusBytesAreRefused() {
    receive(header(CALLER, WEIGHTS), Arrays.copyOf(bytes(WEIGHTS), 20));
    refusedAs("malformed-message", "INVALID_ARGUMENT");
    answers.clear();
    receive(header(CALLER, WEIGHTS), bytes(WEIGHTS), new byte[1]);
    assertThat(answers).containsExactly("INVALID_ARGUMENT");
    assertThat(arrived).isEmpty();
  }

  @Test
  void weightsBeyondTheLimitAreRefusedBeforeTheyCome() {
    Weights large = Weights.copyOf(Layout.builder().add("w", 26).build(), new float[26]);
    receive(header(CALLER, large));
    refusedAs("malformed-message", "INVALID_ARGUMENT");
  }

  @Test
  void anUnknownLayoutIsRefused() {
    Weights other = Weights.copyOf(Layout.builder().add("w", 3, 2).build(), WEIGHTS.copy());
    receive(header(CALLER, other), bytes(other));
    refusedAs("malformed-message", "INVALID_ARGUMENT");
  }

  @Test
  void aHeaderThatIsNoneIsRefused() {
    receive(new byte[] {1, 2, 3});
    refusedAs("malformed-message", "INVALID_ARGUMENT");
  }

  private void refusedAs(String kind, String status) {
    assertThat(answers).containsExactly(status);
    assertThat(arrived).isEmpty();
    assertThat(refusals.counts()).containsEntry(kind, 1L);
  }
}
