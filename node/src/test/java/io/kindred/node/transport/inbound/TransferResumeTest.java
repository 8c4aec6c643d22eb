package io.kindred.node.transport.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.methods.rounds.SlotModel;
import io.kindred.node.TinyNetwork;
import io.kindred.node.identity.Identity;
import io.kindred.node.transport.Layouts;
import io.kindred.node.transport.Limits;
import io.kindred.node.transport.Packing;
import io.kindred.node.transport.Refusals;
import io.kindred.node.transport.outbound.AddressBook;
import io.kindred.node.transport.outbound.Outbox;
import io.kindred.protocol.wire.Wire;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections that break in the middle of a model's transfer. */
@Timeout(60)
class TransferResumeTest {
  private static final int WEIGHTS = 6_000_000;
  private static final int BYTES_UNTIL_BREAK = 10_000_000;

  @TempDir private Path home;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final List<MessageReceiver.ReceivedMessage> arrived =
      Collections.synchronizedList(new ArrayList<>());
  private final Refusals refusals = new Refusals(line -> {});
  private final Wire wire = new Wire(List.of(NeighbourUpdate.class));
  private final AtomicInteger interruptions = new AtomicInteger();

  @AfterEach
  void close() {
    timer.shutdownNow();
    threads.shutdownNow();
  }

  /**
   * Forwards bytes; breaks each connection after so many bytes until the number of interruptions is
   * reached.
   */
  private void proxyConnection(ServerSocket from, int port, int mostBreaks) throws IOException {
    while (true) {
      Socket near = from.accept();
      Socket far = new Socket(InetAddress.getLoopbackAddress(), port);
      int most = interruptions.get() < mostBreaks ? BYTES_UNTIL_BREAK : Integer.MAX_VALUE;
      Future<?> _ = threads.submit(() -> copy(near, far, most));
      Future<?> _ = threads.submit(() -> copy(far, near, Integer.MAX_VALUE));
    }
  }

  private Void copy(Socket from, Socket to, int most) throws IOException {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[1 << 16];
      int sum = 0;
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        sum += count;
        if (sum > most) {
          interruptions.incrementAndGet();
          return null;
        }
        out.write(buffer, 0, count);
      }
    }
    return null;
  }

  @Test
  void aModelWhoseConnectionBreaksTwiceIsNotSentAnew() throws Exception {
    TinyNetwork network = new TinyNetwork(home, 2, 1);
    float[] values = new float[WEIGHTS];
    for (int i = 0; i < WEIGHTS; i++) {
      values[i] = i % 1_000 / 1_000f;
    }
    Weights weights = Weights.wrap(Layout.builder().add("w", WEIGHTS).build(), values);
    Message message =
        new NeighbourUpdate(1, 1, ModelUpdate.of(new SlotModel(0, weights, 1)), false, 0);
    Identity sender = network.identity(1);
    AddressBook book = new AddressBook(sender);
    InetAddress here = InetAddress.getLoopbackAddress();
    try (Inbox inbox =
            new Inbox(
                new InetSocketAddress(here, 0),
                network.identity(0),
                InboundContext.of(
                    wire,
                    new Layouts(List.of(weights.layout())),
                    new AbusePolicy(Limits.DEFAULTS, refusals),
                    arrived::add),
                new AddressBook(network.identity(0)),
                threads,
                timer);
        ServerSocket between = new ServerSocket(0, 10, here);
        Outbox outbox = new Outbox(sender, book, 50_000, Packing.NONE, refusals, threads, timer)) {
      Future<?> _ =
          threads.submit(
              () -> {
                proxyConnection(between, inbox.port(), 2);
                return null;
              });
      book.addConfigured(
          new TreeMap<>(
              Map.of(new PeerId(0), new InetSocketAddress(here, between.getLocalPort()))));
      CompletableFuture<Optional<String>> ended = new CompletableFuture<>();
      outbox.send(
          new PeerId(0), Component.METHOD, wire.encode(Message.class, message), ended::complete);
      assertThat(ended.get(55, TimeUnit.SECONDS)).isEmpty();
      assertThat(interruptions).hasValue(2);
      assertThat(arrived)
          .singleElement()
          .extracting(MessageReceiver.ReceivedMessage::message)
          .isEqualTo(message);
      // Only the bytes in flight at each interruption are sent twice.
      assertThat(outbox.framedBytes()).isLessThan((long) (1.9 * weights.bytes()));
    }
  }
}
