package io.kindred.node.transport.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.kindred.core.peer.PeerId;
import io.kindred.node.TinyNetwork;
import io.kindred.node.transport.FakeCall;
import io.kindred.node.transport.Limits;
import io.kindred.node.transport.MessageMetadata;
import io.kindred.protocol.wire.MalformedException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a relay sends into the channels of a member, and what it keeps. */
class RelayServerTest {
  private static final PeerId HIDDEN = new PeerId(2);

  @TempDir private Path home;

  private final FakeCall frames = new FakeCall();
  private boolean admitted = true;
  private final RelayServer relayServer = new RelayServer(Limits.DEFAULTS, _ -> admitted);
  private List<X509Certificate> certificates;

  @SuppressWarnings("NullAway.Init") // set before each test
  RelayServerTest() {}

  @BeforeEach
  void make() {
    certificates = List.of(new TinyNetwork(home, 1, 1).identity(0).certificate());
  }

  private static MessageMetadata metadata(PeerId to) {
    return new MessageMetadata(Optional.of("1"), 0, Optional.of(to), Optional.empty());
  }

  private StreamObserver<byte[]> channel() {
    return relayServer.openChannel(HIDDEN, certificates, frames);
  }

  @Test
  void whoTakesAMessageInIsToldThatTheRelayGaveItUp() {
    StreamObserver<byte[]> channel = channel();
    FakeCall slow = new FakeCall();
    relayServer.forward(metadata(HIDDEN), slow).onNext(new byte[] {1});
    slow.close();
    assertThat(frames.answers()).containsExactly("B", "F", "X");
    channel.onNext(RelayFrame.answer(Status.CANCELLED));
    // The channel is idle again and takes the next message.
    relayServer.forward(metadata(HIDDEN), new FakeCall());
    assertThat(frames.answers()).containsExactly("B", "F", "X", "B");
  }

  @Test
  void nothingIsKeptOfThoseWhoCollectNothing() {
    for (int number = 0; number < 100; number++) {
      FakeCall call = new FakeCall();
      relayServer.forward(metadata(new PeerId(1_000 + number)), call);
      assertThat(call.answers()).containsExactly("UNAVAILABLE");
    }
    assertThat(relayServer.trackedMembers()).isZero();
  }

  @Test
  void nothingIsKeptOfAMemberWhoseBoxesAreGone() {
    StreamObserver<byte[]> channel = channel();
    FakeCall taken = new FakeCall();
    FakeCall waits = new FakeCall();
    relayServer.forward(metadata(HIDDEN), taken);
    relayServer.forward(metadata(HIDDEN), waits);
    assertThat(relayServer.trackedMembers()).isOne();
    waits.cancel();
    channel.onCompleted();
    assertThat(taken.answers()).containsExactly("UNAVAILABLE");
    assertThat(relayServer.trackedMembers()).isZero();
  }

  @Test
  void aMemberThatIsNoLongerAdmittedGetsNoMessageThatWaited() {
    StreamObserver<byte[]> channel = channel();
    relayServer.forward(metadata(HIDDEN), new FakeCall());
    relayServer.forward(metadata(HIDDEN), new FakeCall());
    admitted = false;
    channel.onNext(RelayFrame.answer(Status.OK));
    assertThat(frames.answers()).containsExactly("B", "UNAUTHENTICATED");
  }

  /** A relayed message is deduplicated by its id like any other, so the same bound applies. */
  @Test
  void aNumberIsOneOnlyIfItIsShort() throws MalformedException {
    for (String messageId : List.of("", "1".repeat(33))) {
      MessageMetadata messageMetadata =
          new MessageMetadata(Optional.of(messageId), 0, Optional.of(HIDDEN), Optional.of("seal"));
      assertThat(RelayFrame.metadata(RelayFrame.begin(messageMetadata)).messageId())
          .as(messageId)
          .isEmpty();
    }
    assertThat(RelayFrame.metadata(RelayFrame.begin(metadata(HIDDEN))).messageId()).contains("1");
  }
}
