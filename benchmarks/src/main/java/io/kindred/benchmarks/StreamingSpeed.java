package io.kindred.benchmarks;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.methods.rounds.SlotModel;
import io.kindred.node.identity.Authority;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.transport.Layouts;
import io.kindred.node.transport.Limits;
import io.kindred.node.transport.Packing;
import io.kindred.node.transport.Refusals;
import io.kindred.node.transport.inbound.AbusePolicy;
import io.kindred.node.transport.inbound.InboundContext;
import io.kindred.node.transport.inbound.Inbox;
import io.kindred.node.transport.outbound.AddressBook;
import io.kindred.node.transport.outbound.Outbox;
import io.kindred.protocol.wire.Wire;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Throughput of models from node to node over mutual TLS on loopback, with all checks of the
 * receiver, against the same bytes through a plain socket in the same run; and the memory that a
 * connection takes.
 */
public final class StreamingSpeed {
  private static final int WEIGHTS = 8_500_000;
  private static final int TRANSFERS = 10;
  private static final int TURNS = 10;
  private static final int CONNECTIONS = 64;
  private static final int CHUNK = 1 << 18;
  private static final double MEGA = 1e6;

  private final Path home;
  private final Authority authority;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final Wire wire = new Wire(List.of(NeighbourUpdate.class));

  private StreamingSpeed(Path home) {
    this.home = home;
    this.authority = Authority.create(home.resolve("authority"));
  }

  public static void main(String[] arguments) throws Exception {
    new StreamingSpeed(Files.createTempDirectory("streaming")).run();
    System.exit(0);
  }

  private Identity identity(int peer) {
    Path folder = home.resolve("peer-" + peer);
    Identity.create(folder);
    authority.issue(folder, new Member("speed", new PeerId(peer)));
    return Identity.read(folder, Optional.empty());
  }

  private Wire.Encoded encoded(Weights weights) {
    return wire.encode(
        Message.class,
        new NeighbourUpdate(1, 1, ModelUpdate.of(new SlotModel(0, weights, 1)), false, 0));
  }

  private void run() throws Exception {
    Layout layout = Layout.builder().add("w", WEIGHTS).build();
    Layout small = Layout.builder().add("w", 1).build();
    float[] values = new float[WEIGHTS];
    for (int i = 0; i < values.length; i++) {
      values[i] = (i % 2_001 - 1_000) / 1_000f;
    }
    Weights weights = Weights.copyOf(layout, values);
    Identity server = identity(0);
    Refusals refusals = new Refusals(System.err::println);
    Limits limits = new Limits(512, 120, 1e6, 10, 60);
    try (Inbox inbox =
        new Inbox(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            server,
            InboundContext.of(
                wire,
                new Layouts(List.of(layout, small)),
                new AbusePolicy(limits, refusals),
                received -> true),
            new AddressBook(server),
            threads,
            timer)) {
      speed(inbox.port(), weights, refusals);
      memory(inbox.port(), Weights.copyOf(small, new float[1]), refusals);
    }
  }

  private Outbox outbox(int peer, int port, Refusals refusals) {
    Identity sender = identity(peer);
    SortedMap<PeerId, InetSocketAddress> addresses = new TreeMap<>();
    addresses.put(new PeerId(0), new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    AddressBook book = new AddressBook(sender);
    book.addConfigured(addresses);
    return new Outbox(sender, book, 60_000, Packing.NONE, refusals, threads, timer);
  }

  private static void send(Outbox outbox, Wire.Encoded encoded) throws Exception {
    CompletableFuture<Optional<String>> ended = new CompletableFuture<>();
    outbox.send(new PeerId(0), Component.METHOD, encoded, ended::complete);
    Optional<String> failure = ended.get();
    if (failure.isPresent()) {
      throw new IllegalStateException(failure.get());
    }
  }

  private void speed(int port, Weights weights, Refusals refusals) throws Exception {
    Wire.Encoded encoded = encoded(weights);
    double megabytes = TRANSFERS * weights.bytes() / MEGA;
    try (Outbox outbox = outbox(1, port, refusals);
        ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Future<?> _ = threads.submit(() -> discardModels(listening));
      try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), listening.getLocalPort())) {
        for (int turn = 0; turn < TURNS; turn++) {
          long start = System.nanoTime();
          long processor = processorNanos();
          for (int i = 0; i < TRANSFERS; i++) {
            send(outbox, encoded);
          }
          double node = megabytes / ((System.nanoTime() - start) / 1e9);
          double nodeWork = (processorNanos() - processor) / 1e6 / megabytes;
          start = System.nanoTime();
          processor = processorNanos();
          for (int i = 0; i < TRANSFERS; i++) {
            copy(plain, weights);
          }
          double socket = megabytes / ((System.nanoTime() - start) / 1e9);
          double socketWork = (processorNanos() - processor) / 1e6 / megabytes;
          System.out.printf(
              Locale.ROOT,
              "turn %d: models of %.0f MB, node to node %.0f MB/s, plain socket %.0f MB/s, ratio"
                  + " %.2f; processor time %.2f and %.2f ms/MB, ratio %.2f%n",
              turn + 1,
              weights.bytes() / MEGA,
              node,
              socket,
              node / socket,
              nodeWork,
              socketWork,
              socketWork / nodeWork);
        }
      }
    }
  }

  /**
   * Sends the same floats as bytes, in chunks of the same size, until the receiver acknowledges
   * them.
   */
  private static void copy(Socket to, Weights weights) throws IOException {
    OutputStream out = to.getOutputStream();
    ByteBuffer chunk = ByteBuffer.allocate(CHUNK).order(ByteOrder.LITTLE_ENDIAN);
    for (int offset = 0; offset < weights.size(); offset += CHUNK / Float.BYTES) {
      int count = Math.min(CHUNK / Float.BYTES, weights.size() - offset);
      chunk.asFloatBuffer().put(weights.shared(), offset, count);
      out.write(chunk.array(), 0, count * Float.BYTES);
    }
    if (to.getInputStream().read() < 0) {
      throw new IOException("the other side closed the connection");
    }
  }

  private static Void discardModels(ServerSocket listening) throws IOException {
    try (Socket from = listening.accept()) {
      DataInputStream in = new DataInputStream(from.getInputStream());
      byte[] model = new byte[WEIGHTS * Float.BYTES];
      while (true) {
        in.readFully(model);
        from.getOutputStream().write(1);
      }
    }
  }

  /** Both ends of every connection are in this process. */
  private void memory(int port, Weights weights, Refusals refusals) throws Exception {
    List<Outbox> open = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      open.add(outbox(2 + i, port, refusals));
    }
    double before = used();
    for (Outbox each : open) {
      send(each, encoded(weights));
    }
    double after = used();
    System.out.printf(
        Locale.ROOT,
        "%d idle connections: %.0f kB each, both ends together%n",
        CONNECTIONS,
        (after - before) / CONNECTIONS / 1e3);
    open.forEach(Outbox::close);
  }

  /** Time of all threads, which other processes of the machine do not change much. */
  private static long processorNanos() {
    return ProcessHandle.current().info().totalCpuDuration().map(Duration::toNanos).orElseThrow();
  }

  private static double used() {
    System.gc();
    System.gc();
    double bytes = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      bytes += pool.getMemoryUsed();
    }
    return bytes;
  }
}
