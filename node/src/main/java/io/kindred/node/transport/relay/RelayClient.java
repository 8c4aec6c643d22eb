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
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Collects messages from a relay, for a node that no other node can connect to. Each message counts
 * for the sender that signed it, not for the relay. Of several possible relays the nearest one that
 * relays is taken, and another one when it does not answer any more.
 */
public final class RelayClient implements AutoCloseable {
  private static final int CHANNELS = 4;
  private static final long RECONNECT_MILLIS = 500;
  private static final int PROBE_BYTES = 64;
  private static final long PROBE_MILLIS = 2_000;
  private static final long CHECK_MILLIS = 3_000;

  /** Probes in succession without an answer, after which another relay is chosen. */
  private static final int FAILURES = 2;

  private final Outbox outbox;
  private final List<PeerId> candidates;
  private final RelayedMessageReceiver inbox;
  private final Consumer<PeerId> chosenListener;
  private final ScheduledExecutorService timer;

  /** Relays that have refused, until each one has. */
  private final SortedSet<PeerId> refused = new TreeSet<>();

  private volatile @Nullable PeerId relay;
  private volatile boolean closed;
  private int generation;
  private int failures;

  /**
   * @param candidates the peers that may be the relay, at least one
   * @param chosenListener called with each relay that is chosen
   */
  public RelayClient(
      Outbox outbox,
      List<PeerId> candidates,
      RelayedMessageReceiver inbox,
      Consumer<PeerId> chosenListener,
      ScheduledExecutorService timer) {
    this.outbox = outbox;
    this.candidates = List.copyOf(candidates);
    this.inbox = inbox;
    this.chosenListener = chosenListener;
    this.timer = timer;
  }

  /** The relay in use. */
  public Optional<PeerId> relay() {
    return Optional.ofNullable(relay);
  }

  /** Chooses a relay, and keeps checking it if there are others. */
  public void open() {
    if (candidates.size() == 1) {
      use(candidates.getFirst());
    } else {
      inBackground(this::choose, 0);
      inBackground(this::check, CHECK_MILLIS);
    }
  }

  private void inBackground(Runnable work, long millis) {
    try {
      Future<?> _ =
          timer.schedule(() -> Thread.startVirtualThread(work), millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closing) {
      // The node is shutting down, so no relay is needed.
    }
  }

  /** Takes the candidate that answers first, of those that have not refused. */
  private void choose() {
    if (closed) {
      return;
    }
    List<PeerId> willing = willing();
    SortedMap<Long, PeerId> answered = new TreeMap<>();
    for (PeerId each : willing) {
      outbox
          .echo(each, PROBE_BYTES, PROBE_MILLIS)
          .join()
          .ifPresent(nanos -> answered.put(nanos, each));
    }
    if (answered.isEmpty()) {
      inBackground(this::choose, RECONNECT_MILLIS);
    } else {
      use(answered.get(answered.firstKey()));
    }
  }

  private synchronized List<PeerId> willing() {
    if (refused.containsAll(candidates)) {
      // A relay that was full may have room again.
      refused.clear();
    }
    return candidates.stream().filter(each -> !refused.contains(each)).toList();
  }

  private void use(PeerId chosen) {
    int number;
    synchronized (this) {
      relay = chosen;
      failures = 0;
      number = ++generation;
    }
    chosenListener.accept(chosen);
    for (int i = 0; i < CHANNELS; i++) {
      openChannel(chosen, number);
    }
  }

  private void check() {
    PeerId current = relay;
    if (closed) {
      return;
    }
    if (current != null) {
      boolean answers = outbox.echo(current, PROBE_BYTES, PROBE_MILLIS).join().isPresent();
      if (failed(answers)) {
        choose();
      }
    }
    inBackground(this::check, CHECK_MILLIS);
  }

  private synchronized boolean failed(boolean answers) {
    failures = answers ? 0 : failures + 1;
    return failures >= FAILURES;
  }

  private void openChannel(PeerId to, int number) {
    if (closed || !isCurrent(number)) {
      return;
    }
    Connection connection = outbox.directConnectionTo(to);
    if (connection == null) {
      reconnectLater(to, number);
      return;
    }
    ClientCalls.asyncBidiStreamingCall(
        connection.channel().newCall(NodeRpc.COLLECT, CallOptions.DEFAULT.withWaitForReady()),
        new RelayStream(to, number));
  }

  private synchronized boolean isCurrent(int number) {
    return number == generation;
  }

  private void reconnectLater(PeerId to, int number) {
    inBackground(() -> openChannel(to, number), RECONNECT_MILLIS);
  }

  /** A channel ended; a relay that refuses is not asked again while there are others. */
  private void channelEnded(PeerId to, int number, Status status) {
    if (candidates.size() > 1 && status.getCode() == Status.Code.PERMISSION_DENIED) {
      if (refusedBy(to, number)) {
        inBackground(this::choose, RECONNECT_MILLIS);
      }
    } else {
      reconnectLater(to, number);
    }
  }

  /** Whether this is the first channel that the current relay refuses. */
  private synchronized boolean refusedBy(PeerId to, int number) {
    if (number != generation) {
      return false;
    }
    generation++;
    refused.add(to);
    return true;
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
    private final PeerId to;
    private final int number;

    RelayStream(PeerId to, int number) {
      this.to = to;
      this.number = number;
    }

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
      channelEnded(to, number, Status.fromThrowable(failure));
    }

    @Override
    public void onCompleted() {
      interruptCall();
      channelEnded(to, number, Status.OK);
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
