package io.kindred.node.transport.outbound;

import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Weights;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.MessageSignature;
import io.kindred.node.transport.NodeRpc;
import io.kindred.node.transport.Packing;
import io.kindred.node.transport.Refusals;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.WireInput;
import io.kindred.protocol.wire.WireOutput;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends one message to one member until it is received or its deadline is over. When the connection
 * breaks, the receiver is asked how much it has, and only the rest is sent. A receiver that is out
 * of memory is retried after a backoff.
 */
final class OutboundMessage {
  private static final int MAX_INTERRUPTIONS = 32;

  /** Bytes that may be buffered, so that the connection need not wait for the next frame. */
  private static final int READY_BYTES = 2 * NodeRpc.CHUNK_BYTES;

  /** Sender and receiver of a relayed message, which the sender has to sign. */
  record RelaySigning(Identity sender, PeerId receiver) {}

  private final Connection connection;
  private final Optional<RelaySigning> relaySigning;
  private final byte[] header;
  private final Packing packing;
  private final List<Weights> vectors;
  private final long deadline;
  private final LongConsumer frameBytesListener;
  private final Consumer<Optional<String>> endListener;
  private final AtomicBoolean done = new AtomicBoolean();
  private final AtomicInteger interruptions = new AtomicInteger();
  private final AtomicInteger busyRetries = new AtomicInteger();
  private volatile @Nullable Status busyStatus;
  private final String messageId = Long.toString(ThreadLocalRandom.current().nextLong(), 36);

  /**
   * @param frameBytesListener called with the bytes of every frame
   * @param endListener called once, with nothing or with the reason for the failure
   */
  OutboundMessage(
      Connection connection,
      Optional<RelaySigning> relaySigning,
      byte[] header,
      Packing packing,
      List<Weights> vectors,
      long millis,
      LongConsumer frameBytesListener,
      Consumer<Optional<String>> endListener) {
    this.connection = connection;
    this.relaySigning = relaySigning;
    this.header = header;
    this.packing = packing;
    this.vectors = List.copyOf(vectors);
    this.deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    this.frameBytesListener = frameBytesListener;
    this.endListener = endListener;
  }

  void start() {
    upload(0);
  }

  private CallOptions options() {
    return CallOptions.DEFAULT
        .withWaitForReady()
        .withOnReadyThreshold(READY_BYTES)
        .withDeadlineAfter(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  private void upload(long skipped) {
    Metadata metadata = new Metadata();
    metadata.put(NodeRpc.MESSAGE_ID, messageId);
    relaySigning.ifPresent(
        each -> {
          metadata.put(NodeRpc.RECEIVER, Long.toString(each.receiver().number()));
          metadata.put(
              NodeRpc.SIGNATURE,
              MessageSignature.sign(each.sender(), each.receiver(), messageId, header).encode());
        });
    if (skipped > 0) {
      metadata.put(NodeRpc.RESUME_OFFSET, Long.toString(skipped));
    }
    ClientCalls.asyncClientStreamingCall(
        ClientInterceptors.intercept(
                connection.channel(), MetadataUtils.newAttachHeadersInterceptor(metadata))
            .newCall(NodeRpc.DELIVER, options()),
        new OutboundStream(
            header, packing, vectors, skipped, frameBytesListener, this::uploadEnded));
  }

  private void uploadEnded(Status status) {
    // The receiver already has the message where its receipt was lost.
    if (status.isOk() || status.getCode() == Status.Code.ALREADY_EXISTS) {
      finish(Optional.empty());
    } else if (status.getCode() == Status.Code.RESOURCE_EXHAUSTED) {
      retryWhenBusy(status);
    } else if (!vectors.isEmpty()
        && isInterrupted(status)
        && System.nanoTime() < deadline
        && interruptions.incrementAndGet() <= MAX_INTERRUPTIONS) {
      if (relaySigning.isPresent()) {
        connection.schedule(this::resume, Connection.FIRST_RETRY_MILLIS);
      } else {
        resume();
      }
    } else {
      fail(status);
    }
  }

  /** Retries after a backoff while the deadline allows: a busy receiver may have memory later. */
  private void retryWhenBusy(Status status) {
    busyStatus = status;
    long millis = Connection.backoffMillis(busyRetries.getAndIncrement());
    if (System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis) - deadline < 0) {
      connection.schedule(this::resume, millis);
    } else {
      fail(status);
    }
  }

  /**
   * A deadline that passed while the receiver was busy is reported as the receiver's busy status.
   */
  private void fail(Status status) {
    Status earlier = busyStatus;
    boolean late = status.getCode() == Status.Code.DEADLINE_EXCEEDED;
    finish(Optional.of(describe(late && earlier != null ? earlier : status)));
  }

  private static boolean isInterrupted(Status status) {
    return status.getCode() == Status.Code.UNAVAILABLE || status.getCode() == Status.Code.ABORTED;
  }

  /** A relay does not know how much the receiver has, so a relayed message starts again. */
  private void resume() {
    if (relaySigning.isPresent() || vectors.isEmpty()) {
      upload(0);
    } else {
      requestProgress();
    }
  }

  private void requestProgress() {
    WireOutput request = new WireOutput(weights -> {});
    request.writeText(messageId);
    ClientCalls.asyncUnaryCall(
        connection.channel().newCall(NodeRpc.RESUME, options()),
        request.toBytes(),
        new StreamObserver<byte[]>() {
          @Override
          public void onNext(byte[] reply) {
            resume(reply);
          }

          @Override
          public void onError(Throwable failure) {
            uploadEnded(Status.fromThrowable(failure));
          }

          @Override
          public void onCompleted() {}
        });
  }

  private void resume(byte[] reply) {
    try {
      long receivedWeights = new WireInput(reply, digest -> null).readLong();
      if (receivedWeights == NodeRpc.ALL_THERE) {
        finish(Optional.empty());
      } else {
        upload(Math.max(0, receivedWeights));
      }
    } catch (MalformedException malformed) {
      finish(Optional.of("the answer cannot be read: " + malformed.getMessage()));
    }
  }

  private void finish(Optional<String> failure) {
    if (done.compareAndSet(false, true)) {
      endListener.accept(failure);
    }
  }

  /**
   * A status in one line: its description may contain whole stack traces and any text of the
   * receiver.
   */
  static String describe(Status status) {
    String description = status.getDescription();
    return switch (status.getCode()) {
      case DEADLINE_EXCEEDED ->
          "it was not accepted in time; check that the receiving node is up and its"
              + " address is right";
      case UNAVAILABLE -> "the connection failed";
      default ->
          Refusals.sanitize(
              status.getCode()
                  + (description == null ? "" : ": " + description.lines().findFirst().orElse("")));
    };
  }
}
