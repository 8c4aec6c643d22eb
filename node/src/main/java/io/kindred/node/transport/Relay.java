package io.kindred.node.transport;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.kindred.core.PeerId;
import io.kindred.protocol.wire.MalformedException;
import java.security.cert.X509Certificate;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Hands messages on to members that nobody can connect to. Such a member keeps calls open to this
 * node, its boxes; a message for it goes into one that is empty, frame by frame as it comes, and
 * its answer goes back. Nothing is stored: a sender goes on as fast as the receiver takes it.
 */
public final class Relay {
  /** Boxes that one member may keep open. */
  private static final int MOST_BOXES = 16;

  /** Messages that wait for a box of one member; more are turned away. */
  private static final int MOST_WAITING = 64;

  private final Limits limits;
  private final Predicate<List<X509Certificate>> admits;
  private final AtomicLong messages = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final SortedMap<PeerId, Deque<Box>> empty = new TreeMap<>();
  private final SortedMap<PeerId, Integer> boxes = new TreeMap<>();
  private final SortedMap<PeerId, Deque<Passage>> waiting = new TreeMap<>();

  /** Asks before every message whether the owner of a box may still have it. */
  Relay(Limits limits, Predicate<List<X509Certificate>> admits) {
    this.limits = limits;
    this.admits = admits;
  }

  /** What was handed on so far. */
  Told told() {
    return new Told(messages.get(), bytes.get());
  }

  /** What a node did for members that others cannot reach. */
  public record Told(long messages, long bytes) {}

  /** A member opens a box. */
  StreamObserver<byte[]> open(
      PeerId owner, List<X509Certificate> shown, ServerCallStreamObserver<byte[]> frames) {
    Box box = new Box(owner, shown, frames);
    synchronized (this) {
      if (boxes.merge(owner, 1, Integer::sum) > MOST_BOXES) {
        boxes.put(owner, MOST_BOXES);
        throw Status.RESOURCE_EXHAUSTED.withDescription("too many boxes").asRuntimeException();
      }
    }
    isEmptyAgain(box);
    return box;
  }

  /** A message for somebody else. */
  StreamObserver<byte[]> pass(Slip slip, ServerCallStreamObserver<byte[]> answers) {
    PeerId to = slip.to().orElseThrow();
    Passage passage = new Passage(to, slip, answers);
    answers.disableAutoRequest();
    answers.setOnCancelHandler(passage::cancelled);
    // Also where this side ended the call, as it does for a slow one.
    answers.setOnCloseHandler(passage::cancelled);
    Box box;
    boolean turnedAway = false;
    synchronized (this) {
      box = admitted(empty.getOrDefault(to, new ArrayDeque<>()));
      if (box == null) {
        // Anybody may name anybody: nothing is kept of those who have no boxes here.
        turnedAway =
            !boxes.containsKey(to)
                || waiting.getOrDefault(to, new ArrayDeque<>()).size() >= MOST_WAITING;
        if (!turnedAway) {
          waiting.computeIfAbsent(to, _ -> new ArrayDeque<>()).add(passage);
        }
      }
    }
    if (turnedAway) {
      passage.fail(Status.UNAVAILABLE.withDescription(to + " does not collect its messages here"));
    } else if (box != null) {
      passage.into(box);
    }
    return passage;
  }

  /** Certificates end and are revoked while boxes are open. */
  private @Nullable Box admitted(Deque<Box> found) {
    for (Box box = found.poll(); box != null; box = found.poll()) {
      if (admits.test(box.shown)) {
        return box;
      }
      box.shut();
    }
    return null;
  }

  private synchronized void forget(Passage passage) {
    Deque<Passage> others = waiting.getOrDefault(passage.to, new ArrayDeque<>());
    others.remove(passage);
    if (others.isEmpty()) {
      waiting.remove(passage.to);
    }
  }

  private void isEmptyAgain(Box box) {
    if (!admits.test(box.shown)) {
      box.shut();
      return;
    }
    Passage next;
    synchronized (this) {
      next = waiting.getOrDefault(box.owner, new ArrayDeque<>()).peek();
      if (next == null) {
        empty.computeIfAbsent(box.owner, _ -> new ArrayDeque<>()).add(box);
      } else {
        forget(next);
      }
    }
    if (next != null) {
      next.into(box);
    }
  }

  private synchronized void isGone(Box box) {
    Deque<Box> others = empty.getOrDefault(box.owner, new ArrayDeque<>());
    others.remove(box);
    if (others.isEmpty()) {
      empty.remove(box.owner);
    }
    boxes.computeIfPresent(box.owner, (_, open) -> open == 1 ? null : open - 1);
  }

  /** Members of whom something is kept. */
  synchronized int remembered() {
    SortedSet<PeerId> all = new TreeSet<>(waiting.keySet());
    all.addAll(empty.keySet());
    all.addAll(boxes.keySet());
    return all.size();
  }

  /** A call by which a member collects one message after another. */
  private final class Box implements StreamObserver<byte[]> {
    private final PeerId owner;
    private final List<X509Certificate> shown;
    private final ServerCallStreamObserver<byte[]> frames;
    private @Nullable Passage passage;
    private boolean gone;

    Box(PeerId owner, List<X509Certificate> shown, ServerCallStreamObserver<byte[]> frames) {
      this.owner = owner;
      this.shown = shown;
      this.frames = frames;
      frames.setOnReadyHandler(this::ready);
      frames.setOnCancelHandler(this::lost);
    }

    private void ready() {
      Passage now = taking();
      if (now != null) {
        now.more();
      }
    }

    private synchronized @Nullable Passage taking() {
      return passage;
    }

    synchronized boolean begin(Passage next) {
      if (gone) {
        return false;
      }
      passage = next;
      put(next, Envelope.begin(next.slip));
      return true;
    }

    /** Nothing of a message that was answered goes into the one after it. */
    synchronized void put(Passage from, byte[] envelope) {
      if (!gone && from == passage) {
        frames.onNext(envelope);
      }
    }

    boolean isReady() {
      return frames.isReady();
    }

    /** The owner's answer to the message that it holds. */
    @Override
    public void onNext(byte[] answer) {
      Passage done;
      synchronized (this) {
        done = passage;
        passage = null;
      }
      if (done != null) {
        done.answered(answer);
        isEmptyAgain(this);
      }
    }

    @Override
    public void onError(Throwable broken) {
      lost();
    }

    @Override
    public void onCompleted() {
      lost();
      frames.onCompleted();
    }

    void shut() {
      if (lost()) {
        frames.onError(Status.UNAUTHENTICATED.asRuntimeException());
      }
    }

    private boolean lost() {
      Passage left;
      synchronized (this) {
        if (gone) {
          return false;
        }
        gone = true;
        left = passage;
        passage = null;
      }
      isGone(this);
      if (left != null) {
        left.fail(Status.UNAVAILABLE.withDescription(owner + " went away"));
      }
      return true;
    }
  }

  /** A message on its way through. */
  private final class Passage implements StreamObserver<byte[]> {
    private final PeerId to;
    private final Slip slip;
    private final ServerCallStreamObserver<byte[]> answers;
    private @Nullable Box box;
    private long passed;
    private boolean over;

    Passage(PeerId to, Slip slip, ServerCallStreamObserver<byte[]> answers) {
      this.to = to;
      this.slip = slip;
      this.answers = answers;
    }

    void into(Box found) {
      boolean isOver;
      boolean begins = false;
      synchronized (this) {
        isOver = over;
        if (!isOver) {
          // Together, so that a sender that gives up now is told of after the beginning.
          box = found;
          begins = found.begin(this);
        }
      }
      if (isOver) {
        isEmptyAgain(found);
      } else if (begins) {
        messages.incrementAndGet();
        answers.request(1);
      } else {
        fail(Status.UNAVAILABLE.withDescription(to + " went away"));
      }
    }

    /** The receiver has room: the sender may go on. */
    void more() {
      answers.request(1);
    }

    @Override
    public void onNext(byte[] frame) {
      Box into;
      synchronized (this) {
        into = box;
        if (over || into == null) {
          return;
        }
        passed += frame.length;
      }
      if (passed > limits.messageBytes() + PostalService.MOST_FRAME_BYTES) {
        into.put(this, Envelope.broken());
        fail(Status.OUT_OF_RANGE.withDescription(passed + " bytes"));
        return;
      }
      bytes.addAndGet(frame.length);
      into.put(this, Envelope.frame(frame));
      if (into.isReady()) {
        answers.request(1);
      }
    }

    @Override
    public void onCompleted() {
      Box into;
      synchronized (this) {
        into = over ? null : box;
      }
      if (into != null) {
        into.put(this, Envelope.end());
      }
    }

    @Override
    public void onError(Throwable broken) {
      cancelled();
    }

    /** The sender gave up; whoever takes it in is told, and answers all the same. */
    void cancelled() {
      Box into;
      synchronized (this) {
        if (over) {
          return;
        }
        over = true;
        into = box;
      }
      forget(this);
      if (into != null) {
        into.put(this, Envelope.broken());
      }
    }

    void answered(byte[] answer) {
      Status status;
      try {
        status = Envelope.status(answer);
      } catch (MalformedException malformed) {
        status = Status.INTERNAL.withDescription("an answer that cannot be read");
      }
      if (!status.isOk()) {
        fail(status);
        return;
      }
      synchronized (this) {
        if (over) {
          return;
        }
        over = true;
      }
      answers.onNext(PostalService.RECEIPT);
      answers.onCompleted();
    }

    void fail(Status status) {
      synchronized (this) {
        if (over) {
          return;
        }
        over = true;
      }
      answers.onError(status.asRuntimeException());
    }
  }
}
