package io.kindred.node.trainer;

import io.kindred.core.config.SettingException;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.DatasetBuilder;
import io.kindred.learning.data.Features;
import io.kindred.learning.data.Samples;
import io.kindred.learning.partition.Holdout.PeerSplit;
import io.kindred.learning.training.PeerDatasets;
import io.kindred.node.trainer.contract.TrainerMessages;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Datasets for samples that only the trainer has: the node knows how many there are, and how many
 * of each class. The training samples of the experiment's data set are not used.
 */
final class TrainerOwnedData {
  private TrainerOwnedData() {}

  static PeerDatasets datasets(PeerDatasets planned, int peer, TrainerMessages.HelloReply hello) {
    Dataset dataset = planned.dataset();
    int train = hello.getTrainSamples();
    int validated = train + hello.getValidationSamples();
    int all = validated + hello.getTestSamples();
    if (train < 1
        || hello.getValidationSamples() < 0
        || hello.getTestSamples() < 0
        || all < train) {
      throw new SettingException(
          "trainer.data",
          "the trainer has %d, %d and %d samples to train, validate and test"
              .formatted(train, hello.getValidationSamples(), hello.getTestSamples()),
          "give it some to train on, or take trainer.data: handed");
    }
    Samples unavailable =
        new Samples(
            new UnavailableFeatures(all, dataset.width()),
            labels(dataset.classes(), all, hello),
            Optional.empty(),
            dataset.train().targets().map(known -> new UnavailableFeatures(all, known.width())));
    List<PeerSplit> peers = new ArrayList<>();
    for (int i = 0; i < planned.splits().size(); i++) {
      peers.add(new PeerSplit(Ints.of(), Ints.of(), Ints.of()));
    }
    peers.set(peer, new PeerSplit(range(0, train), range(train, validated), range(validated, all)));
    return new PeerDatasets(DatasetBuilder.from(dataset).train(unavailable).build(), peers);
  }

  /** Labels in the reported numbers, training samples first. */
  private static Ints labels(int classes, int all, TrainerMessages.HelloReply hello) {
    List<Integer> counts = hello.getLabelCountsList();
    if (counts.size() != classes
        || counts.stream().anyMatch(count -> count < 0)
        || counts.stream().mapToLong(Integer::longValue).sum() != hello.getTrainSamples()) {
      throw new SettingException(
          "trainer.data",
          "the trainer tells the counts %s of its classes, which do not make %d samples of %d classes"
              .formatted(counts, hello.getTrainSamples(), classes),
          "let it count its training samples, class by class");
    }
    int[] labels = new int[all];
    int at = 0;
    for (int label = 0; label < classes; label++) {
      Arrays.fill(labels, at, at + counts.get(label), label);
      at += counts.get(label);
    }
    return Ints.wrap(labels);
  }

  private static Ints range(int from, int to) {
    return Ints.wrap(IntStream.range(from, to).toArray());
  }

  /** Features that only the trainer has. */
  private record UnavailableFeatures(int count, int width) implements Features {
    @Override
    public void copy(int sample, float[] into, int offset) {
      throw new IllegalStateException("only the trainer has the samples");
    }
  }
}
