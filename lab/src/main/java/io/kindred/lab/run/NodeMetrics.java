package io.kindred.lab.run;

import io.kindred.core.Observation;
import io.kindred.core.PeerId;
import io.kindred.core.Ticks;
import io.kindred.lab.experiment.Experiment;
import io.kindred.methods.Cast;
import io.kindred.node.NodePlan;
import io.kindred.node.NodeWatcher;
import io.kindred.node.state.Totals;
import io.kindred.simulator.Watcher;
import io.kindred.simulator.Workers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The metrics of one node, in the form of a run's. Evaluation and writing happen on one thread of
 * their own, line by line to the disk, since a node may be killed at any time; the peer waits for
 * them only when too many models are waiting.
 */
final class NodeMetrics implements NodeWatcher, AutoCloseable {
  private static final int MOST_WAITING = 64;
  private static final int SECONDS_TO_FINISH = 60;

  private final PeerId peer;
  private final boolean hasData;
  private final MetricsFile file;
  private final Recorder recorder;
  private final Semaphore room = new Semaphore(MOST_WAITING);
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("node-metrics").factory());

  NodeMetrics(Experiment experiment, NodePlan plan, RunFolder folder) {
    int peer = plan.number();
    Cast cast = plan.cast();
    this.peer = new PeerId(peer);
    this.hasData = peer < cast.holdings().peers().size();
    this.file = new MetricsFile(folder.metrics(), wholeLines(folder.metrics()));
    // Everything is submitted by the one thread, so that thread is worker enough.
    Workers workers = new Workers(Runnable::run, plan.trainers(), System::nanoTime);
    this.recorder =
        new Recorder(
            experiment.evaluation(),
            experiment.rounds(),
            workers,
            new Evaluator(workers, cast.holdings()),
            file,
            new RoundTable(experiment.peers()),
            new ModelFiles(folder.models(), experiment.evaluation().saveModels()),
            Progress.SILENT,
            new TreeMap<>());
  }

  /** Bytes up to the end of the last whole line: a kill may have cut the one that followed. */
  static long wholeLines(Path file) {
    try {
      byte[] bytes = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
      int length = bytes.length;
      while (length > 0 && bytes[length - 1] != '\n') {
        length--;
      }
      return length;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  @Override
  public void observed(double secondsUp, Observation observation, Totals totals) {
    if (!hasData) {
      return;
    }
    Watcher.Observed observed =
        new Watcher.Observed(
            Ticks.ofSeconds(secondsUp),
            peer,
            observation,
            totals.sentControl() + totals.sentModel(),
            totals.receivedControl() + totals.receivedModel(),
            totals.pulled());
    room.acquireUninterruptibly();
    thread.execute(
        () -> {
          try {
            recorder.observed(observed);
            recorder.sync();
          } finally {
            room.release();
          }
        });
  }

  @Override
  public void close() {
    thread.shutdown();
    try {
      thread.awaitTermination(SECONDS_TO_FINISH, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    file.close();
  }
}
