package io.kindred.runtime;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import io.kindred.environment.topology.Graph;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.partition.Holdout;
import io.kindred.learning.partition.PartitionResult;
import io.kindred.learning.partition.SamplePool;
import io.kindred.learning.training.PeerDatasets;
import io.kindred.methods.contract.PeerFactory;
import io.kindred.runtime.adversary.HostilePeers;
import io.kindred.runtime.adversary.PoisonedSamples;
import io.kindred.runtime.config.EvaluationSettings;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.folder.TextFolder;
import io.kindred.storage.disk.DamagedFileException;
import io.kindred.storage.disk.Safetensors;
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
  public static PeerFactory peerFactory(Experiment experiment, DataFiles files) {
    RandomStreams dataStreams = experiment.dataStreams();
    Dataset dataset = experiment.dataset().load(dataStreams, files);
    RandomStreams streams = new RandomStreams(experiment.seed());
    Architecture architecture = experiment.model().sizedFor(dataset);
    Weights drawn = architecture.initialWeights(streams.stream(Purpose.INITIAL_WEIGHTS, 0, 0));
    UnaryOperator<Weights> start =
        experiment.start().map(file -> startingFrom(file, drawn)).orElse(UnaryOperator.identity());
    return new PeerFactory(
            experiment.method(),
            peerDatasets(experiment, dataset, dataStreams),
            architecture,
            experiment.training(),
            experiment.rounds(),
            experiment.seed(),
            start)
        .withConduct(HostilePeers.conduct(experiment));
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

  /**
   * The file is read here already, so that a file of another model is refused before anything is
   * written.
   */
  private static UnaryOperator<Weights> startingFrom(String name, Weights usual) {
    Path file = Path.of(name);
    if (!Files.isRegularFile(file)) {
      throw new SettingException("start", "there is no file " + name, "name a safetensors file");
    }
    Weights first = readOver(file, usual);
    return drawn -> drawn.equals(usual) ? first : readOver(file, drawn);
  }

  private static Weights readOver(Path file, Weights drawn) {
    try {
      return Safetensors.readOver(file, drawn);
    } catch (DamagedFileException e) {
      throw new SettingException(
          "start", String.valueOf(e.getMessage()), "name a file of this model");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  /** Divides the data among the peers, without building a model. */
  public static PeerDatasets peerDatasets(Experiment experiment, DataFiles files) {
    RandomStreams streams = experiment.dataStreams();
    return peerDatasets(experiment, experiment.dataset().load(streams, files), streams);
  }

  private static PartitionResult divide(
      Experiment experiment, Dataset dataset, RandomStreams streams) {
    return experiment
        .partition()
        .divide(
            SamplePool.of(dataset), experiment.peers(), streams.stream(Purpose.PARTITION, 0, 0));
  }

  private static PeerDatasets peerDatasets(
      Experiment experiment, Dataset dataset, RandomStreams streams) {
    return PoisonedSamples.of(experiment, honestDatasets(experiment, dataset, streams));
  }

  private static PeerDatasets honestDatasets(
      Experiment experiment, Dataset dataset, RandomStreams streams) {
    PartitionResult result = divide(experiment, dataset, streams);
    Ints labels = dataset.train().labels();
    Ints rows = result.transformation().map(each -> each.mapToRows(labels)).orElse(labels);
    List<Holdout.PeerSplit> split = new ArrayList<>();
    EvaluationSettings evaluation = experiment.evaluation();
    for (int peer = 0; peer < result.shares().size(); peer++) {
      Holdout.PeerSplit own =
          Holdout.split(
              result.shares().get(peer),
              rows,
              evaluation.validation(),
              evaluation.localTest(),
              streams.stream(Purpose.HOLD_OUT, peer, 0));
      split.add(
          switch (evaluation.on()) {
            case TEST -> own;
            case VALIDATION -> own.withTest(own.validation());
            case TRAIN -> own.withTest(own.train());
          });
    }
    if (evaluation.matched() > 0) {
      requireLabels(dataset, result);
      return new PeerDatasets(dataset, split).withMatchingTest(evaluation.matched(), streams);
    }
    return result
        .transformation()
        .map(transformation -> PeerDatasets.transformed(dataset, split, transformation))
        .orElseGet(() -> new PeerDatasets(dataset, split));
  }

  private static void requireLabels(Dataset dataset, PartitionResult result) {
    if (result.transformation().isPresent() || dataset.classes() == 0) {
      throw new SettingException(
          "evaluation.matched",
          "samples are matched by their labels, which these peers transform or do not have",
          "choose 0, or a partition and a data set with plain labels");
    }
  }
}
