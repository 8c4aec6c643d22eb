package io.kindred.node.transport.relay;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.kindred.core.peer.PeerId;
import io.kindred.node.transport.Limits;
import io.kindred.node.transport.MessageMetadata;
import io.kindred.node.transport.NodeRpc;
import io.kindred.protocol.wire.MalformedException;
import java.security.cert.X509Certificate;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Forwards messages to members that no other node can connect to. Such a member keeps calls open to
 * this node, its relay channels. A message for the member goes into an idle channel, frame by frame
 * as it arrives, and the receiver's status goes back to the sender. Nothing is stored: the sender
 * goes only as fast as the receiver.
 */
public final class RelayServer {
  /** Bound on the open channels of one member. */
  private static final int MAX_CHANNELS = 16;

  /** Bound on the messages that wait for a channel of one member; further ones are rejected. */
  private static final int MAX_WAITING = 64;

  private final Limits limits;
  private final Predicate<List<X509Certificate>> admits;
  private final AtomicLong messages = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final SortedMap<PeerId, Deque<RelayChannel>> idleChannels = new TreeMap<>();
  private final SortedMap<PeerId, Integer> openChannels = new TreeMap<>();
  private final SortedMap<PeerId, Deque<ForwardedMessage>> waiting = new TreeMap<>();

  /**
   * @param admits whether the certificates of a channel's owner are still valid; tested before
   *     every message
   */
  public RelayServer(Limits limits, Predicate<List<X509Certificate>> admits) {
    this.limits = limits;
    this.admits = admits;
  }

  /** Totals since the start of the node. */
  public RelayStats stats() {
    return new RelayStats(messages.get(), bytes.get());
  }

  /** Messages and bytes that a node has forwarded. */
  public record RelayStats(long messages, long bytes) {}

  /** Opens a relay channel for a member. */
  public StreamObserver<byte[]> openChannel(
      PeerId owner, List<X509Certificate> certificates, ServerCallStreamObserver<byte[]> frames) {
    Optional<Status> refusal = tryOpen(owner);
    if (refusal.isPresent()) {
      frames.onError(refusal.get().asRuntimeException());
      return new ClosedChannel();
    }
    RelayChannel relayChannel = new RelayChannel(owner, certificates, frames);
    channelIdle(relayChannel);
    return relayChannel;
  }

  private synchronized Optional<Status> tryOpen(PeerId owner) {
    if (!openChannels.containsKey(owner) && openChannels.size() >= limits.relayedMembers()) {
      return Optional.of(
          Status.PERMISSION_DENIED.withDescription(
              "this node relays to at most %d members".formatted(limits.relayedMembers())));
    }
    if (openChannels.getOrDefault(owner, 0) >= MAX_CHANNELS) {
      return Optional.of(Status.RESOURCE_EXHAUSTED.withDescription("too many relay channels"));
    }
    openChannels.merge(owner, 1, Integer::sum);
    return Optional.empty();
  }

  /** A channel that was refused: what its owner still sends is ignored. */
  private static final class ClosedChannel implements StreamObserver<byte[]> {
    @Override
    public void onNext(byte[] frame) {}

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onCompleted() {}
  }

  /** Forwards a message to its receiver, once the receiver has an idle channel. */
  public StreamObserver<byte[]> forward(
      MessageMetadata metadata, ServerCallStreamObserver<byte[]> answers) {
    PeerId to = metadata.receiver().orElseThrow();
    ForwardedMessage forwardedMessage = new ForwardedMessage(to, metadata, answers);
    answers.disableAutoRequest();
    answers.setOnCancelHandler(forwardedMessage::cancel);
    // The close handler is also called where this side ended the call, as on a timeout.
    answers.setOnCloseHandler(forwardedMessage::cancel);
    RelayChannel relayChannel;
    boolean rejected = false;
    synchronized (this) {
      relayChannel = pollAdmitted(idleChannels.getOrDefault(to, new ArrayDeque<>()));
      if (relayChannel == null) {
        // A sender may name any receiver, so nothing is kept for members without channels here.
        rejected =
            !openChannels.containsKey(to)
                || waiting.getOrDefault(to, new ArrayDeque<>()).size() >= MAX_WAITING;
        if (!rejected) {
          waiting.computeIfAbsent(to, _ -> new ArrayDeque<>()).add(forwardedMessage);
        }
      }
    }
    if (rejected) {
      forwardedMessage.fail(
          Status.UNAVAILABLE.withDescription(to + " has no open relay channel here"));
    } else if (relayChannel != null) {
      forwardedMessage.forwardInto(relayChannel);
    }
    return forwardedMessage;
  }

  /** Certificates expire and are revoked while channels are open. */
  private @Nullable RelayChannel pollAdmitted(Deque<RelayChannel> found) {
    for (RelayChannel relayChannel = found.poll();
        relayChannel != null;
        relayChannel = found.poll()) {
      if (admits.test(relayChannel.certificates)) {
        return relayChannel;
      }
      relayChannel.revoke();
    }
    return null;
  }

  private synchronized void removeWaiting(ForwardedMessage forwardedMessage) {
    Deque<ForwardedMessage> others =
        waiting.getOrDefault(forwardedMessage.receiver, new ArrayDeque<>());
    others.remove(forwardedMessage);
    if (others.isEmpty()) {
      waiting.remove(forwardedMessage.receiver);
    }
  }

  private void channelIdle(RelayChannel relayChannel) {
    if (!admits.test(relayChannel.certificates)) {
      relayChannel.revoke();
      return;
    }
    ForwardedMessage next;
    synchronized (this) {
      next = waiting.getOrDefault(relayChannel.owner, new ArrayDeque<>()).peek();
      if (next == null) {
        idleChannels.computeIfAbsent(relayChannel.owner, _ -> new ArrayDeque<>()).add(relayChannel);
      } else {
        removeWaiting(next);
      }
    }
    if (next != null) {
      next.forwardInto(relayChannel);
    }
  }

  private synchronized void channelClosed(RelayChannel relayChannel) {
    Deque<RelayChannel> others = idleChannels.getOrDefault(relayChannel.owner, new ArrayDeque<>());
    others.remove(relayChannel);
    if (others.isEmpty()) {
      idleChannels.remove(relayChannel.owner);
    }
    openChannels.computeIfPresent(relayChannel.owner, (_, open) -> open == 1 ? null : open - 1);
  }

  /** Number of members with a channel or a waiting message. */
  synchronized int trackedMembers() {
    SortedSet<PeerId> all = new TreeSet<>(waiting.keySet());
    all.addAll(idleChannels.keySet());
    all.addAll(openChannels.keySet());
    return all.size();
  }

  /** A call through which a member collects one message after another. */
  private final class RelayChannel implements StreamObserver<byte[]> {
    private final PeerId owner;
    private final List<X509Certificate> certificates;
    private final ServerCallStreamObserver<byte[]> frames;
    private @Nullable ForwardedMessage current;
    private boolean closed;

    RelayChannel(
        PeerId owner, List<X509Certificate> certificates, ServerCallStreamObserver<byte[]> frames) {
      this.owner = owner;
      this.certificates = certificates;
      this.frames = frames;
      frames.setOnReadyHandler(this::onReady);
      frames.setOnCancelHandler(this::closeChannel);
    }

    private void onReady() {
      ForwardedMessage now = currentMessage();
      if (now != null) {
        now.requestMore();
      }
    }

    private synchronized @Nullable ForwardedMessage currentMessage() {
      return current;
    }

    synchronized boolean start(ForwardedMessage next) {
      if (closed) {
        return false;
      }
      current = next;
      send(next, RelayFrame.begin(next.metadata));
      return true;
    }

    /** Drops frames of an earlier message, so that none gets into the one after it. */
    synchronized void send(ForwardedMessage from, byte[] frame) {
      if (!closed && from == current) {
        frames.onNext(frame);
      }
    }

    boolean isReady() {
      return frames.isReady();
    }

    /** Receives the owner's status of the current message. */
    @Override
    public void onNext(byte[] answer) {
      ForwardedMessage done;
      synchronized (this) {
        done = current;
        current = null;
      }
      if (done != null) {
        done.complete(answer);
        channelIdle(this);
      }
    }

    @Override
    public void onError(Throwable broken) {
      closeChannel();
    }

    @Override
    public void onCompleted() {
      closeChannel();
      frames.onCompleted();
    }

    void revoke() {
      if (closeChannel()) {
        frames.onError(Status.UNAUTHENTICATED.asRuntimeException());
      }
    }

    private boolean closeChannel() {
      ForwardedMessage unfinished;
      synchronized (this) {
        if (closed) {
          return false;
        }
        closed = true;
        unfinished = current;
        current = null;
      }
      channelClosed(this);
      if (unfinished != null) {
        unfinished.fail(Status.UNAVAILABLE.withDescription(owner + " closed its relay channel"));
      }
      return true;
    }
  }

  /** One message that is being forwarded. */
  private final class ForwardedMessage implements StreamObserver<byte[]> {
    private final PeerId receiver;
    private final MessageMetadata metadata;
    private final ServerCallStreamObserver<byte[]> answers;
    private @Nullable RelayChannel channel;
    private long forwardedBytes;
    private boolean done;

    ForwardedMessage(
        PeerId receiver, MessageMetadata metadata, ServerCallStreamObserver<byte[]> answers) {
      this.receiver = receiver;
      this.metadata = metadata;
      this.answers = answers;
    }

    void forwardInto(RelayChannel found) {
      boolean isDone;
      boolean begins = false;
      synchronized (this) {
        isDone = done;
        if (!isDone) {
          // Under one lock, so that an abort by the sender is sent after the begin frame.
          channel = found;
          begins = found.start(this);
        }
      }
      if (isDone) {
        channelIdle(found);
      } else if (begins) {
        messages.incrementAndGet();
        answers.request(1);
      } else {
        fail(Status.UNAVAILABLE.withDescription(receiver + " closed its relay channel"));
      }
    }

    /** The receiver's channel is ready, so the sender may send the next frame. */
    void requestMore() {
      answers.request(1);
    }

    @Override
    public void onNext(byte[] frame) {
      RelayChannel into;
      synchronized (this) {
        into = channel;
        if (done || into == null) {
          return;
        }
        forwardedBytes += frame.length;
      }
      if (forwardedBytes > limits.messageBytes() + NodeRpc.MAX_FRAME_BYTES) {
        into.send(this, RelayFrame.aborted());
        fail(Status.OUT_OF_RANGE.withDescription(forwardedBytes + " bytes"));
        return;
      }
      bytes.addAndGet(frame.length);
      into.send(this, RelayFrame.frame(frame));
      if (into.isReady()) {
        answers.request(1);
      }
    }

    @Override
    public void onCompleted() {
      RelayChannel into;
      synchronized (this) {
        into = done ? null : channel;
      }
      if (into != null) {
        into.send(this, RelayFrame.end());
      }
    }

    @Override
    public void onError(Throwable broken) {
      cancel();
    }

    /**
     * The sender gave up. The receiver gets an abort frame, and still has to answer before the
     * channel is idle.
     */
    void cancel() {
      RelayChannel into;
      synchronized (this) {
        if (done) {
          return;
        }
        done = true;
        into = channel;
      }
      removeWaiting(this);
      if (into != null) {
        into.send(this, RelayFrame.aborted());
      }
    }

    void complete(byte[] answer) {
      Status status;
      try {
        status = RelayFrame.status(answer);
      } catch (MalformedException malformed) {
        status = Status.INTERNAL.withDescription("the answer of the receiver cannot be read");
      }
      if (!status.isOk()) {
        fail(status);
        return;
      }
      synchronized (this) {
        if (done) {
          return;
        }
        done = true;
      }
      answers.onNext(NodeRpc.RECEIPT);
      answers.onCompleted();
    }

    void fail(Status status) {
      synchronized (this) {
        if (done) {
          return;
        }
        done = true;
      }
      answers.onError(status.asRuntimeException());
    }
  }
}
