package io.kindred.node.assembly;

import io.kindred.core.config.Setting;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.engine.EngineChoice;
import io.kindred.node.NodeSettings;
import io.kindred.node.identity.Authority;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.identity.Validity;
import io.kindred.node.task.TaskFile;
import io.kindred.runtime.PeerAssembler;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.OperatorException;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.disk.Folders;
import io.kindred.storage.json.Json;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.JsonNode;

/**
 * All nodes of one experiment as processes on this machine. One folder holds everything: the
 * experiment, the authority, and of each node its identity, configuration, log and results.
 */
public final class Fleet {
  private static final String NETWORK = "fleet";
  private static final String TASK = "fleet.task.yaml";
  private static final int SECONDS_TO_STOP = 30;

  private record EngineKey(@Setting(doc = "the engine") EngineChoice engine) {}

  private final Path home;
  private final Experiment experiment;

  /**
   * The process of one node and its last status.
   *
   * @param state the state that the node reported last, or STOPPED if its process has ended without
   *     a failure
   */
  public record NodeProcess(
      int number, long process, boolean alive, String state, int round, Optional<JsonNode> status) {
    /** Whether the node has finished all rounds. */
    public boolean hasFinished(int rounds) {
      return round >= rounds;
    }
  }

  private Fleet(Path home, Experiment experiment) {
    this.home = home;
    this.experiment = experiment;
  }

  /** Opens the fleet in a folder. */
  public static Fleet open(Path home) {
    Path file = home.resolve("experiment.yaml");
    if (!Files.isRegularFile(file)) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          home
              + " holds no fleet; start one with 'kindred fleet up', or name the folder of a"
              + " fleet");
    }
    return new Fleet(home, ExperimentFile.read(file, Optional.empty(), List.of()).experiment());
  }

  public static boolean existsIn(Path home) {
    return Files.isRegularFile(home.resolve("experiment.yaml"));
  }

  /**
   * Creates keys, certificates, configurations, and the own data of each node. The experiment file
   * is written last, so that an incomplete folder is no fleet.
   *
   * @param files the data sets to divide
   * @param keys additional lines of every node's configuration, such as record: true
   */
  public static Fleet create(Path home, Experiment experiment, DataFiles files, List<String> keys) {
    // What may be refused comes before anything is written.
    List<Ints> graph = PeerAssembler.neighbours(experiment);
    FleetData data = FleetData.of(experiment, files);
    String task = TaskFile.text(data.task());
    Folders.requireWritable(home);
    Fleet fleet = new Fleet(home, experiment);
    int participants = fleet.participants();
    List<Integer> ports = freePorts(participants);
    NodeRun.BINDER.bind(
        NodeSettings.class,
        ConfigFile.parse("node.yaml", fleet.configuration(0, ports, graph, keys)));
    Authority authority = Authority.create(home.resolve("ca"));
    for (int number = 0; number < participants; number++) {
      Path identity = fleet.folder(number).resolve("identity");
      Folders.requireWritable(fleet.folder(number));
      Identity.create(identity);
      authority.issueIndexed(
          home.resolve("ca"),
          identity,
          new Member(NETWORK, new PeerId(number)),
          Validity.ofDays(Authority.DEFAULT_VALIDITY_DAYS),
          false);
      RunFolder.writeText(fleet.folder(number).resolve(TASK), task);
      if (number < experiment.peers()) {
        data.write(fleet.folder(number), number);
      }
      RunFolder.writeText(fleet.config(number), fleet.configuration(number, ports, graph, keys));
    }
    RunFolder.writeText(home.resolve("experiment.yaml"), ExperimentFile.resolvedYaml(experiment));
    return fleet;
  }

  private int participants() {
    return experiment.peers() + (experiment.method().hasServer() ? 1 : 0);
  }

  private String configuration(
      int number, List<Integer> ports, List<Ints> graph, List<String> keys) {
    List<Integer> others = new ArrayList<>();
    if (number < experiment.peers()) {
      Ints near = graph.get(number);
      for (int i = 0; i < near.size(); i++) {
        others.add(near.get(i));
      }
    }
    if (experiment.method().hasServer()) {
      // A server is a neighbour of every peer.
      for (int each = number < experiment.peers() ? experiment.peers() : 0;
          each < participants();
          each++) {
        if (each != number) {
          others.add(each);
        }
      }
    }
    StringBuilder text = new StringBuilder();
    text.append("task: " + TASK + "\n");
    if (number < experiment.peers()) {
      text.append("data: {name: safetensors, file: " + FleetData.FILE + "}\n");
    }
    text.append(NodeRun.BINDER.toYaml(new EngineKey(experiment.engine())));
    text.append("peer: ").append(number);
    text.append("\nlisten: 127.0.0.1:").append(ports.get(number)).append("\nneighbours:");
    others.forEach(
        each ->
            text.append("\n  \"").append(each).append("\": 127.0.0.1:").append(ports.get(each)));
    if (others.isEmpty()) {
      text.append(" {}");
    }
    keys.forEach(each -> text.append('\n').append(each));
    return text.append('\n').toString();
  }

  /** All sockets are open at once, so that no two ports are the same. */
  private static List<Integer> freePorts(int count) {
    List<ServerSocket> held = new ArrayList<>();
    try {
      List<Integer> ports = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        held.add(socket);
        ports.add(socket.getLocalPort());
      }
      return ports;
    } catch (IOException e) {
      throw new UncheckedIOException("no free ports for " + count + " nodes", e);
    } finally {
      for (ServerSocket each : held) {
        try {
          each.close();
        } catch (IOException e) {
          // The socket was never used.
        }
      }
    }
  }

  public Experiment experiment() {
    return experiment;
  }

  Path folder(int number) {
    return home.resolve("node-" + number);
  }

  private Path config(int number) {
    return folder(number).resolve("node.yaml");
  }

  public Path log(int number) {
    return folder(number).resolve("log.txt");
  }

  private Path processFile(int number) {
    return folder(number).resolve("process");
  }

  /** The folder that the results of all nodes are collected in. */
  public RunFolder results() {
    return new RunFolder(home.resolve("run"));
  }

  /**
   * Starts the nodes that do not run, and returns how many.
   *
   * @param program the command that starts this program, without arguments: Java, then its options
   */
  public int start(List<String> program) {
    int started = 0;
    for (int number = 0; number < participants(); number++) {
      if (process(number).isPresent()) {
        continue;
      }
      List<String> command = new ArrayList<>(program);
      command.addAll(
          Math.max(1, program.indexOf("-cp")), new NodeRun(config(number)).memoryOptions());
      command.addAll(List.of("node", "start", "--config", config(number).toString()));
      File log = log(number).toFile();
      try {
        Process process =
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .start();
        RunFolder.writeText(processFile(number), Long.toString(process.pid()));
        started++;
      } catch (IOException e) {
        throw new UncheckedIOException("cannot start node " + number, e);
      }
    }
    return started;
  }

  /** The process of a node, if it runs. Process ids are reused, so its arguments are checked. */
  private Optional<ProcessHandle> process(int number) {
    if (!Files.isRegularFile(processFile(number))) {
      return Optional.empty();
    }
    return ProcessHandle.of(Long.parseLong(RunFolder.readText(processFile(number)).strip()))
        .filter(ProcessHandle::isAlive)
        .filter(
            each ->
                each.info()
                    .arguments()
                    .map(words -> List.of(words).contains(config(number).toString()))
                    .orElse(true));
  }

  /** The processes of all nodes, with the status that each node wrote last. */
  public List<NodeProcess> nodeProcesses() {
    List<NodeProcess> nodes = new ArrayList<>();
    for (int number = 0; number < participants(); number++) {
      Optional<ProcessHandle> process = process(number);
      Path file = folder(number).resolve("run").resolve("status.json");
      Optional<JsonNode> status =
          Files.isRegularFile(file)
              ? Optional.of(Json.tree(RunFolder.readText(file)))
              : Optional.empty();
      String reported = status.map(each -> each.get("state").asString()).orElse("STARTING");
      nodes.add(
          new NodeProcess(
              number,
              process.map(ProcessHandle::pid).orElse(0L),
              process.isPresent(),
              process.isPresent() ? reported : reported.equals("FAILED") ? reported : "STOPPED",
              status.map(each -> each.get("totals").get("round").asInt()).orElse(0),
              status));
    }
    return nodes;
  }

  /**
   * Asks all nodes to stop and waits for them; nodes that do not stop in time are killed. Returns
   * how many nodes ran.
   */
  public int stop() {
    List<ProcessHandle> running = new ArrayList<>();
    for (int number = 0; number < participants(); number++) {
      process(number).ifPresent(running::add);
    }
    running.forEach(ProcessHandle::destroy);
    CompletableFuture<?> all =
        CompletableFuture.allOf(
            running.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new));
    try {
      all.get(SECONDS_TO_STOP, TimeUnit.SECONDS);
    } catch (TimeoutException hanging) {
      running.forEach(ProcessHandle::destroyForcibly);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("waiting for a node process failed", e);
    }
    return running.size();
  }

  /** The last line that a node wrote to its log. */
  public String lastLogLine(int number) {
    if (!Files.isRegularFile(log(number))) {
      return "no log";
    }
    List<String> lines = RunFolder.readText(log(number)).lines().toList();
    return lines.isEmpty() ? "an empty log" : lines.getLast();
  }

  /** Merges the results of all nodes into those of one run. */
  public void collectResults() throws IOException {
    new FleetResults(this).write();
  }
}
