package io.kindred.node.trainer;

import io.kindred.files.OperatorException;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a trainer alive. Work goes to it piece by piece; where a piece fails, the trainer is ended,
 * begun again after a while and given the same piece, so often and no more. A trainer holds nothing
 * that matters: every piece brings its weights along.
 */
final class TrainerKeeper implements AutoCloseable {
  private static final long LONGEST_PAUSE_MILLIS = 10_000;
  private static final String CLOSED = "the node stops";

  /**
   * How a trainer is kept.
   *
   * @param seconds that a piece of work may take
   * @param startSeconds that a greeting may take
   * @param attempts failures in a row after which nobody tries again
   * @param pauseMillis before the first new attempt; it doubles with each
   */
  record Patience(double seconds, double startSeconds, int attempts, long pauseMillis) {}

  private final TrainerLife.Source source;
  private final Patience patience;
  private final Messages.HelloRequest request;
  private final Consumer<String> log;
  private final ReentrantLock turn = new ReentrantLock(true);
  private final Messages.HelloReply first;
  private volatile @Nullable TrainerLife life;
  private volatile boolean closed;

  /** Begins a first life and greets it; what goes wrong here is thrown as it is. */
  TrainerKeeper(
      TrainerLife.Source source,
      Patience patience,
      Messages.HelloRequest request,
      Consumer<String> log) {
    this.source = source;
    this.patience = patience;
    this.request = request;
    this.log = log;
    TrainerLife begun = source.begin();
    try {
      first = greet(begun);
    } catch (TrainerFault fault) {
      TrainerFault why = new TrainerFault(begun.gone().orElse(said(fault)));
      begun.close();
      throw why;
    } catch (RuntimeException refused) {
      begun.close();
      throw refused;
    }
    life = begun;
  }

  private Messages.HelloReply greet(TrainerLife begun) {
    Messages.HelloReply reply = Session.hello(begun.channel(), request, patience.startSeconds());
    if (reply.version() != Messages.VERSION) {
      throw new OperatorException(
          OperatorException.FAILED,
          "the trainer speaks version %d, this node %d; take a trainer of the same version"
              .formatted(reply.version(), Messages.VERSION));
    }
    return reply;
  }

  /** What the trainer said of itself. */
  Messages.HelloReply hello() {
    return first;
  }

  /** Has a piece of work done, however many lives that takes. */
  <T> T ask(String what, Function<Session, T> work) {
    turn.lock();
    try {
      int failures = 0;
      while (true) {
        try {
          return work.apply(Session.work(living().channel(), patience.seconds()));
        } catch (TrainerFault fault) {
          failures++;
          String why = endLife().orElse(said(fault));
          if (failures >= patience.attempts() || !pause(failures, what, why)) {
            throw new OperatorException(
                OperatorException.FAILED,
                "the trainer failed %d times in a row, last at %s: %s"
                    .formatted(failures, what, why));
          }
        }
      }
    } finally {
      turn.unlock();
    }
  }

  private TrainerLife living() {
    if (closed) {
      throw new TrainerFault(CLOSED);
    }
    TrainerLife known = life;
    if (known == null) {
      known = source.begin();
      life = known;
      Messages.HelloReply again = greet(known);
      if (!again.equals(first)) {
        throw new TrainerFault("it came back as another: %s instead of %s".formatted(again, first));
      }
    }
    return known;
  }

  /** Why the life ended, where more is known than that a call failed. */
  private Optional<String> endLife() {
    TrainerLife ending = life;
    life = null;
    if (ending == null) {
      return Optional.empty();
    }
    Optional<String> gone = ending.gone();
    ending.close();
    return gone;
  }

  private static String said(TrainerFault fault) {
    return String.valueOf(fault.getMessage());
  }

  /** Waits before the next attempt; false where the node ends meanwhile. */
  private boolean pause(int failures, String what, String why) {
    if (closed || Thread.currentThread().isInterrupted()) {
      return false;
    }
    long millis =
        Math.min(LONGEST_PAUSE_MILLIS, patience.pauseMillis() << Math.min(failures - 1, 20));
    log.accept(
        "trainer failed at %s: %s; starting it again (failure %d of %d)"
            .formatted(what, why, failures, patience.attempts()));
    try {
      Thread.sleep(millis);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Work that is under way fails at once: the life is ended before its turn is. */
  @Override
  public void close() {
    closed = true;
    TrainerLife ending = life;
    if (ending != null) {
      ending.close();
    }
    turn.lock();
    try {
      endLife();
      source.close();
    } finally {
      turn.unlock();
    }
  }
}
