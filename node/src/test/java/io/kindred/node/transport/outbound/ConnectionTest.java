package io.kindred.node.transport.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.stub.MetadataUtils;
import io.kindred.core.peer.PeerId;
import io.kindred.node.Until;
import io.kindred.node.identity.Member;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ConnectionTest {
  /** A hundred times as fast as the time that it is told. */
  private static final class FastTimer extends ScheduledThreadPoolExecutor {
    FastTimer() {
      super(1);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable work, long delay, TimeUnit unit) {
      return super.schedule(work, unit.toMicros(delay) / 100, TimeUnit.MICROSECONDS);
    }
  }

  @Test
  void pausesDoubleUpToFiveSecondsAndAreHalfByChance() {
    for (int repeat = 0; repeat < 100; repeat++) {
      assertThat(Connection.backoffMillis(0)).isBetween(100L, 200L);
      assertThat(Connection.backoffMillis(3)).isBetween(800L, 1_600L);
      assertThat(Connection.backoffMillis(10)).isBetween(2_500L, 5_000L);
      assertThat(Connection.backoffMillis(1_000)).isBetween(2_500L, 5_000L);
    }
  }

  /** With the retries of gRPC alone the twentieth attempt would be half an hour after the first. */
  @Test
  void aMemberThatIsDownIsTriedAgainForAsLongAsItIsDown() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    try (ServerSocket refusing = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        FastTimer timer = new FastTimer()) {
      Thread.ofVirtual().start(() -> refuseAll(refusing, attempts));
      Connection connection =
          new Connection(
              new Member("tiny", new PeerId(1)),
              new InetSocketAddress(InetAddress.getLoopbackAddress(), refusing.getLocalPort()),
              GrpcSslContexts.forClient().build(),
              Runnable::run,
              timer,
              MetadataUtils.newAttachHeadersInterceptor(new Metadata()));
      connection.channel().getState(true);

      assertThat(Until.comesTrue(() -> attempts.get() >= 20)).isTrue();

      connection.close();
      connection.awaitTermination(TimeUnit.SECONDS.toNanos(10));
    }
  }

  private static void refuseAll(ServerSocket socket, AtomicInteger attempts) {
    while (!socket.isClosed()) {
      try {
        socket.accept().close();
        attempts.incrementAndGet();
      } catch (IOException closed) {
        return;
      }
    }
  }
}
