package io.kindred.experiment;

import io.kindred.experiment.CheckpointFiles.Checkpoint;
import io.kindred.runtime.Workers;
import io.kindred.runtime.Workers.Activity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Writes checkpoints while the run goes on: a checkpoint never changes. One is written at a time,
 * on a thread of its own, because it retains the models of the moment until it is written and so
 * must not wait behind the work of peers.
 */
final class CheckpointWriter {
  /**
   * The next checkpoint is due after this many times the duration of the last one, which limits the
   * share of time that checkpoints take.
   */
  private static final int SPACING = 20;

  private static final long LEAST_NANOS_BETWEEN = 1_000_000_000;

  private final CheckpointFiles files;
  private final Workers workers;
  private @Nullable Future<Long> writing;
  private long due;

  CheckpointWriter(CheckpointFiles files, Workers workers, long nowNanos) {
    this.files = files;
    this.workers = workers;
    due = nowNanos + LEAST_NANOS_BETWEEN;
  }

  /** Whether it is time for the next checkpoint, and none is being written. */
  boolean isDue(long nowNanos) throws IOException {
    Future<Long> known = writing;
    if (known == null) {
      return nowNanos - due >= 0;
    }
    if (known.isDone()) {
      finish();
    }
    return false;
  }

  /** Starts to write a checkpoint, whose making began at {@code begunNanos}. */
  void start(Checkpoint checkpoint, long begunNanos) {
    writing =
        workers.submitOnNewThread(
            Activity.OTHER,
            () -> {
              try {
                files.write(checkpoint);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
              long end = System.nanoTime();
              return end + Math.max(LEAST_NANOS_BETWEEN, SPACING * (end - begunNanos));
            });
  }

  /** Waits until the checkpoint that is being written is on the disk. */
  void finish() throws IOException {
    Future<Long> known = writing;
    if (known == null) {
      return;
    }
    writing = null;
    try {
      due = workers.await(known);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
