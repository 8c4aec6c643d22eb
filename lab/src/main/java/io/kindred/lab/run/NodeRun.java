package io.kindred.lab.run;

import io.kindred.core.settings.Complaint;
import io.kindred.files.OperatorException;
import io.kindred.files.config.Binder;
import io.kindred.files.config.ConfigException;
import io.kindred.files.config.ConfigFile;
import io.kindred.files.config.ConfigNode.Mapping;
import io.kindred.files.disk.FolderLock;
import io.kindred.files.json.Json;
import io.kindred.lab.experiment.Experiment;
import io.kindred.lab.experiment.ExperimentFile;
import io.kindred.learning.data.DataFiles;
import io.kindred.methods.Cast;
import io.kindred.node.Node;
import io.kindred.node.NodePlan;
import io.kindred.node.NodeSettings;
import io.kindred.node.identity.Identity;
import io.kindred.node.log.Log;
import io.kindred.node.operations.Operations;
import io.kindred.node.recording.Replay;
import io.kindred.node.trainer.ForeignTrainer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One node from its configuration file to its folder. */
public final class NodeRun {
  private static final int MILLIS_BETWEEN_LOOKS = 200;

  private final Path home;
  private final Mapping written;
  private final NodeSettings settings;

  /** Reads the configuration; everything it names is looked for from its own folder. */
  public NodeRun(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    this.home = folder == null ? file.toAbsolutePath() : folder;
    this.written = ConfigFile.read(file);
    this.settings = new Binder(List.of()).bind(NodeSettings.class, written);
  }

  private RunFolder folder() {
    return new RunFolder(home.resolve(settings.folder()));
  }

  private Experiment experiment() {
    Path named = home.resolve(settings.experiment()).normalize();
    if (!Files.isRegularFile(named)) {
      throw ConfigException.at(
          written,
          new Complaint(
              "experiment", "there is no file " + named, "name the one that all nodes share"));
    }
    ExperimentFile file = ExperimentFile.read(named, settings.profile(), settings.set());
    if (file.isGrid()) {
      throw ConfigException.at(
          written,
          new Complaint(
              "experiment", "the file describes several runs", "name one without sweep and seeds"));
    }
    return file.experiment();
  }

  /** How its log looks. */
  public Log.Form log() {
    return settings.log();
  }

  /** Runs until it is told to stop, with a log that takes text alone. */
  public void execute(StopSignal stop, Consumer<String> lines, DataFiles data)
      throws InterruptedException {
    execute(stop, Log.of(lines), data);
  }

  /** Runs until it is told to stop. */
  public void execute(StopSignal stop, Log log, DataFiles data) throws InterruptedException {
    Experiment experiment = experiment();
    Path papers = home.resolve(settings.identity());
    if (Identity.completeVrf(papers)) {
      log.info("vrf-key", "made a key for verifiable draws in " + papers);
    }
    Identity identity = Identity.read(papers, settings.allowed());
    if (settings.trainer().isBuiltIn()) {
      experiment.engine().prepare(System.getenv(), line -> log.info("engine", line));
    }
    Cast cast = PeerAssembler.cast(experiment, data);
    NodePlan plan = plan(experiment, cast, identity);
    try (FolderLock _ = FolderLock.take(folder().path())) {
      begin(experiment);
      if (settings.trainer().isBuiltIn()) {
        run(experiment, plan, stop, log);
        return;
      }
      try (ForeignTrainer trainer = trainer(cast, line -> log.info("trainer", line))) {
        run(experiment, plan.trainedBy(cast.over(trainer.holdings()), () -> trainer), stop, log);
      }
    }
  }

  private ForeignTrainer trainer(Cast cast, Consumer<String> log) {
    try {
      return ForeignTrainer.start(
          settings.trainer(), home, folder().path(), cast, settings.peer(), log);
    } catch (Complaint complaint) {
      throw ConfigException.at(written, complaint);
    }
  }

  private void run(Experiment experiment, NodePlan plan, StopSignal stop, Log log)
      throws InterruptedException {
    try (NodeMetrics metrics = new NodeMetrics(experiment, plan, folder(), log);
        Node node = new Node(plan, metrics, log);
        @Nullable Operations _ = operations(plan.identity(), node, log)) {
      metrics.peers(() -> node.status().heard());
      node.start(settings.addresses(), settings.relayed());
      boolean ended = false;
      while (!ended && !stop.requested()) {
        ended = node.awaitEnd(MILLIS_BETWEEN_LOOKS, TimeUnit.MILLISECONDS);
      }
      if (node.failure().isPresent()) {
        Throwable failure = node.failure().get();
        if (failure.getCause() instanceof OperatorException told) {
          throw told;
        }
        throw new IllegalStateException(failure.getMessage(), failure);
      }
    }
  }

  private @Nullable Operations operations(Identity identity, Node node, Log log) {
    return settings
        .operations()
        .address()
        .map(where -> new Operations(where, identity, node::status, node.refusals(), log))
        .orElse(null);
  }

  private NodePlan plan(Experiment experiment, Cast cast, Identity identity) {
    try {
      settings.requireNeighboursAmong(cast.size());
      return new NodePlan(
          cast,
          settings.peer(),
          cast.trainers(experiment.engine()),
          settings.workers(),
          identity,
          settings.listenAddress(),
          settings.advertisedAddress(),
          folder().path(),
          settings.record(),
          settings.gatherMillis(),
          settings.sendMillis(),
          settings.limits(),
          settings.packing(),
          settings.relayPeer(),
          settings.links());
    } catch (Complaint complaint) {
      throw ConfigException.at(written, complaint);
    }
  }

  /** A node that comes back must find the experiment that it left. */
  private void begin(Experiment experiment) {
    String configuration = ExperimentFile.resolved(experiment.withWorkers(0));
    if (folder().hasRun()) {
      folder().requireSame(configuration);
    } else {
      folder().begin(configuration);
      RunFolder.writeText(folder().environment(), Json.document(Environment.of(experiment)));
    }
  }

  /** Looks at everything that a start will need. */
  public List<NodeFinding> preflight(DataFiles data) {
    return new NodePreflight(settings, home, Instant.now())
        .findings(this::experiment, this::plan, data);
  }

  /** The status that the node last wrote. */
  public String status() {
    Path file = folder().path().resolve("status.json");
    if (!Files.exists(file)) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "there is no " + file + "; start the node with 'kindred node start'");
    }
    return RunFolder.readText(file);
  }

  /** Steps through the recorded events once more. */
  public Replay.Outcome replay(DataFiles data) {
    Path file = folder().path().resolve("events.rec");
    if (!Files.exists(file)) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "there is no " + file + "; a node writes it with 'record: true'");
    }
    Cast cast = PeerAssembler.cast(experiment(), data);
    return Replay.of(file, cast.peer(settings.peer()), cast.wire());
  }
}
