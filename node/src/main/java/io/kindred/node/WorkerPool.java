package io.kindred.node;

import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Weights;
import io.kindred.learning.training.Trainer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Computes tickets on its own threads, each with its own trainer. */
final class WorkerPool implements AutoCloseable {
  private final ExecutorService threads;
  private final ThreadLocal<Trainer> trainer;
  private final PeerId peer;

  WorkerPool(int count, Supplier<Trainer> trainers, PeerId peer) {
    this.threads =
        Executors.newFixedThreadPool(
            count, Thread.ofPlatform().daemon().name("node-worker-", 0).factory());
    this.trainer = ThreadLocal.withInitial(trainers);
    this.peer = peer;
  }

  void perform(Ticket ticket, Consumer<Result> finished, Consumer<Throwable> failed) {
    try {
      threads.execute(
          () -> {
            try {
              Result result = trainer.get().perform(peer, ticket);
              computeDigest(result);
              finished.accept(result);
            } catch (RuntimeException | Error broken) {
              failed.accept(broken);
            }
          });
    } catch (RejectedExecutionException closing) {
      // The node is shutting down, so the result is not needed.
    }
  }

  /**
   * Every vector's digest is needed later; computed here, it costs the thread that steps the peer
   * nothing.
   */
  @SuppressWarnings("ReturnValueIgnored") // kept by the vector itself
  private static void computeDigest(Result result) {
    switch (result) {
      case Result.Trained(Weights weights, double _, long _) -> weights.digest();
      case Result.Mixed(Weights weights) -> weights.digest();
      case Result.Losses _, Result.Outputs _, Result.Answered _ -> {}
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
