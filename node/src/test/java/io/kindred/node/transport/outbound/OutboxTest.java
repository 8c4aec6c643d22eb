package io.kindred.node.transport.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.node.TinyNetwork;
import io.kindred.node.identity.Identity;
import io.kindred.node.transport.Packing;
import io.kindred.node.transport.Refusals;
import io.kindred.protocol.wire.Wire;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Messages to members that cannot be reached. */
@Timeout(60)
class OutboxTest {
  private static final PeerId OTHER = new PeerId(1);

  @TempDir private Path home;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final Wire wire = new Wire(List.of(NeighbourUpdate.class));
  private AddressBook book;
  private Outbox outbox;

  @SuppressWarnings("NullAway.Init") // set before each test
  OutboxTest() {}

  @BeforeEach
  void open() {
    Identity identity = new TinyNetwork(home, 2, 1).identity(0);
    book = new AddressBook(identity);
    outbox = new Outbox(identity, book, 300, Packing.NONE, new Refusals(_ -> {}), threads, timer);
  }

  @AfterEach
  void close() {
    outbox.close();
    timer.shutdownNow();
    threads.shutdownNow();
  }

  private void name(String host) {
    SortedMap<PeerId, InetSocketAddress> named = new TreeMap<>();
    named.put(OTHER, InetSocketAddress.createUnresolved(host, 7400));
    book.addConfigured(named);
  }

  private CompletableFuture<Optional<String>> send() {
    CompletableFuture<Optional<String>> ended = new CompletableFuture<>();
    Message message = new NeighbourUpdate(1, 1, new ModelUpdate(List.of()), false, 0);
    outbox.send(OTHER, Component.METHOD, wire.encode(Message.class, message), ended::complete);
    return ended;
  }

  @Test
  void aMessageToAnInvalidHostFailsAndThrowsNothing() throws Exception {
    name("my_node");
    outbox.exchangeAddressesWithRandomMember();
    assertThat(send().get(30, TimeUnit.SECONDS)).contains("there is no known address of peer 1");
  }

  /** gRPC takes these names for schemes of name resolution. */
  @Test
  void aHostMayBeCalledAsASchemeOfGrpcIs() {
    for (String host : List.of("dns", "unix", "::1")) {
      name(host);
      assertThat(outbox.directConnectionTo(OTHER)).as(host).isNotNull();
    }
  }

  /** Blocks the timer thread until the latch is counted down. */
  private CountDownLatch holdTimer() {
    CountDownLatch held = new CountDownLatch(1);
    timer.execute(
        () -> {
          try {
            held.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    return held;
  }

  @Test
  void whoWaitsForAnAddressMayDoSoAfterTooManyDid() throws Exception {
    CountDownLatch held = holdTimer();
    List<CompletableFuture<Optional<String>>> burst = new ArrayList<>();
    for (int i = 0; i < 2_100; i++) {
      burst.add(send());
    }
    assertThat(burst.getFirst()).isNotDone();
    assertThat(burst.getLast()).isDone();
    held.countDown();
    for (CompletableFuture<Optional<String>> each : burst) {
      assertThat(each.get(30, TimeUnit.SECONDS)).isPresent();
    }
    holdTimer();
    assertThat(send()).isNotDone();
  }
}
