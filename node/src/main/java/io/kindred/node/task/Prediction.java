package io.kindred.node.task;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;
import io.kindred.learning.Auto;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.FloatFeatures;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.own.OwnFinding;
import io.kindred.learning.data.own.OwnSamples;
import io.kindred.learning.data.own.OwnSource;
import io.kindred.learning.engine.EngineChoice;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.partition.Holdout.PeerSplit;
import io.kindred.learning.training.EngineTrainer;
import io.kindred.learning.training.PeerDatasets;
import io.kindred.storage.OperatorException;
import io.kindred.storage.disk.DamagedFileException;
import io.kindred.storage.disk.Safetensors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What a model says of one sample.
 *
 * @param sample what the owner calls the sample
 * @param probability of the most probable class
 * @param probabilities of all classes, in the order of the task
 */
public record Prediction(
    String sample, String predicted, double probability, Map<String, Double> probabilities) {
  public Prediction {
    probabilities = new LinkedHashMap<>(probabilities);
  }

  /** Predicts every sample; samples that do not fit the model are refused with place and remedy. */
  public static List<Prediction> of(Path cardFile, OwnSource data, DataFiles files) {
    PredictorCard card = PredictorCard.read(cardFile);
    PredictorCard.PredictorSettings settings = card.settings(cardFile);
    OwnSamples samples = data.read(settings.inputs(), settings.classes(), false, files);
    Optional<OwnFinding> obstacle = samples.obstacle();
    if (obstacle.isPresent()) {
      throw new OperatorException(OperatorException.DATA_MISSING, obstacle.get().line());
    }
    Dataset dataset = dataset(settings, samples);
    Architecture architecture = settings.model().sizedFor(dataset);
    Weights weights = weights(cardFile.resolveSibling(card.weights()), architecture);
    Floats probabilities = probabilities(dataset, architecture, weights);
    List<Prediction> predictions = new ArrayList<>();
    int classes = settings.classes().size();
    for (int i = 0; i < samples.names().size(); i++) {
      predictions.add(of(samples.names().get(i), settings.classes(), probabilities, i * classes));
    }
    return predictions;
  }

  private static Dataset dataset(PredictorCard.PredictorSettings settings, OwnSamples samples) {
    int count = samples.names().size();
    return new Dataset(
        "own",
        settings.inputs().sampleShape(),
        settings.classes().size(),
        new Samples(samples.features(), Ints.wrap(new int[count])),
        new Samples(new FloatFeatures(new float[0], settings.inputs().width()), Ints.of()));
  }

  private static Weights weights(Path file, Architecture architecture) {
    try {
      return Safetensors.read(file, architecture.layout());
    } catch (DamagedFileException damaged) {
      throw new OperatorException(
          OperatorException.WRONG_USE, String.valueOf(damaged.getMessage()));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(
          "cannot read " + file + ", which must be beside the model card", unreadable);
    }
  }

  private static Floats probabilities(Dataset dataset, Architecture architecture, Weights weights) {
    EngineChoice engine = new Auto().select(architecture).engine();
    Ints all = Ints.wrap(IntStream.range(0, dataset.train().count()).toArray());
    PeerDatasets datasets =
        new PeerDatasets(dataset, List.of(new PeerSplit(all, Ints.of(), Ints.of())));
    EngineTrainer trainer =
        new EngineTrainer(
            engine.create(architecture), datasets, new RandomStreams(0), Optional.empty());
    Result.Outputs outputs =
        (Result.Outputs)
            trainer.perform(
                new PeerId(0),
                new Ticket.Outputs(Mixture.of(weights), DataView.own(DataView.Split.TRAIN)));
    return outputs.values();
  }

  private static Prediction of(
      String sample, List<String> classes, Floats probabilities, int from) {
    Map<String, Double> byClass = new LinkedHashMap<>();
    int most = 0;
    for (int i = 0; i < classes.size(); i++) {
      byClass.put(classes.get(i), (double) probabilities.get(from + i));
      if (probabilities.get(from + i) > probabilities.get(from + most)) {
        most = i;
      }
    }
    return new Prediction(sample, classes.get(most), probabilities.get(from + most), byClass);
  }
}
