package io.kindred.node.task;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.learning.Auto;
import io.kindred.learning.data.DamagedDataException;
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
    Path folder = cardFile.toAbsolutePath().getParent();
    Mixture members = card.weights(folder == null ? cardFile : folder, architecture.layout());
    double[] probabilities = probabilities(dataset, architecture, members);
    List<Prediction> predictions = new ArrayList<>();
    int classes = settings.classes().size();
    for (int i = 0; i < samples.names().size(); i++) {
      predictions.add(of(samples.names().get(i), settings.classes(), probabilities, i * classes));
    }
    return predictions;
  }

  /** The share of right predictions; empty if not every sample has a class of the task. */
  public static Optional<Double> accuracy(
      List<Prediction> predictions, Path cardFile, OwnSource data, DataFiles files) {
    PredictorCard.PredictorSettings settings = PredictorCard.read(cardFile).settings(cardFile);
    OwnSamples samples;
    try {
      samples = data.read(settings.inputs(), settings.classes(), true, files);
    } catch (DamagedDataException noLabels) {
      return Optional.empty();
    }
    if (samples.obstacle().isPresent() || samples.labels().size() != predictions.size()) {
      return Optional.empty();
    }
    long right =
        IntStream.range(0, predictions.size())
            .filter(
                i ->
                    predictions
                        .get(i)
                        .predicted()
                        .equals(settings.classes().get(samples.labels().get(i))))
            .count();
    return Optional.of(right / (double) predictions.size());
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

  /** The probabilities of the members, each with its share; sample by sample. */
  private static double[] probabilities(
      Dataset dataset, Architecture architecture, Mixture members) {
    EngineChoice engine = new Auto().select(architecture).engine();
    Ints all = Ints.wrap(IntStream.range(0, dataset.train().count()).toArray());
    PeerDatasets datasets =
        new PeerDatasets(dataset, List.of(new PeerSplit(all, Ints.of(), Ints.of())));
    EngineTrainer trainer =
        new EngineTrainer(
            engine.create(architecture), datasets, new RandomStreams(0), Optional.empty());
    double[] sum = new double[dataset.train().count() * dataset.classes()];
    for (MixturePart member : members.parts()) {
      Result.Outputs outputs =
          (Result.Outputs)
              trainer.perform(
                  new PeerId(0),
                  new Ticket.Outputs(
                      Mixture.of(member.weights()), DataView.own(DataView.Split.TRAIN)));
      for (int i = 0; i < sum.length; i++) {
        sum[i] += member.coefficient() * outputs.values().get(i);
      }
    }
    return sum;
  }

  private static Prediction of(
      String sample, List<String> classes, double[] probabilities, int from) {
    Map<String, Double> byClass = new LinkedHashMap<>();
    int most = 0;
    for (int i = 0; i < classes.size(); i++) {
      byClass.put(classes.get(i), probabilities[from + i]);
      if (probabilities[from + i] > probabilities[from + most]) {
        most = i;
      }
    }
    return new Prediction(sample, classes.get(most), probabilities[from + most], byClass);
  }
}
