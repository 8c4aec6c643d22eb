package io.kindred.node.assembly;

import io.kindred.core.config.SettingException;
import io.kindred.learning.Engines;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataReading;
import io.kindred.methods.contract.PeerFactory;
import io.kindred.node.MessagingSettings;
import io.kindred.node.Node;
import io.kindred.node.NodePlan;
import io.kindred.node.NodeSettings;
import io.kindred.node.audit.AuditVerification;
import io.kindred.node.identity.ElectionCertificates;
import io.kindred.node.identity.Identity;
import io.kindred.node.log.LogOutput;
import io.kindred.node.log.NodeLog;
import io.kindred.node.operations.OperationsServer;
import io.kindred.node.recording.Replay;
import io.kindred.node.task.ModelStore;
import io.kindred.node.task.NetworkTask;
import io.kindred.node.task.OwnDataset;
import io.kindred.node.task.TaskFile;
import io.kindred.node.trainer.ExternalTrainer;
import io.kindred.node.transport.TaskAgreement;
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
import io.kindred.storage.config.ConfigNode;
import io.kindred.storage.config.ConfigNode.Mapping;
import io.kindred.storage.disk.DataFolder;
import io.kindred.storage.disk.FolderLock;
import io.kindred.storage.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs one node from its configuration file and writes its run folder. */
public final class NodeRun {
  private static final int POLL_MILLIS = 200;

  /** Keys of an experiment in which the nodes of a network may differ. */
  private static final List<String> LOCAL_KEYS =
      List.of("workers", "engine", "network", "churn", "faults", "evaluation", "start");

  /** Reads a configuration; only the engine is chosen by a name. */
  static final Binder BINDER = new Binder(List.of(Engines.ALL));

  private final Path home;
  private final Mapping parsedFile;
  private final NodeSettings settings;

  /** Reads the configuration; the paths in it are relative to its own folder. */
  public NodeRun(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    this.home = folder == null ? file.toAbsolutePath() : folder;
    this.parsedFile = ConfigFile.read(file);
    this.settings = BINDER.bind(NodeSettings.class, parsedFile);
  }

  private RunFolder folder() {
    return new RunFolder(home.resolve(settings.output().folder()));
  }

  /** The number of this node: as configured, else as its certificate says. */
  private int peer() {
    return settings
        .participation()
        .peer()
        .orElseGet(() -> Math.toIntExact(identity().member().peer().number()));
  }

  private Experiment experiment() {
    NodeSettings.Participation participation = settings.participation();
    Optional<NetworkTask> task = task();
    if (task.isEmpty()) {
      return experimentOf(participation.experiment().orElseThrow());
    }
    try {
      return TaskFile.experiment(task.get(), participation.data(), peer())
          .withEngine(settings.computing().engine());
    } catch (SettingException invalid) {
      throw ConfigException.at(parsedFile, invalid);
    }
  }

  /** The task of the network; empty for a node that takes part in an experiment. */
  private Optional<NetworkTask> task() {
    return settings
        .participation()
        .task()
        .map(
            name -> {
              Path named = home.resolve(name).normalize();
              if (!Files.isRegularFile(named)) {
                throw ConfigException.at(
                    parsedFile,
                    new SettingException(
                        "task",
                        "there is no file " + named,
                        "name the task file of the network; 'kindred task new' writes one"));
              }
              return TaskFile.read(named);
            });
  }

  /** Assembles the peer; a task without a number of peers is one that nodes join and leave. */
  private PeerFactory factory(Experiment experiment, DataFiles data) {
    PeerFactory factory = PeerAssembler.peerFactory(experiment, files(data));
    return task().filter(each -> each.peers().isEmpty()).isPresent()
        ? factory.withOpenMembership()
        : factory;
  }

  private List<String> warnings(Experiment experiment) {
    return task()
        .map(NetworkTask::warnings)
        .orElseGet(() -> experiment.method().warnings(experiment.peers(), experiment.training()));
  }

  /**
   * What all nodes must have in common. Of an experiment that is everything but how a simulator
   * disturbs it, and how many threads compute.
   */
  private TaskAgreement agreement(Experiment experiment) {
    Optional<NetworkTask> task = task();
    if (task.isPresent()) {
      return new TaskAgreement(task.map(TaskFile::describe), settings.messaging().wire());
    }
    Mapping common = ExperimentFile.resolvedTree(experiment);
    for (String local : LOCAL_KEYS) {
      common = common.without(local);
    }
    return new TaskAgreement(Optional.of(TaskFile.describe(common)), settings.messaging().wire());
  }

  private MessagingSettings messaging() {
    return task()
        .map(NetworkTask::limits)
        .map(limits -> settings.messaging().within(limits.weightsRms(), limits.messageMegabytes()))
        .orElse(settings.messaging());
  }

  /** A node with a task reads its own data and nothing else, from the folder of its file. */
  private DataFiles files(DataFiles shared) {
    Optional<ConfigNode> data = settings.participation().data();
    if (data.isEmpty()) {
      return shared;
    }
    Path location = home.resolve(OwnDataset.source(data.get()).location());
    if (!Files.exists(location)) {
      throw ConfigException.at(
          parsedFile,
          new SettingException(
              "data",
              "there is no " + location.normalize(),
              "name the file or folder of the data"));
    }
    return new DataFolder(Optional.of(home));
  }

  private Experiment experimentOf(String name) {
    Path named = home.resolve(name).normalize();
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

  /** Refuses to run in a process whose memory is not bounded as the configuration says. */
  public void requireBoundedMemory() {
    try {
      settings.computing().requireBounded(Runtime.getRuntime().maxMemory());
    } catch (SettingException unbounded) {
      throw ConfigException.at(parsedFile, unbounded);
    }
  }

  /** Options of Java that bound the memory of this node's process. */
  List<String> memoryOptions() {
    return settings.computing().memoryOptions();
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
    NodeLog log = unnumbered.withNode(peer());
    Experiment requested = experiment();
    warnings(requested).forEach(line -> log.warn("settings", "{}", line));
    Identity identity = identity();
    PeerFactory factory = factory(requested, data);
    EngineResolution resolution = prepareEngine(requested, factory, log);
    Experiment experiment = resolution.experiment();
    NodePlan plan = plan(experiment, factory, identity);
    try (FolderLock _ = FolderLock.acquire(folder().path())) {
      prepareFolder(resolution, factory.datasets().dataset().reading());
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
          settings.computing().trainer(), home, folder().path(), factory, peer(), log);
    } catch (SettingException invalid) {
      throw ConfigException.at(parsedFile, invalid);
    }
  }

  private void run(Experiment experiment, NodePlan plan, StopSignal stop, NodeLog log)
      throws InterruptedException {
    try (NodeMetrics metrics =
            new NodeMetrics(experiment, plan, folder(), deployment(experiment, plan, log), log);
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

  /** Takes models into use; only a node with own data has any. */
  private Optional<Deployment> deployment(Experiment experiment, NodePlan plan, NodeLog log) {
    return experiment.dataset() instanceof OwnDataset own && !plan.isServer()
        ? Optional.of(
            new Deployment(own, experiment.model(), plan, models(), settings.deployment(), log))
        : Optional.empty();
  }

  /** The models of this node that can be used for predictions. */
  public ModelStore models() {
    return new ModelStore(home.resolve(settings.deployment().folder()));
  }

  private @Nullable OperationsServer operations(Identity identity, Node node, NodeLog log) {
    return settings
        .operations()
        .address()
        .map(
            where ->
                new OperationsServer(
                    where, identity, node::status, node.measurements(), node.refusals(), log))
        .orElse(null);
  }

  private NodePlan plan(Experiment experiment, PeerFactory factory, Identity identity) {
    try {
      settings
          .addresses()
          .requireNeighboursAmong(
              peer(), factory.open() ? OptionalInt.empty() : OptionalInt.of(factory.size()));
      return new NodePlan(
          factory,
          peer(),
          new NodePlan.Computing(
              factory.trainers(experiment.engine()),
              settings.computing().workers(),
              task().map(NetworkTask::roundSeconds).orElse(0.0)),
          identity,
          NodePlan.Reachability.of(settings.addresses()),
          new NodePlan.Output(folder().path(), settings.output().record()),
          messaging(),
          agreement(experiment));
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
  private void prepareFolder(EngineResolution resolution, DataReading reading) {
    Experiment experiment = resolution.experiment();
    String configuration = ExperimentFile.resolvedYaml(experiment.withWorkers(0));
    if (folder().hasRun()) {
      folder().requireSameConfiguration(configuration);
    } else {
      folder().create(configuration);
      folder().writeReading(reading);
      RunFolder.writeText(
          folder().environment(),
          Json.document(RunEnvironment.of(experiment, resolution.reason())));
    }
  }

  /** Checks everything that a start will need. */
  public List<PreflightFinding> preflight(DataFiles data) {
    return new NodePreflight(settings, home, Instant.now())
        .findings(
            new NodePreflight.Preparation(
                this::experiment, each -> factory(each, data), this::plan),
            this::peer);
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

  /** Checks the audit log of this node. */
  public AuditVerification.Outcome verifyAudit(Optional<AuditVerification.Noted> noted) {
    Path identity = home.resolve(settings.credentials().identity());
    return AuditVerification.of(
        folder().path(),
        Identity.certificates(new Identity.IdentityFiles(identity).authority()),
        noted);
  }

  /** Replays the recorded events. */
  public Replay.Outcome replay(DataFiles data) {
    Path file = folder().path().resolve("events.rec");
    if (!Files.exists(file)) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "there is no " + file + "; a node writes it with 'record: true'");
    }
    PeerFactory assembled = factory(experiment(), data);
    PeerFactory factory =
        assembled
            .withSentForm(settings.messaging().packing()::roundedAsSent)
            .withElections(
                ElectionCertificates.ofRecording(
                        folder().path().resolve(NodePlan.ELECTION_CERTIFICATES),
                        NodePlan.peerNumbersBelow(assembled))
                    .elections(assembled.seed(), () -> identity().electionSecret()));
    return Replay.of(file, factory.peer(peer()), factory.wire());
  }
}
