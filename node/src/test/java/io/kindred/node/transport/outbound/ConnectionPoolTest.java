package io.kindred.node.transport.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.kindred.core.peer.PeerId;
import io.kindred.node.TinyNetwork;
import io.kindred.node.Until;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.transport.Refusals;
import io.kindred.node.transport.TaskAgreement;
import io.kindred.node.transport.tls.PeerTrustManager;
import io.kindred.node.transport.tls.Tls;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Concurrent requests for a connection to the same member. */
@Timeout(60)
class ConnectionPoolTest {
  private static final PeerId OTHER = new PeerId(1);
  private static final InetSocketAddress HERE =
      InetSocketAddress.createUnresolved("127.0.0.1", 7400);

  @TempDir private Path home;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final List<Connection> made = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch factoryEntered = new CountDownLatch(1);
  private final CountDownLatch factoryReleased = new CountDownLatch(1);
  private ConnectionPool pool;
  private Thread begun = Thread.currentThread();

  @SuppressWarnings("NullAway.Init") // set before each test
  ConnectionPoolTest() {}

  @BeforeEach
  void open() throws SSLException {
    Identity identity = new TinyNetwork(home, 1, 1).identity(0);
    SslContext tls =
        Tls.clientContext(identity, new PeerTrustManager(identity, new Refusals(_ -> {})));
    pool =
        new ConnectionPool(
            (peer, address) -> {
              factoryEntered.countDown();
              await(factoryReleased);
              Connection connection =
                  new Connection(
                      new Member(TinyNetwork.NETWORK, peer),
                      address,
                      tls,
                      threads,
                      timer,
                      TaskAgreement.none().interceptor(new PeerId(0), () -> {}));
              made.add(connection);
              return connection;
            });
  }

  @AfterEach
  void close() {
    pool.close();
    timer.shutdownNow();
    threads.shutdownNow();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private <T extends @Nullable Object> FutureTask<T> begun(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    begun = Thread.ofPlatform().start(task);
    return task;
  }

  private FutureTask<@Nullable Connection> another() {
    return begun(() -> pool.connectionTo(OTHER, HERE));
  }

  /** Waits until the thread that was started last blocks or has ended. */
  private void awaitHalt() throws InterruptedException {
    assertThat(Until.comesTrue(() -> begun.getState() != Thread.State.RUNNABLE)).isTrue();
  }

  @Test
  void twoWhoNeedOneAtOnceGetTheSameAndNoOtherIsMade() throws Exception {
    FutureTask<@Nullable Connection> first = another();
    await(factoryEntered);
    FutureTask<@Nullable Connection> second = another();
    awaitHalt();
    factoryReleased.countDown();
    assertThat(second.get(30, TimeUnit.SECONDS)).isSameAs(first.get(30, TimeUnit.SECONDS));
    assertThat(made).hasSize(1);
  }

  @Test
  void aLineThatIsMadeDuringTheEndIsClosed() throws Exception {
    FutureTask<@Nullable Connection> first = another();
    await(factoryEntered);
    FutureTask<?> end =
        begun(
            () -> {
              pool.close();
              return true;
            });
    awaitHalt();
    factoryReleased.countDown();
    first.get(30, TimeUnit.SECONDS);
    end.get(30, TimeUnit.SECONDS);
    assertThat(made)
        .allSatisfy(connection -> assertThat(connection.channel().isShutdown()).isTrue());
    assertThat(pool.connectionTo(OTHER, HERE)).isNull();
  }
}
