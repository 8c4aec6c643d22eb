package io.kindred.node.transport.relay;

import io.grpc.CallOptions;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import io.kindred.core.peer.PeerId;
import io.kindred.node.transport.MessageMetadata;
import io.kindred.node.transport.NodeRpc;
import io.kindred.node.transport.outbound.Connection;
import io.kindred.node.transport.outbound.Outbox;
import io.kindred.protocol.wire.MalformedException;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Collects messages from a relay, for a node that no other node can connect to. Each message counts
 * for the sender that signed it, not for the relay.
 */
public final class RelayClient implements AutoCloseable {
  private static final int CHANNELS = 4;
  private static final long RECONNECT_MILLIS = 500;

  private final Outbox outbox;
  private final PeerId relayPeer;
  private final RelayedMessageReceiver inbox;
  private final ScheduledExecutorService timer;
  private volatile boolean closed;

  public RelayClient(
      Outbox outbox,
      PeerId relayPeer,
      RelayedMessageReceiver inbox,
      ScheduledExecutorService timer) {
    this.outbox = outbox;
    this.relayPeer = relayPeer;
    this.inbox = inbox;
    this.timer = timer;
  }

  public void open() {
    for (int i = 0; i < CHANNELS; i++) {
      openChannel();
    }
  }

  private void openChannel() {
    if (closed) {
      return;
    }
    Connection connection = outbox.directConnectionTo(relayPeer);
    if (connection == null) {
      reconnectLater();
      return;
    }
    ClientCalls.asyncBidiStreamingCall(
        connection.channel().newCall(NodeRpc.COLLECT, CallOptions.DEFAULT.withWaitForReady()),
        new RelayStream());
  }

  private void reconnectLater() {
    try {
      Future<?> _ = timer.schedule(this::openChannel, RECONNECT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closing) {
      // The node is shutting down, so the channel is not needed.
    }
  }

  @Override
  public void close() {
    closed = true;
  }

  /** One channel to the relay, which delivers one message after another. */
  private final class RelayStream implements ClientResponseObserver<byte[], byte[]> {
    private @Nullable ClientCallStreamObserver<byte[]> answers;
    private @Nullable MessageMetadata metadata;
    private @Nullable StreamObserver<byte[]> call;
    private boolean answered = true;

    @Override
    public void beforeStart(ClientCallStreamObserver<byte[]> stream) {
      answers = stream;
    }

    @Override
    public void onNext(byte[] bytes) {
      try {
        switch (RelayFrame.kind(bytes)) {
          case BEGIN -> {
            interruptCall();
            metadata = RelayFrame.metadata(bytes);
            call = null;
            answered = false;
          }
          case FRAME -> frame(RelayFrame.content(bytes));
          case END -> end();
          case ABORTED -> abort();
        }
      } catch (MalformedException malformed) {
        answer(Status.INVALID_ARGUMENT.withDescription(malformed.getMessage()));
      }
    }

    private void frame(byte[] frame) throws MalformedException {
      StreamObserver<byte[]> open = call;
      if (answered) {
        return;
      }
      if (open == null) {
        MessageMetadata known = metadata;
        Optional<StreamObserver<byte[]>> accepted =
            known == null ? Optional.empty() : inbox.receive(known, frame, new StatusResponder());
        if (accepted.isEmpty()) {
          answer(
              Status.PERMISSION_DENIED.withDescription(
                  "the message has no valid signature of its sender"));
          return;
        }
        open = accepted.get();
        call = open;
      }
      open.onNext(frame);
    }

    private void end() {
      StreamObserver<byte[]> open = call;
      if (open == null) {
        answer(Status.INVALID_ARGUMENT.withDescription("the message has no header"));
      } else {
        open.onCompleted();
      }
    }

    private void abort() {
      interruptCall();
      answer(Status.CANCELLED);
    }

    /**
     * Ends the current call, so that it reserves no memory; a call that has ended already is not
     * affected.
     */
    private void interruptCall() {
      StreamObserver<byte[]> open = call;
      if (open != null) {
        open.onError(Status.CANCELLED.asException());
      }
    }

    /** Sends the status of the current message, once for each message. */
    private void answer(Status status) {
      ClientCallStreamObserver<byte[]> stream = answers;
      if (!answered && stream != null) {
        answered = true;
        stream.onNext(RelayFrame.answer(status));
      }
    }

    @Override
    public void onError(Throwable failure) {
      interruptCall();
      reconnectLater();
    }

    @Override
    public void onCompleted() {
      interruptCall();
      reconnectLater();
    }

    /** Forwards the outcome of the inbound call as the message's status. */
    private final class StatusResponder implements StreamObserver<byte[]> {
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
