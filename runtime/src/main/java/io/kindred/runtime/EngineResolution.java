package io.kindred.runtime;

import io.kindred.core.config.Catalogue;
import io.kindred.core.config.Setting;
import io.kindred.learning.Auto;
import io.kindred.learning.Engines;
import io.kindred.learning.engine.EngineChoice;
import io.kindred.learning.engine.EngineSelection;
import io.kindred.learning.model.Architecture;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.config.Binder;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.config.ConfigNode;
import io.kindred.storage.config.ConfigNode.Mapping;
import java.util.List;
import java.util.Optional;

/**
 * An experiment whose engine is settled. An experiment may leave the engine to its model and the
 * machine; the run folder then holds the engine that was taken, so that the folder repeats the run.
 *
 * @param experiment the experiment with a named engine
 * @param reason why that engine was taken; empty if the operator named it
 */
public record EngineResolution(Experiment experiment, Optional<String> reason) {
  /** Settles the engine for the experiment's model on this machine. */
  public static EngineResolution of(Experiment experiment, Architecture architecture) {
    EngineSelection selection = experiment.engine().select(architecture);
    return new EngineResolution(experiment.withEngine(selection.engine()), selection.reason());
  }

  /**
   * The experiment with the engine that the run in the folder was started with, so that a run which
   * is continued elsewhere never mixes the bits of two engines.
   */
  public static Experiment recorded(Experiment experiment, RunFolder folder) {
    return experiment.engine() instanceof Auto
        ? experiment.withEngine(recordedEngine(ConfigFile.read(folder.config())))
        : experiment;
  }

  /** The other keys are not read: the own data of a node are no data set of an experiment. */
  private static EngineChoice recordedEngine(Mapping config) {
    Mapping engineAlone = config;
    for (ConfigNode.Entry each : config.entries()) {
      if (!each.key().equals("engine")) {
        engineAlone = engineAlone.without(each.key());
      }
    }
    return new Binder(List.of(Engines.ALL)).bind(EngineKey.class, engineAlone).engine();
  }

  private record EngineKey(@Setting(doc = "the engine that computes") EngineChoice engine) {}

  /** What was taken and why, in one line; empty if the operator named the engine. */
  public Optional<String> line() {
    String name = Catalogue.nameOf(experiment.engine().getClass());
    return reason.map(why -> "engine auto selects " + name + ": " + why);
  }
}
