package io.kindred.node.trainer;

import com.google.protobuf.UnknownFieldSet;
import io.kindred.node.trainer.contract.TrainerMessages;
import io.kindred.storage.OperatorException;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Supervises a trainer. Work goes to the trainer piece by piece; when a piece fails, the trainer is
 * stopped, started again after a backoff and given the same piece, up to a limit of failures. A
 * restart loses nothing, because every piece of work carries its weights.
 */
final class TrainerSupervisor implements AutoCloseable {
  private static final long MAX_BACKOFF_MILLIS = 10_000;
  private static final String CLOSED_REASON = "the node stops";

  /**
   * Timeouts and retries of a trainer.
   *
   * @param callSeconds timeout of a piece of work
   * @param startSeconds timeout of the handshake
   * @param maxFailures failures in a row after which the supervisor gives up
   * @param backoffMillis pause before the first retry; it doubles with each
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

  /** Starts the first instance and performs the handshake; a failure here is not retried. */
  TrainerSupervisor(
      TrainerInstance.Source source,
      RestartPolicy restartPolicy,
      TrainerMessages.HelloRequest request,
      Consumer<String> log) {
    this.source = source;
    this.restartPolicy = restartPolicy;
    this.helloRequest = request;
    this.log = log;
    TrainerInstance started = source.start();
    try {
      firstHello = handshake(started);
    } catch (TrainerFault fault) {
      TrainerFault why = new TrainerFault(started.exitReason().orElse(messageOf(fault)));
      started.close();
      throw why;
    } catch (RuntimeException refused) {
      started.close();
      throw refused;
    }
    instance = started;
  }

  private TrainerMessages.HelloReply handshake(TrainerInstance started) {
    TrainerMessages.HelloReply reply =
        TrainerSession.hello(started.channel(), helloRequest, restartPolicy.startSeconds());
    if (reply.getVersion() != TrainerRequests.VERSION) {
      throw new OperatorException(
          OperatorException.FAILED,
          "the trainer speaks version %d, this node %d; take a trainer of the same version"
              .formatted(reply.getVersion(), TrainerRequests.VERSION));
    }
    // Fields that this node does not know may differ from one handshake to the next.
    return reply.toBuilder().setUnknownFields(UnknownFieldSet.getDefaultInstance()).build();
  }

  /** The trainer's reply to the first handshake. */
  TrainerMessages.HelloReply hello() {
    return firstHello;
  }

  /** Performs a piece of work, and restarts the trainer after failures. */
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
    TrainerInstance running = instance;
    if (running == null) {
      running = source.start();
      instance = running;
      TrainerMessages.HelloReply again = handshake(running);
      if (!again.equals(firstHello)) {
        throw new TrainerFault(
            "it came back as another: %s instead of %s"
                .formatted(TrainerReplies.oneLine(again), TrainerReplies.oneLine(firstHello)));
      }
    }
    return running;
  }

  /** Stops the instance; returns why it ended, where more is known than that a call failed. */
  private Optional<String> stopInstance() {
    TrainerInstance ending = instance;
    instance = null;
    if (ending == null) {
      return Optional.empty();
    }
    Optional<String> exitReason = ending.exitReason();
    ending.close();
    return exitReason;
  }

  private static String messageOf(TrainerFault fault) {
    return String.valueOf(fault.getMessage());
  }

  /** Waits before the next attempt; false where the node stops meanwhile. */
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

  /** Work in progress fails at once, because the instance is stopped before the lock is taken. */
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
