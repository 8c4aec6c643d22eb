package io.kindred.node.transport;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.kindred.core.Message;
import io.kindred.node.identity.Member;
import io.kindred.protocol.wire.MalformedException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One message on its way in. Nothing that the sender says is believed before it is checked: who it
 * is against its certificate, sizes against limits, weights against their digests.
 */
final class Reception implements StreamObserver<byte[]> {
  private final Inbox inbox;
  private final Member caller;
  private final StreamObserver<byte[]> answers;
  private final Slip slip;
  private @Nullable Incoming message;
  private long held;
  private boolean over;

  Reception(Inbox inbox, Member caller, Slip slip, StreamObserver<byte[]> answers) {
    this.inbox = inbox;
    this.caller = caller;
    this.slip = slip;
    this.answers = answers;
  }

  @Override
  public synchronized void onNext(byte[] frame) {
    if (over) {
      return;
    }
    Incoming known = message;
    if (known == null) {
      begin(frame);
      return;
    }
    try {
      known.add(frame, inbox.limits().weightsRms()).ifPresent(this::blame);
    } catch (MalformedException malformed) {
      doubt("malformed-message", Status.INVALID_ARGUMENT, String.valueOf(malformed.getMessage()));
    }
  }

  /**
   * Weights that match their digest are those of whoever made the header, also where somebody else
   * hands them on. Once for each number, or a relay could blame a sender by sending them again.
   */
  private void blame(String why) {
    slip.number().ifPresent(number -> ledger().took(caller.peer(), number));
    offend("bad-weights", Status.INVALID_ARGUMENT, why);
  }

  private void begin(byte[] header) {
    try {
      open(Header.decode(header));
    } catch (Header.OtherVersionException other) {
      refuse("other-version", Status.FAILED_PRECONDITION, String.valueOf(other.getMessage()));
    } catch (MalformedException malformed) {
      offend("malformed-message", Status.INVALID_ARGUMENT, String.valueOf(malformed.getMessage()));
    }
  }

  private void open(Header opened) throws MalformedException {
    if (!opened.sender().equals(caller)) {
      offend("false-sender", Status.PERMISSION_DENIED, "claims to be " + opened.sender());
      return;
    }
    if (slip.number().filter(number -> ledger().knows(caller.peer(), number)).isPresent()) {
      doubt("replayed-message", Status.ALREADY_EXISTS, "came before");
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
      offend("too-large", Status.OUT_OF_RANGE, sum + " bytes of weights");
      return;
    }
    inbox.layouts().require(opened);
    if (slip.from() > 0) {
      goOn(opened);
    } else {
      beginAnew(opened, sum + opened.message().length);
    }
  }

  /** Before there is any of it: what a header announces is made room for at once. */
  private void beginAnew(Header opened, long wanted) {
    long most = inbox.room().most();
    if (wanted > most) {
      // No offence: nobody else knows how much memory there is here.
      refuse(
          "no-room", Status.OUT_OF_RANGE, wanted + " bytes, and never room for more than " + most);
      return;
    }
    if (!ledger().makeRoom(caller.peer(), wanted)) {
      refuse("no-room", Status.RESOURCE_EXHAUSTED, "too much is on its way");
      return;
    }
    held = wanted;
    begin(new Incoming(opened, inbox.layouts()));
  }

  /** Where it broke off, if that is what the sender goes on with; its room is there, too. */
  private void goOn(Header opened) {
    Optional<Ledger.Broken> earlier =
        slip.number().flatMap(number -> ledger().resume(caller.peer(), number));
    held = earlier.map(Ledger.Broken::room).orElse(0L);
    earlier
        .map(Ledger.Broken::message)
        .filter(each -> each.header().says(opened) && each.weightsSoFar() == slip.from())
        .ifPresentOrElse(
            this::begin, () -> end(Status.ABORTED, "nothing is known of its beginning"));
  }

  private void begin(Incoming opened) {
    message = opened;
    slip.number().ifPresent(number -> ledger().opened(caller.peer(), number, this));
  }

  private Ledger ledger() {
    return inbox.ledger();
  }

  @Override
  public synchronized void onCompleted() {
    if (over) {
      return;
    }
    Incoming known = message;
    if (known == null || !known.isWhole()) {
      doubt("malformed-message", Status.INVALID_ARGUMENT, "fewer bytes than were announced");
      return;
    }
    try {
      deliver(known);
    } catch (MalformedException malformed) {
      offend("malformed-message", Status.INVALID_ARGUMENT, String.valueOf(malformed.getMessage()));
    }
  }

  private void deliver(Incoming whole) throws MalformedException {
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
            .arrivals()
            .offer(
                new Arrivals.Arrival(
                    caller.peer(),
                    opened.component(),
                    read,
                    opened.message().length,
                    modelBytes,
                    whole.weights().size(),
                    heldBytes));
    if (!taken) {
      // When its sender comes back it need not send the weights again.
      setAside(whole);
      refuse("no-room", Status.RESOURCE_EXHAUSTED, "too many messages wait");
      return;
    }
    slip.number().ifPresent(number -> ledger().took(caller.peer(), number));
    close();
    answers.onNext(PostalService.RECEIPT);
    answers.onCompleted();
  }

  private void close() {
    over = true;
    message = null;
    inbox.room().leave(caller.peer(), held);
    held = 0;
    slip.number().ifPresent(number -> ledger().closed(caller.peer(), number, this));
  }

  private void refuse(String kind, Status status, String why) {
    inbox.conduct().refusals().add(kind, "message of " + caller + ": " + why);
    end(status, why);
  }

  /** Refuses what nobody in good faith sends. */
  private void offend(String kind, Status status, String why) {
    inbox.conduct().offence(caller, kind, why);
    end(status, why);
  }

  /**
   * An offence of whoever sent it all itself. Of a message that was handed on the sender has sealed
   * the header alone: bytes that do not match it, and that it comes once more, may be the relay's
   * doing. And a sender whose connection to the relay broke cannot ask how far it came, but sends
   * all again.
   */
  private void doubt(String kind, Status status, String why) {
    if (slip.seal().isPresent()) {
      refuse(kind, status, why);
    } else {
      offend(kind, status, why);
    }
  }

  private void end(Status status, String why) {
    close();
    answers.onError(status.withDescription(why).asRuntimeException());
  }

  /** The sender gave up, or the connection broke: it may go on with it later. */
  @Override
  public void onError(Throwable broken) {
    breakOff();
  }

  /** Takes no more; what came so far is kept for a while. */
  synchronized void breakOff() {
    Incoming part = message;
    if (!over && part != null) {
      setAside(part);
    }
    close();
  }

  /** For a sender that can ask how much of it is here, which one behind a relay cannot. */
  private void setAside(Incoming part) {
    if (part.weightsSoFar() > 0 && slip.number().isPresent() && slip.seal().isEmpty()) {
      ledger().broke(caller.peer(), slip.number().get(), part, held);
      held = 0;
    }
  }
}
