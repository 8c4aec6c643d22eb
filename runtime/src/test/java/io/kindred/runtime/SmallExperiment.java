package io.kindred.runtime;

import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.storage.config.ConfigFile;
import java.util.List;
import java.util.Optional;

/** An experiment that runs in a moment, for the tests of every module above this one. */
public final class SmallExperiment {
  /** Four peers, three rounds: twelve deployments. */
  public static final String FILE =
      """
      method: dfedavgm
      dataset: {name: glyphs, samples: 240, testSamples: 60}
      model: softmax
      partition: {name: dirichlet, alpha: 0.5, minimum: 20}
      topology: ring
      peers: 4
      rounds: 3
      training: {batch: 16}
      workers: 2
      """;

  private SmallExperiment() {}

  /** The experiment with some of its keys set, such as {@code seed=9}. */
  public static Experiment with(String... assignments) {
    return parse(FILE, assignments);
  }

  /** Another experiment with some of its keys set. */
  public static Experiment parse(String text, String... assignments) {
    return ExperimentFile.of(
            ConfigFile.parse("small.yaml", text), Optional.empty(), List.of(assignments))
        .experiment();
  }
}
