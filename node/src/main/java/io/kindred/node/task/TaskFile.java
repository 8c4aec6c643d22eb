package io.kindred.node.task;

import io.kindred.core.config.SettingException;
import io.kindred.node.transport.TaskValues;
import io.kindred.runtime.config.EvaluationSettings;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentBuilder;
import io.kindred.storage.config.Binder;
import io.kindred.storage.config.ConfigException;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.config.ConfigNode;
import io.kindred.storage.config.ConfigNode.Entry;
import io.kindred.storage.config.ConfigNode.Mapping;
import io.kindred.storage.config.ConfigNode.Scalar;
import io.kindred.storage.config.ConfigNode.Sequence;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads and writes the file of a task, and makes of a task and own data what a node runs. */
public final class TaskFile {
  private static final Binder BINDER = new Binder(Experiment.CATALOGUES);

  /** An experiment of nothing but defaults. */
  private static final Mapping DEFAULTS =
      ConfigFile.parse("defaults", "{method: local, engine: auto}");

  private TaskFile() {}

  /** Reads a file and refuses a method that its training does not fit. */
  public static NetworkTask read(Path file) {
    return of(ConfigFile.read(file));
  }

  /** Reads the text of a task; {@code source} stands in messages. */
  public static NetworkTask parse(String source, String text) {
    return of(ConfigFile.parse(source, text));
  }

  private static NetworkTask of(Mapping written) {
    try {
      NetworkTask task = BINDER.bind(NetworkTask.class, written);
      task.check();
      return task;
    } catch (SettingException invalid) {
      throw ConfigException.at(written, invalid);
    }
  }

  /** The task as text, defaults included. */
  public static String text(NetworkTask task) {
    return BINDER.toYaml(task);
  }

  /** What nodes compare. */
  public static TaskValues describe(NetworkTask task) {
    return describe(BINDER.unbind(task));
  }

  /** All values of a tree by their dotted keys. */
  public static TaskValues describe(Mapping tree) {
    SortedMap<String, String> values = new TreeMap<>();
    addValues("", tree, values);
    return new TaskValues(values);
  }

  private static void addValues(String path, ConfigNode node, SortedMap<String, String> values) {
    switch (node) {
      case Scalar scalar -> values.put(path, scalar.text());
      case Sequence sequence -> {
        if (sequence.items().stream().allMatch(Scalar.class::isInstance)) {
          values.put(
              path,
              sequence.items().stream().map(each -> ((Scalar) each).text()).toList().toString());
        } else {
          for (int i = 0; i < sequence.items().size(); i++) {
            addValues(path + "[" + i + "]", sequence.items().get(i), values);
          }
        }
      }
      case Mapping mapping -> {
        for (Entry entry : mapping.entries()) {
          addValues(path.isEmpty() ? entry.key() : path + "." + entry.key(), entry.value(), values);
        }
      }
    }
  }

  /**
   * The experiment that a node runs: the task, with the node's own data as the data set and itself
   * as the only owner. An experiment numbers its peers from 0, so where nodes join and leave it has
   * as many as the number of this node needs; no peer sees that number.
   *
   * @param data where the own data are, as the node's configuration says; empty for a server
   */
  public static Experiment experiment(NetworkTask task, Optional<ConfigNode> data, int peer) {
    if (data.isPresent() == task.isServer(peer)) {
      throw data.isPresent()
          ? new SettingException("data", "a server has no data", "leave 'data' out")
          : new SettingException(
              "data",
              "a node with a task needs data of its own",
              "name them, as in 'data: {name: csv, file: mine.csv}'");
    }
    Experiment defaults = BINDER.bind(Experiment.class, DEFAULTS);
    return ExperimentBuilder.from(defaults)
        .method(task.method())
        .dataset(new OwnDataset(task.name(), task.version(), data, task.inputs(), task.classes()))
        .model(task.model())
        .partition(new SoleOwner(peer))
        .peers(task.peers().orElse(peer + 1))
        .rounds(task.rounds())
        .training(task.training())
        .seed(task.seed())
        .evaluation(evaluation(task, defaults.evaluation(), peer))
        .robust(task.robust())
        .build()
        .withAdversariesOf(
            task.adversaries()
                .map(each -> BINDER.bind(Experiment.class, hostile(each)))
                .orElse(defaults));
  }

  private static Mapping hostile(ConfigNode adversaries) {
    return DEFAULTS.with(new Entry("adversaries", adversaries.origin(), adversaries));
  }

  /** No node has a common test set. */
  private static EvaluationSettings evaluation(
      NetworkTask task, EvaluationSettings defaults, int peer) {
    return new EvaluationSettings(
        defaults.every(),
        task.heldOut().test(),
        task.heldOut().validation(),
        defaults.on(),
        EvaluationSettings.GlobalEvaluation.NEVER,
        0,
        defaults.targets(),
        true,
        task.isServer(peer) ? List.of() : List.of(peer));
  }
}
