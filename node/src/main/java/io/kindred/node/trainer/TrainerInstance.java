package io.kindred.node.trainer;

import io.grpc.Channel;
import java.util.Optional;

/** A trainer from its start to its end; after a fault there is another one. */
interface TrainerInstance extends AutoCloseable {
  /** How it is called. */
  Channel channel();

  /** Why it cannot answer any more, where that is known. */
  Optional<String> exitReason();

  /** Ends it, and may be called twice; one that hangs is not asked first. */
  @Override
  void close();

  /** Begins lives. */
  interface Source extends AutoCloseable {
    /** Starts a trainer or finds the one that runs; a {@link TrainerFault} where that fails. */
    TrainerInstance start();

    @Override
    void close();
  }
}
