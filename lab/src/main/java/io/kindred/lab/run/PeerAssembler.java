package io.kindred.lab.run;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.settings.Complaint;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import io.kindred.files.disk.DamagedFileException;
import io.kindred.files.disk.Safetensors;
import io.kindred.lab.experiment.EvaluationSettings;
import io.kindred.lab.experiment.Experiment;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.partition.Division;
import io.kindred.learning.partition.Holdout;
import io.kindred.learning.partition.Stock;
import io.kindred.learning.training.Holdings;
import io.kindred.methods.Cast;
import io.kindred.world.Graph;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Builds what both shells need of an experiment: every peer's samples, the model and its starting
 * weights, and the neighbours. Everything here follows from the seed.
 */
public final class PeerAssembler {
  private PeerAssembler() {}

  /** Loads and divides the data and sizes the model, for peers in either shell. */
  public static Cast cast(Experiment experiment, DataFiles files) {
    RandomStreams streams = new RandomStreams(experiment.seed());
    Dataset dataset = experiment.dataset().load(streams, files);
    Architecture architecture = experiment.model().sizedFor(dataset);
    Weights drawn = architecture.initial(streams.stream(Purpose.INITIAL_WEIGHTS, 0, 0));
    UnaryOperator<Weights> start =
        experiment.start().map(file -> startingFrom(file, drawn)).orElse(UnaryOperator.identity());
    return new Cast(
        experiment.method(),
        holdings(experiment, dataset, streams),
        architecture,
        experiment.training(),
        experiment.rounds(),
        experiment.seed(),
        start);
  }

  /** The neighbour graph that the experiment's topology gives for its seed. */
  public static Graph graph(Experiment experiment) {
    return experiment
        .topology()
        .connect(
            experiment.peers(),
            new RandomStreams(experiment.seed()).stream(Purpose.TOPOLOGY, 0, 0),
            new TextFolder(Path.of("")));
  }

  /** The neighbours of each peer in {@link #graph}, for a shell that knows no topology. */
  public static List<Ints> neighbours(Experiment experiment) {
    return graph(experiment).neighbours();
  }

  /** Read here already, so that a file of another model is refused before anything is written. */
  private static UnaryOperator<Weights> startingFrom(String name, Weights usual) {
    Path file = Path.of(name);
    if (!Files.isRegularFile(file)) {
      throw new Complaint("start", "there is no file " + name, "name a safetensors file");
    }
    Weights first = readOver(file, usual);
    return drawn -> drawn.equals(usual) ? first : readOver(file, drawn);
  }

  private static Weights readOver(Path file, Weights drawn) {
    try {
      return Safetensors.readOver(file, drawn);
    } catch (DamagedFileException e) {
      throw new Complaint("start", String.valueOf(e.getMessage()), "name a file of this model");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  /** Divides the data among the peers, without building a model. */
  public static Holdings holdings(Experiment experiment, DataFiles files) {
    RandomStreams streams = new RandomStreams(experiment.seed());
    return holdings(experiment, experiment.dataset().load(streams, files), streams);
  }

  private static Division divide(Experiment experiment, Dataset dataset, RandomStreams streams) {
    return experiment
        .partition()
        .divide(Stock.of(dataset), experiment.peers(), streams.stream(Purpose.PARTITION, 0, 0));
  }

  private static Holdings holdings(Experiment experiment, Dataset dataset, RandomStreams streams) {
    Division division = divide(experiment, dataset, streams);
    Ints labels = dataset.train().labels();
    Ints rows = division.variation().map(each -> each.ofRows(labels)).orElse(labels);
    List<Holdout.Parts> parts = new ArrayList<>();
    EvaluationSettings evaluation = experiment.evaluation();
    for (int peer = 0; peer < division.shares().size(); peer++) {
      Holdout.Parts own =
          Holdout.split(
              division.shares().get(peer),
              rows,
              evaluation.validation(),
              evaluation.localTest(),
              streams.stream(Purpose.HOLD_OUT, peer, 0));
      parts.add(
          switch (evaluation.on()) {
            case TEST -> own;
            case VALIDATION -> own.testing(own.validation());
            case TRAIN -> own.testing(own.train());
          });
    }
    return division
        .variation()
        .map(variation -> Holdings.varied(dataset, parts, variation))
        .orElseGet(() -> new Holdings(dataset, parts));
  }
}
