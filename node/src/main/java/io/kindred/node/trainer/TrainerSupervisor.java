package io.kindred.node.trainer;

import io.kindred.storage.OperatorException;
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
final class TrainerSupervisor implements AutoCloseable {
  private static final long MAX_BACKOFF_MILLIS = 10_000;
  private static final String CLOSED_REASON = "the node stops";

  /**
   * How a trainer is kept.
   *
   * @param callSeconds that a piece of work may take
   * @param startSeconds that a greeting may take
   * @param maxFailures failures in a row after which nobody tries again
   * @param backoffMillis before the first new attempt; it doubles with each
   */
  record RestartPolicy(
      double callSeconds, double startSeconds, int maxFailures, long backoffMillis) {}

  private final TrainerInstance.Source source;
  private final RestartPolicy restartPolicy;
  private final TrainerMessages.HelloRequest helloRequest;
  private final Consumer<String> log;
  private final ReentrantLock workLock = new ReentrantLock(true);
  private final TrainerMessages.HelloReply firstHello;
  private volatile @Nullable TrainerInstance instance;
  private volatile boolean closed;

  /** Begins a first life and greets it; what goes wrong here is thrown as it is. */
  TrainerSupervisor(
      TrainerInstance.Source source,
      RestartPolicy restartPolicy,
      TrainerMessages.HelloRequest request,
      Consumer<String> log) {
    this.source = source;
    this.restartPolicy = restartPolicy;
    this.helloRequest = request;
    this.log = log;
    TrainerInstance begun = source.start();
    try {
      firstHello = handshake(begun);
    } catch (TrainerFault fault) {
      TrainerFault why = new TrainerFault(begun.exitReason().orElse(messageOf(fault)));
      begun.close();
      throw why;
    } catch (RuntimeException refused) {
      begun.close();
      throw refused;
    }
    instance = begun;
  }

  private TrainerMessages.HelloReply handshake(TrainerInstance begun) {
    TrainerMessages.HelloReply reply =
        TrainerSession.hello(begun.channel(), helloRequest, restartPolicy.startSeconds());
    if (reply.version() != TrainerMessages.VERSION) {
      throw new OperatorException(
          OperatorException.FAILED,
          "the trainer speaks version %d, this node %d; take a trainer of the same version"
              .formatted(reply.version(), TrainerMessages.VERSION));
    }
    return reply;
  }

  /** What the trainer said of itself. */
  TrainerMessages.HelloReply hello() {
    return firstHello;
  }

  /** Has a piece of work done, however many lives that takes. */
  <T> T callWithRestarts(String what, Function<TrainerSession, T> work) {
    workLock.lock();
    try {
      int failures = 0;
      while (true) {
        try {
          return work.apply(
              TrainerSession.forWork(runningInstance().channel(), restartPolicy.callSeconds()));
        } catch (TrainerFault fault) {
          failures++;
          String why = stopInstance().orElse(messageOf(fault));
          if (failures >= restartPolicy.maxFailures() || !backOff(failures, what, why)) {
            throw new OperatorException(
                OperatorException.FAILED,
                "the trainer failed %d times in a row, last at %s: %s"
                    .formatted(failures, what, why));
          }
        }
      }
    } finally {
      workLock.unlock();
    }
  }

  private TrainerInstance runningInstance() {
    if (closed) {
      throw new TrainerFault(CLOSED_REASON);
    }
    TrainerInstance known = instance;
    if (known == null) {
      known = source.start();
      instance = known;
      TrainerMessages.HelloReply again = handshake(known);
      if (!again.equals(firstHello)) {
        throw new TrainerFault(
            "it came back as another: %s instead of %s".formatted(again, firstHello));
      }
    }
    return known;
  }

  /** Why the life ended, where more is known than that a call failed. */
  private Optional<String> stopInstance() {
    TrainerInstance ending = instance;
    instance = null;
    if (ending == null) {
      return Optional.empty();
    }
    Optional<String> gone = ending.exitReason();
    ending.close();
    return gone;
  }

  private static String messageOf(TrainerFault fault) {
    return String.valueOf(fault.getMessage());
  }

  /** Waits before the next attempt; false where the node ends meanwhile. */
  private boolean backOff(int failures, String what, String why) {
    if (closed || Thread.currentThread().isInterrupted()) {
      return false;
    }
    long millis =
        Math.min(MAX_BACKOFF_MILLIS, restartPolicy.backoffMillis() << Math.min(failures - 1, 20));
    log.accept(
        "trainer failed at %s: %s; starting it again (failure %d of %d)"
            .formatted(what, why, failures, restartPolicy.maxFailures()));
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
    TrainerInstance ending = instance;
    if (ending != null) {
      ending.close();
    }
    workLock.lock();
    try {
      stopInstance();
      source.close();
    } finally {
      workLock.unlock();
    }
  }
}
