package io.kindred.node.transport;

import io.grpc.CallOptions;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import io.kindred.core.PeerId;
import io.kindred.protocol.wire.MalformedException;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The other end of boxes: a node that nobody can connect to collects its messages from the member
 * that relays them. Each counts for what its own sender has sealed, whoever hands it over.
 */
public final class Collector implements AutoCloseable {
  private static final int BOXES = 4;
  private static final long MILLIS_BEFORE_ANOTHER_TRY = 500;

  private final Outbox outbox;
  private final PeerId relay;
  private final RelayedMessageReceiver inbox;
  private final ScheduledExecutorService timer;
  private volatile boolean closed;

  public Collector(
      Outbox outbox, PeerId relay, RelayedMessageReceiver inbox, ScheduledExecutorService timer) {
    this.outbox = outbox;
    this.relay = relay;
    this.inbox = inbox;
    this.timer = timer;
  }

  public void open() {
    for (int i = 0; i < BOXES; i++) {
      openOne();
    }
  }

  private void openOne() {
    if (closed) {
      return;
    }
    Line line = outbox.direct(relay);
    if (line == null) {
      later();
      return;
    }
    ClientCalls.asyncBidiStreamingCall(
        line.channel().newCall(PostalService.COLLECT, CallOptions.DEFAULT.withWaitForReady()),
        new Box());
  }

  private void later() {
    try {
      Future<?> _ = timer.schedule(this::openOne, MILLIS_BEFORE_ANOTHER_TRY, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closing) {
      // The life that collects ends.
    }
  }

  @Override
  public void close() {
    closed = true;
  }

  /** Takes one message after another. */
  private final class Box implements ClientResponseObserver<byte[], byte[]> {
    private @Nullable ClientCallStreamObserver<byte[]> answers;
    private @Nullable Slip slip;
    private @Nullable StreamObserver<byte[]> message;
    private boolean answered = true;

    @Override
    public void beforeStart(ClientCallStreamObserver<byte[]> stream) {
      answers = stream;
    }

    @Override
    public void onNext(byte[] bytes) {
      try {
        switch (Envelope.kind(bytes)) {
          case BEGIN -> {
            giveUp();
            slip = Envelope.slip(bytes);
            message = null;
            answered = false;
          }
          case FRAME -> frame(Envelope.content(bytes));
          case END -> end();
          case BROKEN -> broken();
        }
      } catch (MalformedException malformed) {
        answer(Status.INVALID_ARGUMENT.withDescription(malformed.getMessage()));
      }
    }

    private void frame(byte[] frame) throws MalformedException {
      StreamObserver<byte[]> open = message;
      if (answered) {
        return;
      }
      if (open == null) {
        Slip known = slip;
        Optional<StreamObserver<byte[]>> accepted =
            known == null ? Optional.empty() : inbox.receive(known, frame, new Answering());
        if (accepted.isEmpty()) {
          answer(Status.PERMISSION_DENIED.withDescription("not sealed by its sender"));
          return;
        }
        open = accepted.get();
        message = open;
      }
      open.onNext(frame);
    }

    private void end() {
      StreamObserver<byte[]> open = message;
      if (open == null) {
        answer(Status.INVALID_ARGUMENT.withDescription("a message without a header"));
      } else {
        open.onCompleted();
      }
    }

    private void broken() {
      giveUp();
      answer(Status.CANCELLED);
    }

    /** A message that is over is not touched by that; another one keeps no room. */
    private void giveUp() {
      StreamObserver<byte[]> open = message;
      if (open != null) {
        open.onError(Status.CANCELLED.asException());
      }
    }

    /** Once for every message. */
    private void answer(Status status) {
      ClientCallStreamObserver<byte[]> stream = answers;
      if (!answered && stream != null) {
        answered = true;
        stream.onNext(Envelope.answer(status));
      }
    }

    @Override
    public void onError(Throwable failure) {
      giveUp();
      later();
    }

    @Override
    public void onCompleted() {
      giveUp();
      later();
    }

    /** What the message's own checks say. */
    private final class Answering implements StreamObserver<byte[]> {
      @Override
      public void onNext(byte[] receipt) {
        answer(Status.OK);
      }

      @Override
      public void onError(Throwable refused) {
        answer(Status.fromThrowable(refused));
      }

      @Override
      public void onCompleted() {}
    }
  }
}
