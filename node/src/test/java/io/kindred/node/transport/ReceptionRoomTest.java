package io.kindred.node.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.kindred.core.Component;
import io.kindred.core.Message;
import io.kindred.core.PeerId;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.methods.rounds.Gossip;
import io.kindred.methods.rounds.Item;
import io.kindred.methods.rounds.Parcel;
import io.kindred.node.TinyNetwork;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.protocol.wire.Wire;
import io.kindred.protocol.wire.WireOutput;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The room that messages take while they come, and after they broke off. */
class ReceptionRoomTest {
  private static final Wire WIRE = new Wire(List.of(Gossip.Offer.class));
  private static final Layout WIDE = Layout.builder().add("w", 20_000).build();

  /** Large enough to be counted. */
  private static final Weights LARGE = Weights.copyOf(WIDE, new float[20_000]);

  private static final byte[] BYTES = new byte[(int) LARGE.bytes()];
  private static final Member CALLER = new Member("tiny", new PeerId(1));

  @TempDir private Path home;

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final Refusals refusals = new Refusals(_ -> {});
  private Slip slip = slip(Optional.empty(), 0);
  private FakeCall call = new FakeCall();
  private Inbox inbox;

  @SuppressWarnings("NullAway.Init") // set before each test
  ReceptionRoomTest() {}

  @BeforeEach
  void open() {
    Identity identity = new TinyNetwork(home, 1, 1).identity(0);
    inbox =
        new Inbox(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            identity,
            WIRE,
            new Layouts(List.of(WIDE)),
            _ -> true,
            new AddressBook(identity),
            // More than any memory has room for.
            new Conduct(new Limits(1e9, 120, 500, 10, 60), refusals),
            Runnable::run,
            timer);
  }

  @AfterEach
  void close() {
    inbox.close();
    timer.shutdownNow();
  }

  private static Slip slip(Optional<String> number, long from) {
    return new Slip(number, from, Optional.empty(), Optional.empty());
  }

  private Reception reception() {
    call = new FakeCall();
    return new Reception(inbox, CALLER, slip, call);
  }

  private static byte[] header(Weights... vectors) {
    List<Item> items = new ArrayList<>();
    for (Weights each : vectors) {
      items.add(new Item(items.size(), each, 1));
    }
    Message message = new Gossip.Offer(1, 1, new Parcel(items), false, 0);
    return Header.of(CALLER, Component.METHOD, WIRE.encode(Message.class, message), Packing.NONE)
        .encode();
  }

  private void receive(byte[]... frames) {
    Reception reception = reception();
    for (byte[] frame : frames) {
      reception.onNext(frame);
    }
    reception.onCompleted();
  }

  private void assertRefused(String kind, String status) {
    assertThat(call.answers()).containsExactly(status);
    assertThat(refusals.counts()).containsEntry(kind, 1L);
  }

  /** A few bytes of a header would otherwise take the room of a whole model. */
  @Test
  void whatIsAnnouncedTakesRoomUntilItIsOver() {
    Reception open = reception();
    open.onNext(header(LARGE));
    assertThat(inbox.room().taken()).isGreaterThanOrEqualTo(LARGE.bytes());
    open.onError(Status.UNAVAILABLE.asRuntimeException());
    assertThat(inbox.room().taken()).isZero();

    long half = inbox.room().most();
    assertThat(inbox.room().take(new PeerId(2), half)).isTrue();
    assertThat(inbox.room().take(new PeerId(3), half)).isTrue();
    receive(header(LARGE), BYTES);
    assertRefused("no-room", "RESOURCE_EXHAUSTED");
    assertThat(inbox.conduct().told()).isEmpty();
    inbox.room().leave(new PeerId(2), half);
    inbox.room().leave(new PeerId(3), half);
    receive(header(LARGE), BYTES);
    assertThat(call.answers()).containsExactly("receipt", "completed");
    assertThat(inbox.room().taken()).isZero();
  }

  /** Whoever announces what nobody has would keep the room for it until its time is over. */
  @Test
  void layoutsOfAllVectorsAreCheckedBeforeRoomIsTaken() {
    Weights nonsense = Weights.copyOf(Layout.builder().add("x", 30_000).build(), new float[30_000]);
    Reception open = reception();
    open.onNext(header(LARGE, nonsense));
    assertRefused("malformed-message", "INVALID_ARGUMENT");
    assertThat(inbox.conduct().told()).hasSize(1);
    assertThat(inbox.room().taken()).isZero();
  }

  @Test
  void aMessageThatTheMemoryNeverHasRoomForIsRefusedForGoodAndNoOffence() {
    int vectors = (int) (inbox.room().most() / LARGE.bytes()) + 1;
    WireOutput header = new WireOutput(_ -> {});
    header.writeByte(1);
    header.writeText(CALLER.network());
    header.writeLong(CALLER.peer().number());
    WIRE.write(Component.class, Component.METHOD, header);
    header.writeCount(0);
    header.writeCount(vectors);
    for (int i = 0; i < vectors; i++) {
      header.writeBytes(LARGE.digest().bytes());
      header.writeBytes(Layouts.digest(WIDE).bytes());
      header.writeLong(LARGE.bytes());
    }
    receive(header.toBytes());
    assertRefused("no-room", "OUT_OF_RANGE");
    assertThat(inbox.conduct().told()).isEmpty();
  }

  private void brokenOff(String number) {
    slip = slip(Optional.of(number), 0);
    Reception broken = reception();
    broken.onNext(header(LARGE));
    broken.onNext(Arrays.copyOf(BYTES, 8));
    broken.onError(Status.UNAVAILABLE.asRuntimeException());
  }

  @Test
  void whatBrokeOffKeepsItsRoomAndWhoGoesOnNeedsNoMore() {
    brokenOff("7");
    long kept = inbox.room().taken();
    assertThat(kept).isGreaterThanOrEqualTo(LARGE.bytes());
    slip = slip(Optional.of("7"), 2);
    Reception open = reception();
    open.onNext(header(LARGE));
    assertThat(inbox.room().taken()).isEqualTo(kept);
    open.onNext(Arrays.copyOfRange(BYTES, 8, (int) LARGE.bytes()));
    open.onCompleted();
    assertThat(call.answers()).containsExactly("receipt", "completed");
    assertThat(inbox.room().taken()).isZero();
  }

  @Test
  void whatBrokeOffGivesWayToWhoeverNeedsItsRoom() {
    Room room = inbox.room();
    brokenOff("7");
    assertThat(inbox.ledger().makeRoom(new PeerId(2), room.most())).isTrue();
    // Not yet: what is left is enough for it.
    assertThat(inbox.ledger().progress(CALLER.peer(), "7")).isEqualTo(2);
    assertThat(inbox.ledger().makeRoom(new PeerId(2), room.most())).isFalse();
    assertThat(inbox.ledger().progress(CALLER.peer(), "7")).isEqualTo(2);
    assertThat(inbox.ledger().makeRoom(new PeerId(3), room.most())).isTrue();
    assertThat(inbox.ledger().progress(CALLER.peer(), "7")).isZero();
    assertThat(room.taken()).isEqualTo(2 * room.most());
  }

  @Test
  void ofAMessageThatComesAnewItsBeginningIsForgotten() {
    brokenOff("7");
    slip = slip(Optional.of("7"), 0);
    receive(header(LARGE), BYTES);
    assertThat(call.answers()).containsExactly("receipt", "completed");
    assertThat(inbox.room().taken()).isZero();
  }
}
