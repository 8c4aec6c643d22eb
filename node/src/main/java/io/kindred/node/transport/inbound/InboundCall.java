package io.kindred.node.transport.inbound;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.kindred.core.peer.Message;
import io.kindred.node.identity.Member;
import io.kindred.node.transport.Header;
import io.kindred.node.transport.MessageMetadata;
import io.kindred.node.transport.NodeRpc;
import io.kindred.node.transport.RefusalKind;
import io.kindred.node.transport.WireVersions;
import io.kindred.protocol.wire.MalformedException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The call of one inbound message. Nothing that the sender claims is trusted before it is checked:
 * the sender against its certificate, sizes against limits, weights against their digests.
 */
final class InboundCall implements StreamObserver<byte[]>, InboundTransfers.ActiveTransfer {
  private final InboundContext context;
  private final Member caller;
  private final StreamObserver<byte[]> answers;
  private final MessageMetadata metadata;
  private @Nullable PartialMessage partialMessage;
  private long reservedBytes;
  private boolean ended;

  InboundCall(
      InboundContext context,
      Member caller,
      MessageMetadata metadata,
      StreamObserver<byte[]> answers) {
    this.context = context;
    this.caller = caller;
    this.metadata = metadata;
    this.answers = answers;
  }

  @Override
  public synchronized void onNext(byte[] frame) {
    if (ended) {
      return;
    }
    PartialMessage known = partialMessage;
    if (known == null) {
      readHeader(frame);
      return;
    }
    try {
      known.add(frame, context.limits().weightsRms()).ifPresent(this::reportBadWeights);
    } catch (MalformedException malformed) {
      rejectAsOffenceUnlessRelayed(
          RefusalKind.MALFORMED_MESSAGE,
          Status.INVALID_ARGUMENT,
          String.valueOf(malformed.getMessage()));
    }
  }

  /**
   * Weights that match their digest come from the author of the header, even through a relay. The
   * message id is marked as received, or a relay could send the message again to incriminate its
   * sender.
   */
  private void reportBadWeights(String why) {
    metadata.messageId().ifPresent(messageId -> transfers().markReceived(caller.peer(), messageId));
    rejectAsOffence(RefusalKind.BAD_WEIGHTS, Status.INVALID_ARGUMENT, why);
  }

  private void readHeader(byte[] frame) {
    try {
      Header header = Header.decode(frame);
      WireVersions spoken = context.agreement().spoken();
      if (header.version() < spoken.oldest()) {
        throw new Header.OtherVersionException(header.version(), spoken);
      }
      checkHeader(header);
    } catch (Header.OtherVersionException other) {
      reject(
          RefusalKind.OTHER_VERSION,
          Status.FAILED_PRECONDITION,
          String.valueOf(other.getMessage()));
    } catch (MalformedException malformed) {
      rejectAsOffence(
          RefusalKind.MALFORMED_MESSAGE,
          Status.INVALID_ARGUMENT,
          String.valueOf(malformed.getMessage()));
    }
  }

  private void checkHeader(Header header) throws MalformedException {
    if (!header.sender().equals(caller)) {
      rejectAsOffence(
          RefusalKind.FALSE_SENDER,
          Status.PERMISSION_DENIED,
          "the sender claims to be " + header.sender());
      return;
    }
    if (!context.agreement().accepts(header)) {
      reject(RefusalKind.OTHER_TASK, Status.FAILED_PRECONDITION, "its header names another task");
      return;
    }
    if (metadata.messageId().isEmpty()) {
      // Every node numbers its messages; without a number a repetition could not be recognized.
      throw new MalformedException("the message has no number");
    }
    if (metadata
        .messageId()
        .filter(messageId -> transfers().wasReceived(caller.peer(), messageId))
        .isPresent()) {
      rejectAsOffenceUnlessRelayed(
          RefusalKind.REPLAYED_MESSAGE, Status.ALREADY_EXISTS, "it was received before");
      return;
    }
    long sum = 0;
    for (Header.Blob blob : header.blobs()) {
      if (blob.bytes() < 0) {
        throw new MalformedException("a vector has a size of " + blob.bytes() + " bytes");
      }
      // Capped above every limit and below an overflow of the sum.
      sum = Math.min(sum + Math.min(blob.bytes(), Long.MAX_VALUE / 4), Long.MAX_VALUE / 4);
    }
    if (sum > context.limits().messageBytes()) {
      rejectAsOffence(
          RefusalKind.TOO_LARGE,
          Status.OUT_OF_RANGE,
          sum + " bytes of weights, but the limit is " + context.limits().messageBytes());
      return;
    }
    context.layouts().requireKnown(header);
    if (metadata.resumeOffset() > 0) {
      resume(header);
    } else {
      startNew(header, sum + header.message().length);
    }
  }

  /** Reserves memory for all that the header announces before any weights arrive. */
  private void startNew(Header header, long wanted) {
    long max = context.budget().maxMessageBytes();
    if (wanted > max) {
      // No offence: the sender cannot know how much memory this node has.
      reject(
          RefusalKind.NO_ROOM,
          Status.OUT_OF_RANGE,
          wanted + " bytes, but this node has memory for at most " + max);
      return;
    }
    if (!transfers().reserve(caller.peer(), wanted)) {
      reject(
          RefusalKind.NO_ROOM,
          Status.RESOURCE_EXHAUSTED,
          "unfinished messages take all memory that this node grants them; try again later");
      return;
    }
    reservedBytes = wanted;
    start(new PartialMessage(header, context.layouts()));
  }

  /**
   * Continues an interrupted transfer if the header and the offset match; its reserved memory is
   * reused.
   */
  private void resume(Header header) {
    Optional<InboundTransfers.InterruptedTransfer> earlier =
        metadata.messageId().flatMap(messageId -> transfers().resume(caller.peer(), messageId));
    reservedBytes = earlier.map(InboundTransfers.InterruptedTransfer::reservedBytes).orElse(0L);
    earlier
        .map(InboundTransfers.InterruptedTransfer::message)
        .filter(
            each ->
                each.header().isSameAs(header) && each.receivedWeights() == metadata.resumeOffset())
        .ifPresentOrElse(
            this::start,
            () ->
                fail(
                    Status.ABORTED,
                    "this node does not have the beginning of the message; send it from the"
                        + " start"));
  }

  private void start(PartialMessage message) {
    partialMessage = message;
    metadata
        .messageId()
        .ifPresent(messageId -> transfers().register(caller.peer(), messageId, this));
  }

  private InboundTransfers transfers() {
    return context.transfers();
  }

  @Override
  public synchronized void onCompleted() {
    if (ended) {
      return;
    }
    PartialMessage known = partialMessage;
    if (known == null || !known.isComplete()) {
      rejectAsOffenceUnlessRelayed(
          RefusalKind.MALFORMED_MESSAGE,
          Status.INVALID_ARGUMENT,
          "the message has fewer weights than its header announces");
      return;
    }
    try {
      deliver(known);
    } catch (MalformedException malformed) {
      rejectAsOffence(
          RefusalKind.MALFORMED_MESSAGE,
          Status.INVALID_ARGUMENT,
          String.valueOf(malformed.getMessage()));
    }
  }

  private void deliver(PartialMessage whole) throws MalformedException {
    Header header = whole.header();
    Message read = context.wire().decode(Message.class, header.message(), whole.weights()::get);
    long modelBytes = 0;
    long memoryBytes = header.message().length;
    for (Header.Blob blob : header.blobs()) {
      modelBytes += blob.packing().bytes(blob.bytes() / Float.BYTES);
      memoryBytes += blob.bytes();
    }
    boolean taken =
        context
            .receiver()
            .offer(
                new MessageReceiver.ReceivedMessage(
                    caller.peer(),
                    header.component(),
                    read,
                    header.message().length,
                    modelBytes,
                    header.blobs().stream().map(Header.Blob::digest).distinct().toList(),
                    memoryBytes,
                    header.certificates()));
    if (!taken) {
      // On its next attempt the sender need not send the weights again.
      keepForResume(whole);
      reject(
          RefusalKind.NO_ROOM,
          Status.RESOURCE_EXHAUSTED,
          "too many received messages wait to be processed; try again later");
      return;
    }
    metadata.messageId().ifPresent(messageId -> transfers().markReceived(caller.peer(), messageId));
    close();
    answers.onNext(NodeRpc.RECEIPT);
    answers.onCompleted();
  }

  private void close() {
    ended = true;
    partialMessage = null;
    context.budget().release(caller.peer(), reservedBytes);
    reservedBytes = 0;
    metadata
        .messageId()
        .ifPresent(messageId -> transfers().unregister(caller.peer(), messageId, this));
  }

  private void reject(RefusalKind kind, Status status, String why) {
    context.policy().refuse(caller, kind, why);
    fail(status, why);
  }

  /** Rejects a message that no honest member sends. */
  private void rejectAsOffence(RefusalKind kind, Status status, String why) {
    context.policy().reportOffence(caller, kind, why);
    fail(status, why);
  }

  /**
   * Rejects a message, as an offence only if it came directly. The sender of a relayed message has
   * signed the header alone: bytes that do not match it, and repetitions, may be the relay's doing.
   * Besides, a sender whose connection to the relay broke cannot ask for progress and sends the
   * whole message again.
   */
  private void rejectAsOffenceUnlessRelayed(RefusalKind kind, Status status, String why) {
    if (metadata.signature().isPresent()) {
      reject(kind, status, why);
    } else {
      rejectAsOffence(kind, status, why);
    }
  }

  private void fail(Status status, String why) {
    close();
    answers.onError(status.withDescription(why).asRuntimeException());
  }

  /** The sender gave up or the connection broke; the sender may resume later. */
  @Override
  public void onError(Throwable broken) {
    interrupt();
  }

  /** Ends the call and keeps the received part for a while. */
  @Override
  public synchronized void interrupt() {
    PartialMessage partial = partialMessage;
    if (!ended && partial != null) {
      keepForResume(partial);
    }
    close();
  }

  /**
   * Keeps the received part for a sender that can ask for progress, which a sender of relayed
   * messages cannot.
   */
  private void keepForResume(PartialMessage partial) {
    if (partial.receivedWeights() > 0
        && metadata.messageId().isPresent()
        && metadata.signature().isEmpty()) {
      transfers()
          .keepInterrupted(caller.peer(), metadata.messageId().get(), partial, reservedBytes);
      reservedBytes = 0;
    }
  }
}
