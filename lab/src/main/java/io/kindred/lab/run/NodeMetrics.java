package io.kindred.lab.run;

import io.kindred.core.Observation;
import io.kindred.core.PeerId;
import io.kindred.core.Ticks;
import io.kindred.lab.experiment.Experiment;
import io.kindred.methods.Cast;
import io.kindred.node.NodePlan;
import io.kindred.node.NodeStatus;
import io.kindred.node.NodeWatcher;
import io.kindred.node.log.Log;
import io.kindred.node.state.Totals;
import io.kindred.simulator.Watcher;
import io.kindred.simulator.Workers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of one node, in the form of a run's, and at the end its model with a card. Evaluation
 * and writing happen on one thread of their own, line by line to the disk, since a node may be
 * killed at any time; the peer waits for them only when too many models are waiting. What a full
 * disk does not take is kept and tried again.
 */
final class NodeMetrics implements NodeWatcher, AutoCloseable {
  private static final int MOST_WAITING = 64;
  private static final int SECONDS_TO_FINISH = 60;
  private static final int SECONDS_BETWEEN_TRIES = 1;

  private final Experiment experiment;
  private final Cast cast;
  private final PeerId peer;
  private final boolean hasData;
  private final RunFolder folder;
  private final Log log;
  private final MetricsFile file;
  private final Recorder recorder;
  private final ModelFiles models;
  private final Semaphore room = new Semaphore(MOST_WAITING);
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("node-metrics").factory());
  private volatile Supplier<SortedMap<Long, NodeStatus.Heard>> peers = TreeMap::new;
  // Only the one thread touches these.
  private Observation.@Nullable Deployed unwritten;
  private boolean failing;

  NodeMetrics(Experiment experiment, NodePlan plan, RunFolder folder, Log log) {
    this.experiment = experiment;
    this.cast = plan.cast();
    int peer = plan.number();
    this.peer = new PeerId(peer);
    this.hasData = peer < cast.holdings().peers().size();
    this.folder = folder;
    this.log = log;
    this.file = new MetricsFile(folder.metrics(), wholeLines(folder.metrics()));
    this.models = new ModelFiles(folder.models(), experiment.evaluation().saveModels());
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
            // The last model is kept here, where a full disk is no end.
            new ModelFiles(folder.models(), false),
            Progress.SILENT,
            Unwritten.nothing());
  }

  /** Who is asked from whom models came. */
  void peers(Supplier<SortedMap<Long, NodeStatus.Heard>> heard) {
    peers = heard;
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
            take(observed);
          } finally {
            room.release();
          }
        });
  }

  private void take(Watcher.Observed observed) {
    if (observed.observation() instanceof Observation.Deployed deployed
        && deployed.round() >= experiment.rounds()
        && (deployed.stage() != Observation.Stage.TRAINED
            || cast.method().lastStage() == Observation.Stage.TRAINED)) {
      unwritten = deployed;
    }
    try {
      recorder.observed(observed);
    } catch (UncheckedIOException full) {
      // The line waits with those after it.
    }
    write();
  }

  /** Brings to the disk what is not there yet; what fails is tried again. */
  private void write() {
    try {
      recorder.sync();
      Observation.Deployed last = unwritten;
      if (last != null) {
        models.keep(peer, last);
        card(last);
        unwritten = null;
      }
      if (failing) {
        failing = false;
        log.info("disk", "metrics and models can be written again");
      }
    } catch (UncheckedIOException full) {
      if (!failing) {
        failing = true;
        log.warn("disk", full.getMessage() + " (" + full.getCause() + "); it is tried again");
      }
      if (!thread.isShutdown()) {
        Future<?> _ = thread.schedule(this::write, SECONDS_BETWEEN_TRIES, TimeUnit.SECONDS);
      }
    }
  }

  /** An ensemble is not kept as a file, and then there is nothing to describe. */
  private void card(Observation.Deployed last) {
    String name = "peer-" + peer.number();
    if (Files.exists(folder.models().resolve(name + ".safetensors"))) {
      RunFolder.writeText(
          folder.models().resolve(name + ".md"),
          ModelCard.of(experiment, cast, peer, folder, last, peers.get()));
    }
  }

  @Override
  public void close() {
    thread.shutdown();
    try {
      thread.awaitTermination(SECONDS_TO_FINISH, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try {
      file.close();
    } catch (UncheckedIOException full) {
      log.warn("disk", full.getMessage() + " (" + full.getCause() + "); its last lines are lost");
    }
  }
}
