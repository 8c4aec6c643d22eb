package io.kindred.node.task;

import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.learning.data.own.TaskInputs;
import io.kindred.learning.model.Model;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.Training;
import java.util.List;
import java.util.TreeSet;

/**
 * What the nodes of one network agree on. Every node has the same file; where its data are and how
 * many it has, only the node knows.
 */
public record NetworkTask(
    @Setting(doc = "name of the task") String name,
    @Setting(doc = "version of the task, raised with every change", fallback = "1", min = 1)
        int version,
    @Setting(doc = "inputs of a sample, with their scaling") TaskInputs inputs,
    @Setting(doc = "classes by name; the order gives their numbers") List<String> classes,
    @Setting(doc = "the algorithm that peers follow") Method method,
    @Setting(doc = "the model that every peer trains", fallback = "mlp") Model model,
    @Setting(doc = "local training", fallback = "{}") Training training,
    @Setting(doc = "number of rounds of each peer", fallback = "20", min = 1, max = 1e6) int rounds,
    @Setting(doc = "seed of the initial model and of all random draws", fallback = "1", min = 0)
        long seed,
    @Setting(
            doc =
                "peer numbers are below this; there may be fewer nodes, and nodes may join and leave",
            fallback = "1000",
            min = 1,
            max = 1e6)
        int peers,
    @Setting(doc = "samples that each node holds out of its own data", fallback = "{}")
        HeldOut heldOut,
    @Setting(doc = "what a node accepts from other members", fallback = "{}") TaskLimits limits) {
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
          double messageMegabytes) {}

  public NetworkTask {
    classes = List.copyOf(classes);
    if (classes.size() < 2 || new TreeSet<>(classes).size() < classes.size()) {
      throw new SettingException(
          "classes", "the classes are " + classes, "name at least two classes, each of them once");
    }
  }
}
