package io.kindred.node;

import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.config.SettingGroup;
import io.kindred.core.peer.PeerId;
import io.kindred.learning.engine.EngineChoice;
import io.kindred.node.log.LogFormat;
import io.kindred.node.log.LogLevel;
import io.kindred.node.task.DeploymentSettings;
import io.kindred.node.trainer.TrainerSettings;
import io.kindred.storage.config.ConfigNode;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Configuration file of one node. Its keys are flat but for the sections of limits, packing, links,
 * trainer and operations. Relative paths start at the folder of the file.
 */
public record NodeSettings(
    @SettingGroup Participation participation,
    @SettingGroup AddressSettings addresses,
    @SettingGroup CredentialSettings credentials,
    @SettingGroup OutputSettings output,
    @SettingGroup ComputeSettings computing,
    @SettingGroup MessagingSettings messaging,
    @Setting(doc = "which models are taken into use, if the node has a task", fallback = "{}")
        DeploymentSettings deployment,
    @Setting(doc = "endpoints for monitoring", fallback = "{}") OperationsSettings operations) {
  /** The task or experiment that a node takes part in, and as which peer. */
  public record Participation(
      @Setting(doc = "the task file that all nodes of the network share") Optional<String> task,
      @Setting(doc = "the node's own data, if it has a task: csv, images or safetensors")
          Optional<ConfigNode> data,
      @Setting(doc = "in place of a task, an experiment file that all nodes share")
          Optional<String> experiment,
      @Setting(doc = "profile of the experiment file to apply") Optional<String> profile,
      @Setting(doc = "settings of the experiment to override, such as seed=7", fallback = "[]")
          List<String> set,
      @Setting(
              doc =
                  "peer number of this node; left out, the number in its certificate. A server has"
                      + " the number after the last peer",
              min = 0,
              max = 1e6)
          Optional<Integer> peer) {
    public Participation {
      set = List.copyOf(set);
      if (task.isPresent() == experiment.isPresent()) {
        throw new SettingException(
            "task",
            task.isPresent()
                ? "a node has either a task or an experiment, but both are given"
                : "neither a task nor an experiment is given",
            "name the file that all nodes of the network share, with 'task: FILE'");
      }
      if (task.isEmpty() && data.isPresent()) {
        throw new SettingException(
            "data",
            "an experiment brings its data; only a node with a task has data of its own",
            "leave 'data' out");
      }
    }
  }

  /** The identity of a node, and the members it accepts. */
  public record CredentialSettings(
      @Setting(doc = "folder with the keys and certificates of this node", fallback = "identity")
          String identity,
      @Setting(
              doc =
                  "the only peers that this node communicates with; left out, all members with a"
                      + " certificate of the authority")
          Optional<List<Integer>> allow) {
    /** The only peers to talk to, if there is such a list. */
    public Optional<SortedSet<PeerId>> allowed() {
      return allow.map(
          all -> all.stream().map(PeerId::new).collect(Collectors.toCollection(TreeSet::new)));
    }
  }

  /** What a node writes. */
  public record OutputSettings(
      @Setting(doc = "folder for state, metrics and status", fallback = "run") String folder,
      @Setting(doc = "whether every event is recorded for a replay", fallback = "false")
          boolean record,
      @Setting(doc = "format of log lines", fallback = "text") LogFormat log,
      @Setting(doc = "least severity of log lines", fallback = "info") LogLevel logLevel) {}

  /** What computes a node's tickets. */
  public record ComputeSettings(
      @Setting(doc = "number of threads that compute", fallback = "1", min = 1, max = 1024)
          int workers,
      @Setting(
              doc =
                  "engine that computes losses and gradients, if the node has a task; an experiment"
                      + " names its own",
              fallback = "auto")
          EngineChoice engine,
      @Setting(
              doc =
                  "most memory that the process of the node takes, in megabytes; left out, a quarter"
                      + " of the machine's",
              min = 320,
              max = 1e7)
          Optional<Integer> memoryMegabytes,
      @Setting(doc = "the process that trains; left out, the node trains itself", fallback = "{}")
          TrainerSettings trainer) {
    private static final int MEGABYTE = 1 << 20;

    /** Memory of the process beside objects and buffers: classes, compiled code and threads. */
    private static final int OTHER_MEGABYTES = 160;

    /** Of the rest, three quarters are for objects, as the launcher divides it. */
    private static int objectMegabytes(int megabytes) {
      return (megabytes - OTHER_MEGABYTES) * 3 / 4;
    }

    /** Options of Java that bound the memory of a node's process; empty without a limit. */
    public List<String> memoryOptions() {
      return memoryMegabytes
          .map(
              all ->
                  List.of(
                      "-Xmx%dm".formatted(objectMegabytes(all)),
                      "-XX:MaxDirectMemorySize=%dm"
                          .formatted(all - OTHER_MEGABYTES - objectMegabytes(all))))
          .orElse(List.of());
    }

    /** Refuses to run where Java may take more memory than configured. */
    public void requireBounded(long heapBytes) {
      memoryMegabytes.ifPresent(
          all -> {
            if (heapBytes > (long) objectMegabytes(all) * MEGABYTE) {
              throw new SettingException(
                  "memoryMegabytes",
                  "Java may take %d MB for objects, but %d MB of %d are for them"
                      .formatted(heapBytes / MEGABYTE, objectMegabytes(all), all),
                  "start the node with the launcher 'kindred', or Java with "
                      + String.join(" ", memoryOptions()));
            }
          });
    }
  }

  /** Endpoints for an operator's tools. */
  public record OperationsSettings(
      @Setting(doc = "address and port of the HTTPS endpoints; left out, there are none")
          Optional<String> listen) {
    public OperationsSettings {
      listen.ifPresent(where -> AddressSettings.parseAddress("listen", where));
    }

    public Optional<InetSocketAddress> address() {
      return listen.map(where -> AddressSettings.parseAddress("operations.listen", where));
    }
  }
}
