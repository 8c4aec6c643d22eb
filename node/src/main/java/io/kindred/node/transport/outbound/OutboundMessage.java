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
 * One message to one member until it is there or its time is over. Where the connection breaks
 * under way the receiver is asked how much it has, and only the rest is sent again. A receiver that
 * has no room is asked again later.
 */
final class OutboundMessage {
  private static final int MAX_INTERRUPTIONS = 32;

  /** What may wait for the connection, so that it need not wait for the next frame. */
  private static final int READY_BYTES = 2 * NodeRpc.CHUNK_BYTES;

  /** What a message needs that somebody else hands on. */
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
   * @param framed told the bytes of every frame
   * @param ended told once how it ended: with nothing, or with what went wrong
   */
  OutboundMessage(
      Connection connection,
      Optional<RelaySigning> relaySigning,
      byte[] header,
      Packing packing,
      List<Weights> vectors,
      long millis,
      LongConsumer framed,
      Consumer<Optional<String>> ended) {
    this.connection = connection;
    this.relaySigning = relaySigning;
    this.header = header;
    this.packing = packing;
    this.vectors = List.copyOf(vectors);
    this.deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    this.frameBytesListener = framed;
    this.endListener = ended;
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
    Metadata slip = new Metadata();
    slip.put(NodeRpc.MESSAGE_ID, messageId);
    relaySigning.ifPresent(
        each -> {
          slip.put(NodeRpc.RECEIVER, Long.toString(each.receiver().number()));
          slip.put(
              NodeRpc.SIGNATURE,
              MessageSignature.of(each.sender(), each.receiver(), messageId, header).encode());
        });
    if (skipped > 0) {
      slip.put(NodeRpc.RESUME_OFFSET, Long.toString(skipped));
    }
    ClientCalls.asyncClientStreamingCall(
        ClientInterceptors.intercept(
                connection.channel(), MetadataUtils.newAttachHeadersInterceptor(slip))
            .newCall(NodeRpc.DELIVER, options()),
        new OutboundStream(
            header, packing, vectors, skipped, frameBytesListener, this::uploadEnded));
  }

  private void uploadEnded(Status status) {
    // One that is there already is one whose receipt was lost.
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

  /** Where there is no room now there may be some later, as long as the message has time. */
  private void retryWhenBusy(Status status) {
    busyStatus = status;
    long millis = Connection.backoffMillis(busyRetries.getAndIncrement());
    if (System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis) - deadline < 0) {
      connection.schedule(this::resume, millis);
    } else {
      fail(status);
    }
  }

  /** Of a message whose time ended while there was no room, that is what went wrong. */
  private void fail(Status status) {
    Status earlier = busyStatus;
    boolean late = status.getCode() == Status.Code.DEADLINE_EXCEEDED;
    finish(Optional.of(describe(late && earlier != null ? earlier : status)));
  }

  private static boolean isInterrupted(Status status) {
    return status.getCode() == Status.Code.UNAVAILABLE || status.getCode() == Status.Code.ABORTED;
  }

  /** Whoever hands it on knows nothing of how far it came. */
  private void resume() {
    if (relaySigning.isPresent() || vectors.isEmpty()) {
      upload(0);
    } else {
      requestProgress();
    }
  }

  private void requestProgress() {
    WireOutput question = new WireOutput(weights -> {});
    question.writeText(messageId);
    ClientCalls.asyncUnaryCall(
        connection.channel().newCall(NodeRpc.RESUME, options()),
        question.toBytes(),
        new StreamObserver<byte[]>() {
          @Override
          public void onNext(byte[] answer) {
            resume(answer);
          }

          @Override
          public void onError(Throwable failure) {
            Status status = Status.fromThrowable(failure);
            if (status.getCode() == Status.Code.UNIMPLEMENTED) {
              upload(0);
            } else {
              uploadEnded(status);
            }
          }

          @Override
          public void onCompleted() {}
        });
  }

  private void resume(byte[] answer) {
    try {
      long there = new WireInput(answer, digest -> null).readLong();
      if (there == NodeRpc.ALL_THERE) {
        finish(Optional.empty());
      } else {
        upload(Math.max(0, there));
      }
    } catch (MalformedException malformed) {
      finish(Optional.of("an answer that cannot be read: " + malformed.getMessage()));
    }
  }

  private void finish(Optional<String> failure) {
    if (done.compareAndSet(false, true)) {
      endListener.accept(failure);
    }
  }

  /** In one line: descriptions may hold whole stack traces, and whatever the receiver likes. */
  static String describe(Status status) {
    String description = status.getDescription();
    return switch (status.getCode()) {
      case DEADLINE_EXCEEDED -> "nobody took it in time; is the node up, and its address right?";
      case UNAVAILABLE -> "the connection broke";
      default ->
          Refusals.sanitize(
              status.getCode()
                  + (description == null ? "" : ": " + description.lines().findFirst().orElse("")));
    };
  }
}
