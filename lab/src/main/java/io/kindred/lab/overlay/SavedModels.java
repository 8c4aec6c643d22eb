package io.kindred.lab.overlay;

import io.kindred.core.weights.Weights;
import io.kindred.files.OperatorException;
import io.kindred.files.config.ConfigFile;
import io.kindred.files.disk.DamagedFileException;
import io.kindred.files.disk.Safetensors;
import io.kindred.lab.experiment.Experiment;
import io.kindred.lab.experiment.ExperimentFile;
import io.kindred.lab.run.Assembly;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.model.Architecture;
import io.kindred.protocol.signatures.Cardinality;
import io.kindred.protocol.signatures.QuantileSketch;
import io.kindred.protocol.signatures.Signature;
import io.kindred.protocol.signatures.SignatureRule;
import io.kindred.protocol.signatures.SignatureState;
import io.kindred.simulator.Setup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Signatures of the models that a run left behind. */
public final class SavedModels {
  private SavedModels() {}

  /**
   * Reads the models of a run folder, one a peer, and signs them.
   *
   * @param entries of a signature; without, the number that the rule finds for these models
   */
  public static Population read(
      Path run, SignatureRule rule, Optional<Integer> entries, DataFiles files) throws IOException {
    Path config = run.resolve("config.yaml");
    if (!Files.isRegularFile(config)) {
      throw wrongUse(run + " is no run folder; name one that has a config.yaml");
    }
    Experiment experiment =
        ExperimentFile.of(ConfigFile.read(config), Optional.empty(), List.of()).experiment();
    Setup setup = Assembly.of(experiment, files);
    Architecture architecture = setup.architecture();
    Weights start = setup.cast().firstStart();
    List<Weights> subjects = new ArrayList<>();
    List<Integer> least = new ArrayList<>();
    for (int peer = 0; peer < experiment.peers(); peer++) {
      Weights subject = rule.subject(model(run, peer, architecture), start);
      subjects.add(subject);
      least.add(Cardinality.least(subject, rule.importance(Optional.empty(), subject), rule));
    }
    int size = entries.orElseGet(() -> agreed(least, start.size(), rule));
    List<Signature> signatures =
        subjects.stream().map(each -> SignatureState.first(rule, each, size).signature()).toList();
    return new Population(signatures, least, subjects);
  }

  private static int agreed(List<Integer> least, int dimension, SignatureRule rule) {
    QuantileSketch sketch = QuantileSketch.empty();
    for (int each : least) {
      sketch = sketch.with(each);
    }
    return Cardinality.agreed(sketch, dimension, rule);
  }

  private static Weights model(Path run, int peer, Architecture architecture) throws IOException {
    Path file = run.resolve("models").resolve("peer-" + peer + ".safetensors");
    if (!Files.isRegularFile(file)) {
      throw wrongUse(
          "there is no "
              + file
              + "; run it with --set evaluation.saveModels=true and a method with a model for each"
              + " peer");
    }
    try {
      return Safetensors.read(file, architecture.layout());
    } catch (DamagedFileException e) {
      throw wrongUse(String.valueOf(e.getMessage()));
    }
  }

  private static OperatorException wrongUse(String what) {
    return new OperatorException(OperatorException.WRONG_USE, what);
  }
}
