package io.kindred.node.transport;

import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.kindred.core.PeerId;
import io.kindred.core.weights.Weights;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Seal;
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
final class Delivery {
  private static final int MOST_BREAKS = 32;

  /** What may wait for the connection, so that it need not wait for the next frame. */
  private static final int READY_BYTES = 2 * PostalService.CHUNK_BYTES;

  /** What a message needs that somebody else hands on. */
  record Sealing(Identity sender, PeerId receiver) {}

  private final Line line;
  private final Optional<Sealing> sealing;
  private final byte[] header;
  private final Packing packing;
  private final List<Weights> vectors;
  private final long deadline;
  private final LongConsumer framed;
  private final Consumer<Optional<String>> ended;
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicInteger breaks = new AtomicInteger();
  private final AtomicInteger returns = new AtomicInteger();
  private volatile @Nullable Status turnedAway;
  private final String number = Long.toString(ThreadLocalRandom.current().nextLong(), 36);

  /**
   * @param framed told the bytes of every frame
   * @param ended told once how it ended: with nothing, or with what went wrong
   */
  Delivery(
      Line line,
      Optional<Sealing> sealing,
      byte[] header,
      Packing packing,
      List<Weights> vectors,
      long millis,
      LongConsumer framed,
      Consumer<Optional<String>> ended) {
    this.line = line;
    this.sealing = sealing;
    this.header = header;
    this.packing = packing;
    this.vectors = List.copyOf(vectors);
    this.deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    this.framed = framed;
    this.ended = ended;
  }

  void begin() {
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
    slip.put(PostalService.NUMBER, number);
    sealing.ifPresent(
        each -> {
          slip.put(PostalService.TO, Long.toString(each.receiver().number()));
          slip.put(
              PostalService.SEAL, Seal.of(each.sender(), each.receiver(), number, header).text());
        });
    if (skipped > 0) {
      slip.put(PostalService.FROM, Long.toString(skipped));
    }
    ClientCalls.asyncClientStreamingCall(
        ClientInterceptors.intercept(
                line.channel(), MetadataUtils.newAttachHeadersInterceptor(slip))
            .newCall(PostalService.DELIVER, options()),
        new Upload(header, packing, vectors, skipped, framed, this::uploaded));
  }

  private void uploaded(Status status) {
    // One that is there already is one whose receipt was lost.
    if (status.isOk() || status.getCode() == Status.Code.ALREADY_EXISTS) {
      end(Optional.empty());
    } else if (status.getCode() == Status.Code.RESOURCE_EXHAUSTED) {
      comeBackLater(status);
    } else if (!vectors.isEmpty()
        && isBroken(status)
        && System.nanoTime() < deadline
        && breaks.incrementAndGet() <= MOST_BREAKS) {
      if (sealing.isPresent()) {
        line.later(this::goOn, Line.FIRST_RETRY_MILLIS);
      } else {
        goOn();
      }
    } else {
      fail(status);
    }
  }

  /** Where there is no room now there may be some later, as long as the message has time. */
  private void comeBackLater(Status status) {
    turnedAway = status;
    long millis = Line.pauseMillis(returns.getAndIncrement());
    if (System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis) - deadline < 0) {
      line.later(this::goOn, millis);
    } else {
      fail(status);
    }
  }

  /** Of a message whose time ended while there was no room, that is what went wrong. */
  private void fail(Status status) {
    Status earlier = turnedAway;
    boolean late = status.getCode() == Status.Code.DEADLINE_EXCEEDED;
    end(Optional.of(describe(late && earlier != null ? earlier : status)));
  }

  private static boolean isBroken(Status status) {
    return status.getCode() == Status.Code.UNAVAILABLE || status.getCode() == Status.Code.ABORTED;
  }

  /** Whoever hands it on knows nothing of how far it came. */
  private void goOn() {
    if (sealing.isPresent() || vectors.isEmpty()) {
      upload(0);
    } else {
      askHowFar();
    }
  }

  private void askHowFar() {
    WireOutput question = new WireOutput(weights -> {});
    question.writeText(number);
    ClientCalls.asyncUnaryCall(
        line.channel().newCall(PostalService.RESUME, options()),
        question.toBytes(),
        new StreamObserver<byte[]>() {
          @Override
          public void onNext(byte[] answer) {
            goOn(answer);
          }

          @Override
          public void onError(Throwable failure) {
            Status status = Status.fromThrowable(failure);
            if (status.getCode() == Status.Code.UNIMPLEMENTED) {
              upload(0);
            } else {
              uploaded(status);
            }
          }

          @Override
          public void onCompleted() {}
        });
  }

  private void goOn(byte[] answer) {
    try {
      long there = new WireInput(answer, digest -> null).readLong();
      if (there == PostalService.ALL_THERE) {
        end(Optional.empty());
      } else {
        upload(Math.max(0, there));
      }
    } catch (MalformedException malformed) {
      end(Optional.of("an answer that cannot be read: " + malformed.getMessage()));
    }
  }

  private void end(Optional<String> failure) {
    if (over.compareAndSet(false, true)) {
      ended.accept(failure);
    }
  }

  /** In one line: descriptions may hold whole stack traces, and whatever the receiver likes. */
  static String describe(Status status) {
    String description = status.getDescription();
    return switch (status.getCode()) {
      case DEADLINE_EXCEEDED -> "nobody took it in time; is the node up, and its address right?";
      case UNAVAILABLE -> "the connection broke";
      default ->
          Refusals.clean(
              status.getCode()
                  + (description == null ? "" : ": " + description.lines().findFirst().orElse("")));
    };
  }
}
