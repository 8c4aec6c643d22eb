package io.kindred.node.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.kindred.core.PeerId;
import io.kindred.node.TinyNetwork;
import io.kindred.node.Until;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
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

/** Who needs a line to the same member at the same time. */
@Timeout(60)
class LinesTest {
  private static final PeerId OTHER = new PeerId(1);
  private static final InetSocketAddress HERE =
      InetSocketAddress.createUnresolved("127.0.0.1", 7400);

  @TempDir private Path home;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final List<Line> made = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch making = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private Lines lines;
  private Thread begun = Thread.currentThread();

  @SuppressWarnings("NullAway.Init") // set before each test
  LinesTest() {}

  @BeforeEach
  void open() throws SSLException {
    Identity identity = new TinyNetwork(home, 1, 1).identity(0);
    SslContext tls = Tls.client(identity, new Gatekeeper(identity, new Refusals(_ -> {})));
    lines =
        new Lines(
            (peer, address) -> {
              making.countDown();
              await(goOn);
              Line line =
                  new Line(new Member(TinyNetwork.NETWORK, peer), address, tls, threads, timer);
              made.add(line);
              return line;
            });
  }

  @AfterEach
  void close() {
    lines.close();
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

  private FutureTask<@Nullable Line> another() {
    return begun(() -> lines.to(OTHER, HERE));
  }

  /** Until the thread that was begun last waits for something, or came to its end. */
  private void awaitHalt() throws InterruptedException {
    assertThat(Until.comesTrue(() -> begun.getState() != Thread.State.RUNNABLE)).isTrue();
  }

  @Test
  void twoWhoNeedOneAtOnceGetTheSameAndNoOtherIsMade() throws Exception {
    FutureTask<@Nullable Line> first = another();
    await(making);
    FutureTask<@Nullable Line> second = another();
    awaitHalt();
    goOn.countDown();
    assertThat(second.get(30, TimeUnit.SECONDS)).isSameAs(first.get(30, TimeUnit.SECONDS));
    assertThat(made).hasSize(1);
  }

  @Test
  void aLineThatIsMadeDuringTheEndIsClosed() throws Exception {
    FutureTask<@Nullable Line> first = another();
    await(making);
    FutureTask<?> end =
        begun(
            () -> {
              lines.close();
              return true;
            });
    awaitHalt();
    goOn.countDown();
    first.get(30, TimeUnit.SECONDS);
    end.get(30, TimeUnit.SECONDS);
    assertThat(made).allSatisfy(line -> assertThat(line.channel().isShutdown()).isTrue());
    assertThat(lines.to(OTHER, HERE)).isNull();
  }
}
