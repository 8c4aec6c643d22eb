package io.kindred.node.transport.outbound;

import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.PeerId;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.identity.RevocationBook;
import io.kindred.node.identity.SignedAddress;
import io.kindred.node.transport.Header;
import io.kindred.node.transport.NodeRpc;
import io.kindred.node.transport.Packing;
import io.kindred.node.transport.Refusals;
import io.kindred.node.transport.TaskAgreement;
import io.kindred.node.transport.tls.PeerTrustManager;
import io.kindred.node.transport.tls.Tls;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.Wire;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages to other members. A message waits for its connection until its deadline, as nodes
 * do not start at the same moment. Nor do they know each other's addresses at once: for an unknown
 * address the outbox asks other members and waits a while.
 */
public final class Outbox implements AutoCloseable {
  private static final long ADDRESS_WAIT_MILLIS = 5_000;
  private static final long POLL_MILLIS = 200;
  private static final int ANSWER_TIMEOUT_SECONDS = 5;

  /** Bound on messages that wait for an address; further ones fail at once. */
  private static final int MAX_AWAITING_ADDRESS = 1_024;

  private final Identity identity;
  private final Member self;
  private final AddressBook addressBook;
  private final long deadlineMillis;
  private final Packing packing;
  private final Executor executor;
  private final ScheduledExecutorService timer;
  private final SslContext tls;
  private final ConnectionPool connections;
  private final TaskAgreement agreement;
  private final Refusals refusals;
  private final AtomicLong framedBytes = new AtomicLong();
  private final AtomicInteger awaitingAddress = new AtomicInteger();

  /** Members of another task; the difference is found once for each connection. */
  private final Set<PeerId> comparedTasks = new ConcurrentSkipListSet<>();

  private volatile boolean closed;

  /** An outbox of a node that has not named its task. */
  public Outbox(
      Identity identity,
      AddressBook addressBook,
      long deadlineMillis,
      Packing packing,
      Refusals refusals,
      Executor executor,
      ScheduledExecutorService timer) {
    this(
        identity,
        addressBook,
        deadlineMillis,
        packing,
        refusals,
        TaskAgreement.none(),
        executor,
        timer);
  }

  public Outbox(
      Identity identity,
      AddressBook addressBook,
      long deadlineMillis,
      Packing packing,
      Refusals refusals,
      TaskAgreement agreement,
      Executor executor,
      ScheduledExecutorService timer) {
    this.agreement = agreement;
    this.refusals = refusals;
    this.identity = identity;
    this.self = identity.member();
    this.addressBook = addressBook;
    this.deadlineMillis = deadlineMillis;
    this.packing = packing;
    this.executor = executor;
    this.timer = timer;
    try {
      tls = Tls.clientContext(identity, new PeerTrustManager(identity, refusals));
    } catch (SSLException e) {
      throw new IllegalStateException("TLS with a P-256 certificate", e);
    }
    connections =
        new ConnectionPool(
            (peer, address) ->
                new Connection(
                    new Member(self.network(), peer),
                    address,
                    tls,
                    executor,
                    timer,
                    agreement.interceptor(peer, () -> compareTasks(peer))));
  }

  /** Whether messages to a member go through a relay. */
  public boolean isRelayed(PeerId to) {
    return addressBook.relayOf(to).isPresent();
  }

  /** The connection to a member, or to its relay. */
  private @Nullable Connection connectionTo(PeerId to) {
    return directConnectionTo(addressBook.relayOf(to).orElse(to));
  }

  public @Nullable Connection directConnectionTo(PeerId to) {
    // An address that gRPC cannot connect to is treated as unknown.
    return addressBook
        .addressOf(to)
        .filter(address -> SignedAddress.isHost(address.getHostString()))
        .map(address -> connections.connectionTo(to, address))
        .orElse(null);
  }

  /**
   * A message to send.
   *
   * @param component the component of the receiver that it is for
   * @param certificates of the peers whose election proofs it has
   */
  public record OutgoingMessage(
      Component component, Wire.Encoded encoded, List<X509Certificate> certificates) {
    public OutgoingMessage {
      certificates = List.copyOf(certificates);
    }
  }

  /** Sends a message without election proofs. */
  public void send(
      PeerId to,
      Component component,
      Wire.Encoded encoded,
      Consumer<Optional<String>> endListener) {
    send(to, new OutgoingMessage(component, encoded, List.of()), endListener);
  }

  /**
   * Sends a message; the listener is called once, with nothing or with the reason for the failure.
   */
  public void send(PeerId to, OutgoingMessage message, Consumer<Optional<String>> endListener) {
    send(to, message, endListener, Math.min(deadlineMillis, ADDRESS_WAIT_MILLIS));
  }

  private void send(
      PeerId to, OutgoingMessage message, Consumer<Optional<String>> endListener, long waitMillis) {
    Connection connection = connectionTo(to);
    if (connection == null) {
      retryWithAddress(to, message, endListener, waitMillis);
      return;
    }
    if (!connection.tryAcquireSlot()) {
      endListener.accept(Optional.of("too many messages wait for " + to));
      return;
    }
    new OutboundMessage(
            connection,
            addressBook.relayOf(to).map(relay -> new OutboundMessage.RelaySigning(identity, to)),
            agreement
                .addressed(
                    Header.of(
                        self,
                        message.component(),
                        message.encoded(),
                        message.certificates(),
                        packing),
                    to)
                .encode(),
            packing,
            message.encoded().weights(),
            deadlineMillis,
            framedBytes::addAndGet,
            failure -> {
              connection.releaseSlot();
              endListener.accept(failure);
            })
        .start();
  }

  /** Asks another member for addresses and retries a little later. */
  private void retryWithAddress(
      PeerId to, OutgoingMessage message, Consumer<Optional<String>> endListener, long waitMillis) {
    if (waitMillis <= 0 || closed || !tryAwaitAddress()) {
      endListener.accept(Optional.of("there is no known address of " + to));
      return;
    }
    exchangeAddressesWithRandomMember();
    try {
      Future<?> _ =
          timer.schedule(
              () -> {
                awaitingAddress.decrementAndGet();
                executor.execute(() -> send(to, message, endListener, waitMillis - POLL_MILLIS));
              },
              POLL_MILLIS,
              TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closing) {
      // The node is shutting down, so the message is dropped.
      awaitingAddress.decrementAndGet();
    }
  }

  /** Whether one more message may wait for an address. */
  private boolean tryAwaitAddress() {
    if (awaitingAddress.incrementAndGet() <= MAX_AWAITING_ADDRESS) {
      return true;
    }
    awaitingAddress.decrementAndGet();
    return false;
  }

  /** Exchanges addresses with a random known member: each learns what the other knows. */
  public void exchangeAddressesWithRandomMember() {
    List<PeerId> known = addressBook.known();
    if (!known.isEmpty()) {
      exchangeAddresses(known.get(ThreadLocalRandom.current().nextInt(known.size())), () -> {});
    }
  }

  /** Exchanges addresses with one member; {@code onReply} runs only if that member answers. */
  public void exchangeAddresses(PeerId with, Runnable onReply) {
    exchange(
        with,
        NodeRpc.EXCHANGE_ADDRESSES,
        addressBook.syncRequest(),
        addressBook::applySyncReply,
        onReply);
  }

  /** Exchanges revocation lists with some random members. */
  public void exchangeRevocations(RevocationBook book, int members) {
    List<PeerId> known = new ArrayList<>(addressBook.known());
    Collections.shuffle(known, ThreadLocalRandom.current());
    for (PeerId each : known.subList(0, Math.min(members, known.size()))) {
      exchange(each, NodeRpc.EXCHANGE_REVOCATIONS, book.encoded(), book::learn, () -> {});
    }
  }

  /** Finds the first difference to the task of a member; the member finds it as well. */
  private void compareTasks(PeerId with) {
    if (comparedTasks.add(with)) {
      exchange(
          with,
          NodeRpc.COMPARE_TASKS,
          agreement.encoded(),
          reply -> agreement.compare(new Member(self.network(), with), reply, refusals),
          () -> {});
    }
  }

  private interface ReplyReader {
    void read(byte[] reply) throws MalformedException;
  }

  private void exchange(
      PeerId with,
      MethodDescriptor<byte[], byte[]> method,
      byte[] request,
      ReplyReader reader,
      Runnable onReply) {
    Connection connection = directConnectionTo(with);
    if (connection == null || !connection.tryAcquireSlot()) {
      return;
    }
    ClientCalls.asyncUnaryCall(
        connection
            .channel()
            .newCall(
                method,
                CallOptions.DEFAULT
                    .withWaitForReady()
                    .withDeadlineAfter(ANSWER_TIMEOUT_SECONDS, TimeUnit.SECONDS)),
        request,
        new StreamObserver<byte[]>() {
          @Override
          public void onNext(byte[] answer) {
            try {
              reader.read(answer);
            } catch (MalformedException malformed) {
              // What a member passes on is only a hint, so a malformed reply is ignored.
            }
          }

          @Override
          public void onError(Throwable failure) {
            connection.releaseSlot();
          }

          @Override
          public void onCompleted() {
            connection.releaseSlot();
            onReply.run();
          }
        });
  }

  /** Round-trip nanoseconds of so many bytes; empty where no answer came in time. */
  public CompletableFuture<Optional<Long>> echo(PeerId with, int bytes, long millis) {
    CompletableFuture<Optional<Long>> roundTrip = new CompletableFuture<>();
    Connection connection = directConnectionTo(with);
    if (connection == null || !connection.tryAcquireSlot()) {
      roundTrip.complete(Optional.empty());
      return roundTrip;
    }
    long began = System.nanoTime();
    ClientCalls.asyncUnaryCall(
        connection
            .channel()
            .newCall(
                NodeRpc.ECHO,
                CallOptions.DEFAULT
                    .withWaitForReady()
                    .withDeadlineAfter(millis, TimeUnit.MILLISECONDS)),
        new byte[bytes],
        new StreamObserver<byte[]>() {
          @Override
          public void onNext(byte[] answer) {}

          @Override
          public void onError(Throwable failure) {
            connection.releaseSlot();
            roundTrip.complete(Optional.empty());
          }

          @Override
          public void onCompleted() {
            connection.releaseSlot();
            roundTrip.complete(Optional.of(System.nanoTime() - began));
          }
        });
    return roundTrip;
  }

  /**
   * Bytes of all frames so far, headers and repetitions included, without the overhead of TLS and
   * HTTP/2.
   */
  public long framedBytes() {
    return framedBytes.get();
  }

  /**
   * Switches to new credentials: open calls finish on their connections, later calls use new ones.
   */
  public void renewConnections() {
    Tls.invalidateSessions(tls);
    connections.all().forEach(connection -> connection.channel().enterIdle());
  }

  @Override
  public void close() {
    closed = true;
    connections.close();
  }
}
