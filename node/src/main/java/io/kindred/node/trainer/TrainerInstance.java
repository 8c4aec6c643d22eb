package io.kindred.node.trainer;

import io.grpc.Channel;
import java.util.Optional;

/** A trainer from its start to its end; after a fault another instance is started. */
interface TrainerInstance extends AutoCloseable {
  /** The channel for calls to the trainer. */
  Channel channel();

  /** Why the trainer ended, where that is known. */
  Optional<String> exitReason();

  /** Stops the trainer by force, as it may hang. May be called twice. */
  @Override
  void close();

  /** Starts instances of a trainer. */
  interface Source extends AutoCloseable {
    /**
     * Starts a trainer or connects to the one that runs; throws a {@link TrainerFault} where that
     * fails.
     */
    TrainerInstance start();

    @Override
    void close();
  }
}
