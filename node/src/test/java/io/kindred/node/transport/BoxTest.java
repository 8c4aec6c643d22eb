package io.kindred.node.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.kindred.core.PeerId;
import io.kindred.node.TinyNetwork;
import io.kindred.protocol.wire.MalformedException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a relay puts into the boxes of a member, and what it keeps. */
class BoxTest {
  private static final PeerId HIDDEN = new PeerId(2);

  @TempDir private Path home;

  private final FakeCall frames = new FakeCall();
  private boolean admitted = true;
  private final Relay relay = new Relay(Limits.USUAL, _ -> admitted);
  private List<X509Certificate> shown;

  @SuppressWarnings("NullAway.Init") // set before each test
  BoxTest() {}

  @BeforeEach
  void make() {
    shown = List.of(new TinyNetwork(home, 1, 1).identity(0).certificate());
  }

  private static Slip slip(PeerId to) {
    return new Slip(Optional.of("1"), 0, Optional.of(to), Optional.empty());
  }

  private StreamObserver<byte[]> box() {
    return relay.open(HIDDEN, shown, frames);
  }

  @Test
  void whoTakesAMessageInIsToldThatTheRelayGaveItUp() {
    StreamObserver<byte[]> box = box();
    FakeCall slow = new FakeCall();
    relay.pass(slip(HIDDEN), slow).onNext(new byte[] {1});
    slow.close();
    assertThat(frames.answers()).containsExactly("B", "F", "X");
    box.onNext(Envelope.answer(Status.CANCELLED));
    // It is empty again, and takes the next.
    relay.pass(slip(HIDDEN), new FakeCall());
    assertThat(frames.answers()).containsExactly("B", "F", "X", "B");
  }

  @Test
  void nothingIsKeptOfThoseWhoCollectNothing() {
    for (int number = 0; number < 100; number++) {
      FakeCall call = new FakeCall();
      relay.pass(slip(new PeerId(1_000 + number)), call);
      assertThat(call.answers()).containsExactly("UNAVAILABLE");
    }
    assertThat(relay.remembered()).isZero();
  }

  @Test
  void nothingIsKeptOfAMemberWhoseBoxesAreGone() {
    StreamObserver<byte[]> box = box();
    FakeCall taken = new FakeCall();
    FakeCall waits = new FakeCall();
    relay.pass(slip(HIDDEN), taken);
    relay.pass(slip(HIDDEN), waits);
    assertThat(relay.remembered()).isOne();
    waits.cancel();
    box.onCompleted();
    assertThat(taken.answers()).containsExactly("UNAVAILABLE");
    assertThat(relay.remembered()).isZero();
  }

  @Test
  void aMemberThatIsNoLongerAdmittedGetsNoMessageThatWaited() {
    StreamObserver<byte[]> box = box();
    relay.pass(slip(HIDDEN), new FakeCall());
    relay.pass(slip(HIDDEN), new FakeCall());
    admitted = false;
    box.onNext(Envelope.answer(Status.OK));
    assertThat(frames.answers()).containsExactly("B", "UNAUTHENTICATED");
  }

  /** What comes through a box is remembered by its number as everything else is. */
  @Test
  void aNumberIsOneOnlyIfItIsShort() throws MalformedException {
    for (String number : List.of("", "1".repeat(33))) {
      Slip slip = new Slip(Optional.of(number), 0, Optional.of(HIDDEN), Optional.of("seal"));
      assertThat(Envelope.slip(Envelope.begin(slip)).number()).as(number).isEmpty();
    }
    assertThat(Envelope.slip(Envelope.begin(slip(HIDDEN))).number()).contains("1");
  }
}
