package io.kindred.studies.overlay;

import io.kindred.core.weights.Weights;
import io.kindred.experiment.ExperimentAssembler;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.model.Architecture;
import io.kindred.protocol.signature.Cardinality;
import io.kindred.protocol.signature.QuantileSketch;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.signature.SignatureRule;
import io.kindred.protocol.signature.SignatureState;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.simulator.SimulationBuilder;
import io.kindred.storage.OperatorException;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.disk.DamagedFileException;
import io.kindred.storage.disk.Safetensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the models that a run saved and computes their signatures. */
public final class SavedModels {
  /** The models of all peers of a run, and the weights that all of them started from. */
  public record Saved(List<Weights> models, Weights start) {
    public Saved {
      models = List.copyOf(models);
    }
  }

  private SavedModels() {}

  /**
   * Reads the models of a run folder, one per peer, and signs them.
   *
   * @param entries number of entries of a signature; if empty, the number that the rule finds for
   *     these models
   */
  public static PeerSignatures read(
      Path run, SignatureRule rule, Optional<Integer> entries, DataFiles files) throws IOException {
    Saved saved = read(run, files);
    List<Weights> subjects = new ArrayList<>();
    List<Integer> least = new ArrayList<>();
    for (Weights model : saved.models()) {
      Weights subject = rule.subject(model, saved.start());
      subjects.add(subject);
      least.add(Cardinality.minimum(subject, rule.importance(Optional.empty(), subject), rule));
    }
    int size = entries.orElseGet(() -> agreedEntries(least, saved.start().size(), rule));
    List<Signature> signatures =
        subjects.stream().map(each -> SignatureState.first(rule, each, size).signature()).toList();
    return new PeerSignatures(signatures, least, subjects);
  }

  /** Reads the models of a run folder, one per peer. */
  public static Saved read(Path run, DataFiles files) throws IOException {
    Path config = run.resolve("config.yaml");
    if (!Files.isRegularFile(config)) {
      throw wrongUse(run + " is not a run folder; name a folder that has a config.yaml");
    }
    Experiment experiment =
        ExperimentFile.of(ConfigFile.read(config), Optional.empty(), List.of()).experiment();
    SimulationBuilder builder = ExperimentAssembler.of(experiment, files);
    Architecture architecture = builder.architecture();
    List<Weights> models = new ArrayList<>();
    for (int peer = 0; peer < experiment.peers(); peer++) {
      models.add(model(run, peer, architecture));
    }
    return new Saved(models, builder.peerFactory().commonInitialWeights());
  }

  private static int agreedEntries(List<Integer> least, int dimension, SignatureRule rule) {
    QuantileSketch sketch = QuantileSketch.empty();
    for (int each : least) {
      sketch = sketch.with(each);
    }
    return Cardinality.networkWide(sketch, dimension, rule);
  }

  private static Weights model(Path run, int peer, Architecture architecture) throws IOException {
    Path file = run.resolve("models").resolve("peer-" + peer + ".safetensors");
    if (!Files.isRegularFile(file)) {
      throw wrongUse(
          "there is no "
              + file
              + "; repeat the run with --set evaluation.saveModels=true and a method with a model for each"
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
