package io.kindred.node.transport.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.sun.management.ThreadMXBean;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.methods.hfl.HflMessage;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.NeighbourMessage.Announcement;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.methods.rounds.SlotModel;
import io.kindred.node.identity.Member;
import io.kindred.node.transport.Header;
import io.kindred.node.transport.Packing;
import io.kindred.node.transport.outbound.AddressBook;
import io.kindred.protocol.overlay.machine.Overlay;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.Wire;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A parser rejects any bytes as malformed or reads them, and allocates little memory for it. {@code
 * benchmarks/fuzz} searches ten minutes for bytes that break a parser; the normal test run leaves
 * that out, as fuzzing instruments the classes under test.
 */
class ParserFuzzTest {
  private static final String TEN_MINUTES = "10m";

  /** Bound for a few kilobytes of input. */
  private static final long MOST_ALLOCATED = 16L << 20;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final Layout LAYOUT = Layout.builder().add("w", 64).build();
  private static final Weights WEIGHTS = Weights.copyOf(LAYOUT, new float[64]);
  private static final Wire WIRE = new Wire(records());

  private static List<Class<?>> records() {
    List<Class<?>> records = new ArrayList<>(Overlay.records());
    records.addAll(HflMessage.all());
    records.add(NeighbourUpdate.class);
    records.add(Announcement.class);
    return records;
  }

  private interface Parsing {
    void run() throws MalformedException, Header.OtherVersionException;
  }

  /** Parses twice, as the first time loads classes. */
  private static void bounded(Parsing parsing) {
    parse(parsing);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    parse(parsing);
    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(MOST_ALLOCATED);
  }

  private static void parse(Parsing parsing) {
    try {
      parsing.run();
    } catch (MalformedException | Header.OtherVersionException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }

  private static Wire.Encoded offer() {
    return WIRE.encode(
        Message.class,
        new NeighbourUpdate(1, 1, ModelUpdate.of(new SlotModel(0, WEIGHTS, 1)), false, 0));
  }

  static Stream<byte[]> headers() {
    Member sender = new Member("tiny", new PeerId(1));
    return Stream.of(Packing.NONE, new Packing(Packing.Values.BFLOAT16, true))
        .map(packing -> Header.of(sender, Component.METHOD, offer(), packing).encode());
  }

  @MethodSource("headers")
  @FuzzTest(maxDuration = TEN_MINUTES)
  void headersAreReadOrRefused(byte[] bytes) {
    bounded(() -> Header.decode(bytes).encode());
  }

  static Stream<byte[]> messages() {
    Message announcement = new Announcement(1, 1, Ints.of(0, 1), false, 0);
    return Stream.of(offer().bytes(), WIRE.encode(Message.class, announcement).bytes());
  }

  @MethodSource("messages")
  @FuzzTest(maxDuration = TEN_MINUTES)
  void messagesAreReadOrRefused(byte[] bytes) {
    bounded(
        () -> {
          Message read = WIRE.decode(Message.class, bytes, digest -> WEIGHTS);
          assertThat(WIRE.encode(Message.class, read).bytes()).isNotEmpty();
        });
  }

  static Stream<byte[]> addresses() {
    AddressBook book = new AddressBook(new PeerId(1), _ -> true, System::currentTimeMillis);
    return Stream.of(book.syncRequest(), new byte[] {1});
  }

  @MethodSource("addresses")
  @FuzzTest(maxDuration = TEN_MINUTES)
  void addressesAreReadOrRefused(byte[] bytes) {
    AddressBook book = new AddressBook(new PeerId(0), _ -> true, System::currentTimeMillis);
    bounded(() -> book.applySyncReply(bytes));
    bounded(() -> book.answerSync(bytes));
  }

  static Stream<byte[]> frames() {
    return Stream.of(0, 1, 2, 3).map(ParserFuzzTest::frame);
  }

  private static byte[] frame(int code) {
    try {
      byte[] packed = Packing.of(code).pack(WEIGHTS.shared(), 0, 64);
      byte[] all = new byte[packed.length + 1];
      all[0] = (byte) code;
      System.arraycopy(packed, 0, all, 1, packed.length);
      return all;
    } catch (MalformedException e) {
      throw new IllegalStateException(e);
    }
  }

  @MethodSource("frames")
  @FuzzTest(maxDuration = TEN_MINUTES)
  void framesOfWeightsAreReadOrRefused(byte[] bytes) {
    if (bytes.length > 0) {
      bounded(
          () ->
              new VectorAssembler(LAYOUT, Packing.of(bytes[0]))
                  .add(Arrays.copyOfRange(bytes, 1, bytes.length)));
    }
  }
}
