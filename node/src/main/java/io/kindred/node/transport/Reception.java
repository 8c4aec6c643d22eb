package io.kindred.node.transport;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.kindred.core.Message;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.node.identity.Member;
import io.kindred.protocol.wire.MalformedException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One message on its way in. Nothing that the sender says is believed before it is checked: who it
 * is against its certificate, sizes against limits, weights against their digests.
 */
final class Reception implements StreamObserver<byte[]> {
  private final Inbox inbox;
  private final Member caller;
  private final StreamObserver<byte[]> answers;
  private final Map<Digest, Weights> weights = new TreeMap<>();
  private @Nullable Header header;
  private @Nullable Layout layout;
  private @Nullable ByteBuffer filling;
  private int next;
  private boolean over;

  Reception(Inbox inbox, Member caller, StreamObserver<byte[]> answers) {
    this.inbox = inbox;
    this.caller = caller;
    this.answers = answers;
  }

  @Override
  public void onNext(byte[] frame) {
    if (over) {
      return;
    }
    try {
      Header known = header;
      if (known == null) {
        open(Header.decode(frame));
      } else {
        fill(known, frame);
      }
    } catch (MalformedException malformed) {
      offend("malformed-message", Status.INVALID_ARGUMENT, String.valueOf(malformed.getMessage()));
    }
  }

  private void open(Header opened) throws MalformedException {
    if (!opened.sender().equals(caller)) {
      offend("false-sender", Status.PERMISSION_DENIED, "claims to be " + opened.sender());
      return;
    }
    long sum = 0;
    for (Header.Blob blob : opened.blobs()) {
      if (blob.bytes() < 0 || blob.bytes() > inbox.limits().messageBytes()) {
        throw new MalformedException("a vector of " + blob.bytes() + " bytes");
      }
      sum += blob.bytes();
    }
    if (sum > inbox.limits().messageBytes()) {
      offend("too-large", Status.RESOURCE_EXHAUSTED, sum + " bytes of weights");
      return;
    }
    header = opened;
    expectNext(opened);
  }

  /**
   * Gets ready for the next vector; the size is that of a layout we know, never one we are told.
   */
  private void expectNext(Header opened) throws MalformedException {
    if (next == opened.blobs().size()) {
      filling = null;
      return;
    }
    Header.Blob blob = opened.blobs().get(next);
    Optional<Layout> known = inbox.layouts().find(blob.layout());
    if (known.isEmpty() || 4L * known.get().size() != blob.bytes()) {
      throw new MalformedException("weights of a layout that this network does not have");
    }
    layout = known.get();
    filling = ByteBuffer.allocate((int) blob.bytes()).order(ByteOrder.LITTLE_ENDIAN);
  }

  private void fill(Header opened, byte[] frame) throws MalformedException {
    ByteBuffer buffer = filling;
    if (buffer == null || frame.length > buffer.remaining()) {
      throw new MalformedException("more bytes than were announced");
    }
    buffer.put(frame);
    if (!buffer.hasRemaining() && keep(opened, buffer.flip())) {
      expectNext(opened);
    }
  }

  /** False where the weights are none that it takes. */
  private boolean keep(Header opened, ByteBuffer bytes) throws MalformedException {
    Layout known = layout;
    if (known == null) {
      throw new IllegalStateException("a vector without a layout");
    }
    float[] values = new float[known.size()];
    bytes.asFloatBuffer().get(values);
    Weights vector = Weights.wrap(known, values);
    Digest announced = opened.blobs().get(next).digest();
    if (!vector.digest().equals(announced)) {
      throw new MalformedException("weights are " + vector.digest() + ", not " + announced);
    }
    if (!inbox.limits().allows(vector)) {
      offend(
          "bad-weights",
          Status.INVALID_ARGUMENT,
          vector.isFinite()
              ? "weights with a root mean square of %.3g".formatted(Limits.rms(vector))
              : "weights that are no numbers");
      return false;
    }
    weights.put(announced, vector);
    next++;
    return true;
  }

  @Override
  public void onCompleted() {
    if (over) {
      return;
    }
    try {
      Header opened = header;
      if (opened == null || filling != null) {
        throw new MalformedException("fewer bytes than were announced");
      }
      deliver(opened);
    } catch (MalformedException malformed) {
      offend("malformed-message", Status.INVALID_ARGUMENT, String.valueOf(malformed.getMessage()));
    }
  }

  private void deliver(Header opened) throws MalformedException {
    Message message = inbox.wire().decode(Message.class, opened.message(), weights::get);
    long modelBytes = weights.values().stream().mapToLong(Weights::bytes).sum();
    boolean taken =
        inbox
            .arrivals()
            .offer(
                new Arrivals.Arrival(
                    caller.peer(),
                    opened.component(),
                    message,
                    opened.message().length,
                    modelBytes,
                    weights.size()));
    if (!taken) {
      refuse("no-room", Status.RESOURCE_EXHAUSTED, "too many messages wait");
      return;
    }
    over = true;
    answers.onNext(PostalService.RECEIPT);
    answers.onCompleted();
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

  private void end(Status status, String why) {
    over = true;
    filling = null;
    weights.clear();
    answers.onError(status.withDescription(why).asRuntimeException());
  }

  /** The sender gave up, or the connection broke: what came so far counts for nothing. */
  @Override
  public void onError(Throwable broken) {
    over = true;
    weights.clear();
  }
}
