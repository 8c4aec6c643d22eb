package io.kindred.node.trainer;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.kindred.core.config.SettingException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Where a trainer listens. The connection has no TLS, so it never leaves the machine: a socket in
 * the file system, which its folder's permissions guard, or a port of the loopback device.
 */
record TrainerAddress(SocketAddress socket) {
  private static final String UNIX_PREFIX = "unix:";
  private static final int MOST_PORT = 65_535;

  static TrainerAddress parse(String text) {
    if (text.startsWith(UNIX_PREFIX) && text.length() > UNIX_PREFIX.length()) {
      return new TrainerAddress(UnixDomainSocketAddress.of(text.substring(UNIX_PREFIX.length())));
    }
    int colon = text.lastIndexOf(':');
    String port = text.substring(colon + 1);
    if (colon > 0 && port.matches("\\d{1,5}") && Integer.parseInt(port) <= MOST_PORT) {
      String host = text.substring(0, colon).replaceAll("^\\[|\\]$", "");
      InetSocketAddress address = new InetSocketAddress(host, Integer.parseInt(port));
      if (!address.isUnresolved() && address.getAddress().isLoopbackAddress()) {
        return new TrainerAddress(address);
      }
    }
    throw new SettingException(
        "trainer.address",
        "'" + text + "' is no address on this machine",
        "write unix:/path/to/socket, or a loopback port as in 127.0.0.1:7500");
  }

  /** Opens a connection to the trainer, with one thread of its own. */
  TrainerConnection open() {
    EventLoopGroup threads = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(socket)
            .eventLoopGroup(threads)
            .usePlaintext()
            .overrideAuthority("localhost")
            .directExecutor();
    if (socket instanceof UnixDomainSocketAddress) {
      builder.channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class);
    } else {
      builder.channelType(NioSocketChannel.class, InetSocketAddress.class);
    }
    return new TrainerConnection(builder.build(), threads);
  }

  /** An open connection to a trainer. */
  record TrainerConnection(ManagedChannel channel, EventLoopGroup threads)
      implements AutoCloseable {
    @Override
    public void close() {
      channel.shutdownNow();
      Future<?> _ = threads.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
  }

  @Override
  public String toString() {
    return socket instanceof UnixDomainSocketAddress ? UNIX_PREFIX + socket : socket.toString();
  }
}
