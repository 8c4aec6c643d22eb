package io.kindred.node.assembly;

import io.kindred.core.config.SettingException;
import io.kindred.learning.data.DataFiles;
import io.kindred.methods.contract.PeerFactory;
import io.kindred.node.Node;
import io.kindred.node.NodePlan;
import io.kindred.node.NodeSettings;
import io.kindred.node.identity.ElectionCertificates;
import io.kindred.node.identity.Identity;
import io.kindred.node.log.LogOutput;
import io.kindred.node.log.NodeLog;
import io.kindred.node.operations.OperationsServer;
import io.kindred.node.recording.Replay;
import io.kindred.node.trainer.ExternalTrainer;
import io.kindred.runtime.EngineResolution;
import io.kindred.runtime.PeerAssembler;
import io.kindred.runtime.StopSignal;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.runtime.folder.RunEnvironment;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.OperatorException;
import io.kindred.storage.config.Binder;
import io.kindred.storage.config.ConfigException;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.config.ConfigNode.Mapping;
import io.kindred.storage.disk.FolderLock;
import io.kindred.storage.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs one node from its configuration file and writes its run folder. */
public final class NodeRun {
  private static final int POLL_MILLIS = 200;

  private final Path home;
  private final Mapping parsedFile;
  private final NodeSettings settings;

  /** Reads the configuration; the paths in it are relative to its own folder. */
  public NodeRun(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    this.home = folder == null ? file.toAbsolutePath() : folder;
    this.parsedFile = ConfigFile.read(file);
    this.settings = new Binder(List.of()).bind(NodeSettings.class, parsedFile);
  }

  private RunFolder folder() {
    return new RunFolder(home.resolve(settings.output().folder()));
  }

  private Experiment experiment() {
    Path named = home.resolve(settings.participation().experiment()).normalize();
    if (!Files.isRegularFile(named)) {
      throw ConfigException.at(
          parsedFile,
          new SettingException(
              "experiment",
              "there is no file " + named,
              "name the experiment file that all nodes share"));
    }
    ExperimentFile file =
        ExperimentFile.read(
            named, settings.participation().profile(), settings.participation().set());
    if (file.isGrid()) {
      throw ConfigException.at(
          parsedFile,
          new SettingException(
              "experiment",
              "the experiment file describes several runs",
              "name an experiment file without sweep and seeds"));
    }
    return file.experiment();
  }

  /** Sends the log of the process to an output, as the configuration says. */
  public LogOutput openLog(Consumer<String> lines) {
    return new LogOutput(settings.output().log(), settings.output().logLevel(), lines);
  }

  /** Runs the node until a stop is requested, with a log that receives text alone. */
  public void execute(StopSignal stop, Consumer<String> lines, DataFiles data)
      throws InterruptedException {
    execute(stop, NodeLog.ofTexts(lines), data);
  }

  /** Runs the node until a stop is requested or the node terminates. */
  public void execute(StopSignal stop, NodeLog unnumbered, DataFiles data)
      throws InterruptedException {
    NodeLog log = unnumbered.withNode(settings.participation().peer());
    Experiment requested = experiment();
    requested
        .method()
        .warnings(requested.peers(), requested.training())
        .forEach(line -> log.warn("settings", "{}", line));
    Identity identity = identity();
    PeerFactory factory = PeerAssembler.peerFactory(requested, data);
    EngineResolution resolution = prepareEngine(requested, factory, log);
    Experiment experiment = resolution.experiment();
    NodePlan plan = plan(experiment, factory, identity);
    try (FolderLock _ = FolderLock.acquire(folder().path())) {
      prepareFolder(resolution);
      if (settings.computing().trainer().isBuiltIn()) {
        run(experiment, plan, stop, log);
        return;
      }
      try (ExternalTrainer trainer = trainer(factory, line -> log.info("trainer", "{}", line))) {
        run(
            experiment,
            plan.withTrainer(factory.withDatasets(trainer.datasets()), () -> trainer),
            stop,
            log);
      }
    }
  }

  private Identity identity() {
    return Identity.read(
        home.resolve(settings.credentials().identity()), settings.credentials().allowed());
  }

  private ExternalTrainer trainer(PeerFactory factory, Consumer<String> log) {
    try {
      return ExternalTrainer.start(
          settings.computing().trainer(),
          home,
          folder().path(),
          factory,
          settings.participation().peer(),
          log);
    } catch (SettingException invalid) {
      throw ConfigException.at(parsedFile, invalid);
    }
  }

  private void run(Experiment experiment, NodePlan plan, StopSignal stop, NodeLog log)
      throws InterruptedException {
    try (NodeMetrics metrics = new NodeMetrics(experiment, plan, folder(), log);
        Node node = new Node(plan, metrics, log);
        @Nullable OperationsServer _ = operations(plan.identity(), node, log)) {
      metrics.peerTraffic(() -> node.status().heard());
      node.start(settings.addresses().reachable(), settings.addresses().relayed());
      boolean ended = false;
      while (!ended && !stop.requested()) {
        ended = node.awaitTermination(POLL_MILLIS, TimeUnit.MILLISECONDS);
      }
      if (node.failure().isPresent()) {
        Throwable failure = node.failure().get();
        if (failure.getCause() instanceof OperatorException operatorError) {
          throw operatorError;
        }
        throw new IllegalStateException(failure.getMessage(), failure);
      }
    }
  }

  private @Nullable OperationsServer operations(Identity identity, Node node, NodeLog log) {
    return settings
        .operations()
        .address()
        .map(where -> new OperationsServer(where, identity, node::status, node.refusals(), log))
        .orElse(null);
  }

  private NodePlan plan(Experiment experiment, PeerFactory factory, Identity identity) {
    try {
      settings.addresses().requireNeighboursAmong(settings.participation().peer(), factory.size());
      return new NodePlan(
          factory,
          settings.participation().peer(),
          new NodePlan.Computing(
              factory.trainers(experiment.engine()), settings.computing().workers()),
          identity,
          NodePlan.Reachability.of(settings.addresses()),
          new NodePlan.Output(folder().path(), settings.output().record()),
          settings.messaging());
    } catch (SettingException invalid) {
      throw ConfigException.at(parsedFile, invalid);
    }
  }

  /** Settles the engine and checks that it works here; an external trainer needs no engine. */
  private EngineResolution prepareEngine(Experiment requested, PeerFactory factory, NodeLog log) {
    if (!settings.computing().trainer().isBuiltIn()) {
      return new EngineResolution(requested, Optional.empty());
    }
    Experiment started =
        folder().hasRun() ? EngineResolution.recorded(requested, folder()) : requested;
    EngineResolution resolution = EngineResolution.of(started, factory.architecture());
    resolution.line().ifPresent(line -> log.info("engine", "{}", line));
    resolution
        .experiment()
        .engine()
        .prepare(System.getenv(), line -> log.info("engine", "{}", line));
    return resolution;
  }

  /** A restarted node must find the experiment that it was started with. */
  private void prepareFolder(EngineResolution resolution) {
    Experiment experiment = resolution.experiment();
    String configuration = ExperimentFile.resolvedYaml(experiment.withWorkers(0));
    if (folder().hasRun()) {
      folder().requireSameConfiguration(configuration);
    } else {
      folder().create(configuration);
      RunFolder.writeText(
          folder().environment(),
          Json.document(RunEnvironment.of(experiment, resolution.reason())));
    }
  }

  /** Checks everything that a start will need. */
  public List<PreflightFinding> preflight(DataFiles data) {
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

  /** Replays the recorded events. */
  public Replay.Outcome replay(DataFiles data) {
    Path file = folder().path().resolve("events.rec");
    if (!Files.exists(file)) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "there is no " + file + "; a node writes it with 'record: true'");
    }
    PeerFactory assembled = PeerAssembler.peerFactory(experiment(), data);
    PeerFactory factory =
        assembled
            .withSentForm(settings.messaging().packing()::roundedAsSent)
            .withElections(
                ElectionCertificates.ofRecording(
                        folder().path().resolve(NodePlan.ELECTION_CERTIFICATES),
                        assembled.datasets().splits().size())
                    .elections(assembled.seed(), () -> identity().electionSecret()));
    return Replay.of(file, factory.peer(settings.participation().peer()), factory.wire());
  }
}
