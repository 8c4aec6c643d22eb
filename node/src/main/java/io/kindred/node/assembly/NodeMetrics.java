package io.kindred.node.assembly;

import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Ticks;
import io.kindred.methods.contract.PeerFactory;
import io.kindred.node.NodeListener;
import io.kindred.node.NodePlan;
import io.kindred.node.NodeStatus;
import io.kindred.node.log.NodeLog;
import io.kindred.node.state.Totals;
import io.kindred.runtime.ObservationListener;
import io.kindred.runtime.Progress;
import io.kindred.runtime.RoundCompletion;
import io.kindred.runtime.Workers;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.folder.ModelFiles;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.runtime.metrics.Evaluator;
import io.kindred.runtime.metrics.MetricLine;
import io.kindred.runtime.metrics.MetricsFile;
import io.kindred.runtime.metrics.ModelCard;
import io.kindred.runtime.metrics.PeerExplanations;
import io.kindred.runtime.metrics.PeerGroups;
import io.kindred.runtime.metrics.PendingMetrics;
import io.kindred.runtime.metrics.Recorder;
import io.kindred.runtime.metrics.RoundTable;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes the metrics of one node, in the format of a run, and at the end its model with a model
 * card. Evaluation and writing happen on one thread of their own, line by line to the disk, since a
 * node may be killed at any time; the peer waits for that thread only when too many models are
 * pending. Writes that fail, as on a full disk, are retried.
 */
public final class NodeMetrics implements NodeListener, AutoCloseable {
  private static final int MAX_WAITING = 64;
  private static final int SECONDS_TO_FINISH = 60;
  private static final int RETRY_SECONDS = 1;

  private final Experiment experiment;
  private final PeerFactory factory;
  private final PeerId peer;
  private final boolean hasData;
  private final RoundCompletion roundCompletion;
  private final RunFolder folder;
  private final NodeLog log;
  private final MetricsFile file;
  private final Recorder recorder;
  private final ModelFiles models;
  private final Optional<Deployment> deployment;
  private final Semaphore waitingSlots = new Semaphore(MAX_WAITING);
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("node-metrics").factory());
  private volatile Supplier<SortedMap<Long, NodeStatus.PeerTraffic>> peerTraffic = TreeMap::new;
  // Only the metrics thread accesses these.
  private Observation.@Nullable Deployed unsavedModel;
  private Observation.@Nullable Deployed candidate;
  private boolean failing;

  NodeMetrics(
      Experiment experiment,
      NodePlan plan,
      RunFolder folder,
      Optional<Deployment> deployment,
      NodeLog log) {
    this.deployment = deployment;
    this.experiment = experiment;
    this.factory = plan.peerFactory();
    int peer = plan.number();
    this.peer = new PeerId(peer);
    this.hasData = !plan.isServer();
    this.roundCompletion = plan.roundCompletion();
    this.folder = folder;
    this.log = log;
    this.file = new MetricsFile(folder.metrics(), completeLinesLength(folder.metrics()));
    this.models = new ModelFiles(folder.models(), experiment.evaluation().saveModels());
    // Only the metrics thread submits work, so it also does the work.
    Workers workers = new Workers(Runnable::run, plan.computing().trainers(), System::nanoTime);
    this.recorder =
        new Recorder(
            experiment.evaluation(),
            roundCompletion,
            workers,
            new Evaluator(workers, factory.datasets()),
            file,
            new RoundTable(experiment.peers()),
            // The last model is saved by this class, which retries when the disk is full.
            new ModelFiles(folder.models(), false),
            Progress.SILENT,
            PendingMetrics.empty(),
            PeerGroups.planted(factory.datasets()));
  }

  /** Sets the source of the traffic per peer, which the model card shows. */
  void peerTraffic(Supplier<SortedMap<Long, NodeStatus.PeerTraffic>> peerTraffic) {
    this.peerTraffic = peerTraffic;
  }

  /** Bytes up to the end of the last complete line; a kill may have cut the line after it. */
  public static long completeLinesLength(Path file) {
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
    ObservationListener.Observed observed =
        new ObservationListener.Observed(
            Ticks.ofSeconds(secondsUp),
            peer,
            observation,
            totals.sentControl() + totals.sentModel(),
            totals.receivedControl() + totals.receivedModel(),
            totals.pulled());
    waitingSlots.acquireUninterruptibly();
    thread.execute(
        () -> {
          try {
            record(observed);
          } finally {
            waitingSlots.release();
          }
        });
  }

  private void record(ObservationListener.Observed observed) {
    if (observed.observation() instanceof Observation.Deployed deployed) {
      if (roundCompletion.isModelToKeep(deployed)) {
        unsavedModel = deployed;
      }
      if (deployment.filter(each -> each.concerns(deployed)).isPresent()) {
        candidate = deployed;
      }
    }
    try {
      recorder.observed(observed);
    } catch (UncheckedIOException full) {
      // The metrics file keeps the line for the next write.
    }
    write();
  }

  /** Writes pending lines and the last model to the disk; a failed write is retried later. */
  private void write() {
    try {
      recorder.sync();
      Observation.Deployed last = unsavedModel;
      if (last != null) {
        models.save(peer, last);
        writeExplanation(last);
        unsavedModel = null;
      }
      Observation.Deployed next = candidate;
      if (next != null) {
        deployment.ifPresent(each -> each.offer(next));
        candidate = null;
      }
      if (failing) {
        failing = false;
        log.info("disk", "metrics and models can be written again");
      }
    } catch (UncheckedIOException full) {
      if (!failing) {
        failing = true;
        log.warn(
            "disk",
            "{} ({}); the write will be retried",
            full.getMessage(),
            String.valueOf(full.getCause()),
            full);
      }
      if (!thread.isShutdown()) {
        Future<?> _ = thread.schedule(this::write, RETRY_SECONDS, TimeUnit.SECONDS);
      }
    }
  }

  /** Explains the last model; an ensemble is not saved as a file, so it gets no model card. */
  private void writeExplanation(Observation.Deployed last) {
    PeerExplanations.Collector lines = PeerExplanations.Collector.of(folder.metrics());
    Optional<PeerExplanations> explanations = lines.explanations(PeerGroups.of(factory.datasets()));
    explanations.ifPresent(each -> RunFolder.writeText(folder.explanations(), Json.document(each)));
    String name = "peer-" + peer.number();
    Optional<MetricLine> line =
        lines.newest(peer.number()).filter(each -> each.round() == last.round());
    if (Files.exists(folder.models().resolve(name + ".safetensors"))) {
      RunFolder.writeText(
          folder.models().resolve(name + ".md"),
          new ModelCard(
                  experiment,
                  factory,
                  peer.number(),
                  last.round(),
                  line,
                  explanations.flatMap(each -> each.of(peer.number())),
                  Optional.of(sources()))
              .text());
    }
  }

  private String sources() {
    String all =
        peerTraffic.get().entrySet().stream()
            .filter(each -> each.getValue().models() > 0)
            .map(each -> "peer %d (%d)".formatted(each.getKey(), each.getValue().models()))
            .collect(Collectors.joining(", "));
    return all.isEmpty() ? "no other peer" : all;
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
      log.warn(
          "disk",
          "{} ({}); the last lines of the metrics are lost",
          full.getMessage(),
          String.valueOf(full.getCause()),
          full);
    }
  }
}
