package io.kindred.node.task;

import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.learning.data.own.TaskInputs;
import io.kindred.learning.model.Model;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.Training;
import io.kindred.methods.robust.RobustRule;
import io.kindred.storage.config.ConfigNode;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * What the nodes of one network agree on. Every node has the same file; where its data are and how
 * many it has, only the node knows.
 */
public record NetworkTask(
    @Setting(doc = "name of the task") String name,
    @Setting(doc = "version of the task, raised with every change", fallback = "1", min = 1)
        int version,
    @Setting(doc = "the version that this one replaces, and until when both run side by side")
        Optional<Replaced> replaces,
    @Setting(doc = "inputs of a sample, with their scaling") TaskInputs inputs,
    @Setting(doc = "classes by name; the order gives their numbers") List<String> classes,
    @Setting(doc = "the algorithm that peers follow") Method method,
    @Setting(doc = "the model that every peer trains", fallback = "mlp") Model model,
    @Setting(doc = "local training", fallback = "{}") Training training,
    @Setting(doc = "number of rounds of each peer", fallback = "20", min = 1, max = 1e6) int rounds,
    @Setting(
            doc =
                "least seconds from the start of a round to that of the next one, so that nodes that"
                    + " join find the others learning; 0 is no limit",
            fallback = "0",
            min = 0,
            max = 1e6)
        double roundSeconds,
    @Setting(doc = "seed of the initial model and of all random draws", fallback = "1", min = 0)
        long seed,
    @Setting(
            doc =
                "number of peers, for a method whose server serves a fixed list of them; left out, nodes"
                    + " join and leave, and no node needs to know how many there are",
            min = 1,
            max = 1e6)
        Optional<Integer> peers,
    @Setting(doc = "samples that each node holds out of its own data", fallback = "{}")
        HeldOut heldOut,
    @Setting(doc = "what a node accepts from other members", fallback = "{}") TaskLimits limits,
    @Setting(doc = "rule by which received models are mixed; without it the method's own")
        Optional<RobustRule> robust,
    @Setting(
            doc =
                "hostile nodes of a network that is tested, as in an experiment file; left out in a"
                    + " network of real members")
        Optional<ConfigNode> adversaries) {
  /**
   * The version of the task that this one replaces.
   *
   * @param until time from which on nodes of that version are refused
   */
  public record Replaced(
      @Setting(doc = "the earlier version", min = 1) int version,
      @Setting(
              doc =
                  "time until which nodes of both versions share the network, as in"
                      + " 2027-01-31T00:00:00Z")
          String until) {
    public Replaced {
      try {
        Instant _ = Instant.parse(until);
      } catch (DateTimeParseException notATime) {
        throw new SettingException(
            "until", "'" + until + "' is not a time", "write it as in 2027-01-31T00:00:00Z");
      }
    }
  }

  /** Shares of a node's samples that it does not train on. */
  public record HeldOut(
      @Setting(doc = "share of the samples for the test", fallback = "0.2", min = 0, max = 0.9)
          double test,
      @Setting(doc = "share of the samples for validation", fallback = "0", min = 0, max = 0.9)
          double validation) {}

  /** Limits that all nodes of a network share; a node may have stricter ones of its own. */
  public record TaskLimits(
      @Setting(
              doc = "largest root mean square of the weights in a message",
              fallback = "10",
              above = 0)
          double weightsRms,
      @Setting(
              doc = "largest size of the weights in one message, in megabytes",
              fallback = "512",
              above = 0,
              max = 2047)
          double messageMegabytes) {
    /** The limits of a task that names none. */
    public static final TaskLimits DEFAULTS = new TaskLimits(10, 512);
  }

  public NetworkTask {
    classes = List.copyOf(classes);
    if (replaces.isPresent() && replaces.get().version() >= version) {
      throw new SettingException(
          "replaces.version",
          "version %d cannot replace version %d".formatted(version, replaces.get().version()),
          "name an earlier version, or raise 'version'");
    }
    if (classes.size() < 2 || new TreeSet<>(classes).size() < classes.size()) {
      throw new SettingException(
          "classes", "the classes are " + classes, "name at least two classes, each of them once");
    }
    if (method.hasServer() && peers.isEmpty()) {
      throw new SettingException(
          "peers",
          "the server of this method serves a fixed list of peers",
          "say how many with 'peers: N', or choose a method without a server");
    }
  }

  /** Whether this number is that of the server, the one after the last peer. */
  boolean isServer(int number) {
    return method.hasServer() && peers.filter(all -> number == all).isPresent();
  }

  /** How many peers there are, as far as a method's settings are concerned. */
  private int peersAtMost() {
    return peers.orElse(Method.UNKNOWN_PEERS);
  }

  /** Refuses settings of the method that its training or the number of peers does not fit. */
  void check() {
    method.check(peersAtMost(), training);
  }

  /** What the method warns of before a run. */
  public List<String> warnings() {
    return method.warnings(peersAtMost(), training);
  }
}
