package io.kindred.node.transport.inbound;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.kindred.core.peer.Message;
import io.kindred.node.identity.Member;
import io.kindred.node.transport.Header;
import io.kindred.node.transport.MessageMetadata;
import io.kindred.node.transport.NodeRpc;
import io.kindred.protocol.wire.MalformedException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One message on its way in. Nothing that the sender says is believed before it is checked: who it
 * is against its certificate, sizes against limits, weights against their digests.
 */
final class InboundCall implements StreamObserver<byte[]> {
  private final Inbox inbox;
  private final Member caller;
  private final StreamObserver<byte[]> answers;
  private final MessageMetadata metadata;
  private @Nullable PartialMessage partialMessage;
  private long reservedBytes;
  private boolean ended;

  InboundCall(
      Inbox inbox, Member caller, MessageMetadata metadata, StreamObserver<byte[]> answers) {
    this.inbox = inbox;
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
      begin(frame);
      return;
    }
    try {
      known.add(frame, inbox.limits().weightsRms()).ifPresent(this::reportBadWeights);
    } catch (MalformedException malformed) {
      rejectAsOffenceUnlessRelayed(
          "malformed-message", Status.INVALID_ARGUMENT, String.valueOf(malformed.getMessage()));
    }
  }

  /**
   * Weights that match their digest are those of whoever made the header, also where somebody else
   * hands them on. Once for each number, or a relay could blame a sender by sending them again.
   */
  private void reportBadWeights(String why) {
    metadata.messageId().ifPresent(number -> transfers().markReceived(caller.peer(), number));
    rejectAsOffence("bad-weights", Status.INVALID_ARGUMENT, why);
  }

  private void begin(byte[] header) {
    try {
      checkHeader(Header.decode(header));
    } catch (Header.OtherVersionException other) {
      reject("other-version", Status.FAILED_PRECONDITION, String.valueOf(other.getMessage()));
    } catch (MalformedException malformed) {
      rejectAsOffence(
          "malformed-message", Status.INVALID_ARGUMENT, String.valueOf(malformed.getMessage()));
    }
  }

  private void checkHeader(Header opened) throws MalformedException {
    if (!opened.sender().equals(caller)) {
      rejectAsOffence("false-sender", Status.PERMISSION_DENIED, "claims to be " + opened.sender());
      return;
    }
    if (metadata
        .messageId()
        .filter(number -> transfers().wasReceived(caller.peer(), number))
        .isPresent()) {
      rejectAsOffenceUnlessRelayed("replayed-message", Status.ALREADY_EXISTS, "came before");
      return;
    }
    long sum = 0;
    for (Header.Blob blob : opened.blobs()) {
      if (blob.bytes() < 0) {
        throw new MalformedException("a vector of " + blob.bytes() + " bytes");
      }
      // Beyond all limits, and not beyond what a number holds.
      sum = Math.min(sum + Math.min(blob.bytes(), Long.MAX_VALUE / 4), Long.MAX_VALUE / 4);
    }
    if (sum > inbox.limits().messageBytes()) {
      rejectAsOffence("too-large", Status.OUT_OF_RANGE, sum + " bytes of weights");
      return;
    }
    inbox.layouts().requireKnown(opened);
    if (metadata.resumeOffset() > 0) {
      resume(opened);
    } else {
      startNew(opened, sum + opened.message().length);
    }
  }

  /** Before there is any of it: what a header announces is made room for at once. */
  private void startNew(Header opened, long wanted) {
    long most = inbox.memoryBudget().maxMessageBytes();
    if (wanted > most) {
      // No offence: nobody else knows how much memory there is here.
      reject(
          "no-room", Status.OUT_OF_RANGE, wanted + " bytes, and never room for more than " + most);
      return;
    }
    if (!transfers().reserve(caller.peer(), wanted)) {
      reject("no-room", Status.RESOURCE_EXHAUSTED, "too much is on its way");
      return;
    }
    reservedBytes = wanted;
    begin(new PartialMessage(opened, inbox.layouts()));
  }

  /** Where it broke off, if that is what the sender goes on with; its room is there, too. */
  private void resume(Header opened) {
    Optional<InboundTransfers.InterruptedTransfer> earlier =
        metadata.messageId().flatMap(number -> transfers().resume(caller.peer(), number));
    reservedBytes = earlier.map(InboundTransfers.InterruptedTransfer::reservedBytes).orElse(0L);
    earlier
        .map(InboundTransfers.InterruptedTransfer::message)
        .filter(
            each ->
                each.header().isSameAs(opened) && each.receivedWeights() == metadata.resumeOffset())
        .ifPresentOrElse(
            this::begin, () -> fail(Status.ABORTED, "nothing is known of its beginning"));
  }

  private void begin(PartialMessage opened) {
    partialMessage = opened;
    metadata.messageId().ifPresent(number -> transfers().register(caller.peer(), number, this));
  }

  private InboundTransfers transfers() {
    return inbox.transfers();
  }

  @Override
  public synchronized void onCompleted() {
    if (ended) {
      return;
    }
    PartialMessage known = partialMessage;
    if (known == null || !known.isComplete()) {
      rejectAsOffenceUnlessRelayed(
          "malformed-message", Status.INVALID_ARGUMENT, "fewer bytes than were announced");
      return;
    }
    try {
      deliver(known);
    } catch (MalformedException malformed) {
      rejectAsOffence(
          "malformed-message", Status.INVALID_ARGUMENT, String.valueOf(malformed.getMessage()));
    }
  }

  private void deliver(PartialMessage whole) throws MalformedException {
    Header opened = whole.header();
    Message read = inbox.wire().decode(Message.class, opened.message(), whole.weights()::get);
    long modelBytes = 0;
    long heldBytes = opened.message().length;
    for (Header.Blob blob : opened.blobs()) {
      modelBytes += blob.packing().bytes(blob.bytes() / Float.BYTES);
      heldBytes += blob.bytes();
    }
    boolean taken =
        inbox
            .messageReceiver()
            .offer(
                new MessageReceiver.ReceivedMessage(
                    caller.peer(),
                    opened.component(),
                    read,
                    opened.message().length,
                    modelBytes,
                    whole.weights().size(),
                    heldBytes));
    if (!taken) {
      // When its sender comes back it need not send the weights again.
      keepForResume(whole);
      reject("no-room", Status.RESOURCE_EXHAUSTED, "too many messages wait");
      return;
    }
    metadata.messageId().ifPresent(number -> transfers().markReceived(caller.peer(), number));
    close();
    answers.onNext(NodeRpc.RECEIPT);
    answers.onCompleted();
  }

  private void close() {
    ended = true;
    partialMessage = null;
    inbox.memoryBudget().release(caller.peer(), reservedBytes);
    reservedBytes = 0;
    metadata.messageId().ifPresent(number -> transfers().unregister(caller.peer(), number, this));
  }

  private void reject(String kind, Status status, String why) {
    inbox.abusePolicy().refusals().add(kind, "message of " + caller + ": " + why);
    fail(status, why);
  }

  /** Refuses what nobody in good faith sends. */
  private void rejectAsOffence(String kind, Status status, String why) {
    inbox.abusePolicy().reportOffence(caller, kind, why);
    fail(status, why);
  }

  /**
   * An offence of whoever sent it all itself. Of a message that was handed on the sender has sealed
   * the header alone: bytes that do not match it, and that it comes once more, may be the relay's
   * doing. And a sender whose connection to the relay broke cannot ask how far it came, but sends
   * all again.
   */
  private void rejectAsOffenceUnlessRelayed(String kind, Status status, String why) {
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

  /** The sender gave up, or the connection broke: it may go on with it later. */
  @Override
  public void onError(Throwable broken) {
    interrupt();
  }

  /** Takes no more; what came so far is kept for a while. */
  synchronized void interrupt() {
    PartialMessage part = partialMessage;
    if (!ended && part != null) {
      keepForResume(part);
    }
    close();
  }

  /** For a sender that can ask how much of it is here, which one behind a relay cannot. */
  private void keepForResume(PartialMessage part) {
    if (part.receivedWeights() > 0
        && metadata.messageId().isPresent()
        && metadata.signature().isEmpty()) {
      transfers().keepInterrupted(caller.peer(), metadata.messageId().get(), part, reservedBytes);
      reservedBytes = 0;
    }
  }
}
