package io.kindred.learning.training;

import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.RotatedFeatures;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.SamplesBuilder;
import io.kindred.learning.engine.SampleRows;
import io.kindred.learning.partition.Holdout.PeerSplit;
import io.kindred.learning.partition.SampleTransformation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The common test set, which no peer owns. If a partition rotates pictures it exists in several
 * versions, and each peer is evaluated on the one that matches its training data.
 */
public record CommonTestSet(List<SampleRows> versions, Ints versionOfPeer) {
  public CommonTestSet {
    versions = List.copyOf(versions);
  }

  static CommonTestSet of(
      Dataset dataset, int peers, Optional<SampleTransformation> transformation) {
    Ints all = Ints.wrap(IntStream.range(0, dataset.test().count()).toArray());
    if (transformation.isEmpty()) {
      return new CommonTestSet(
          List.of(SampleRows.of(dataset.test(), all)), Ints.wrap(new int[peers]));
    }
    List<Ints> cycles = new ArrayList<>();
    int[] versionOfPeer = new int[peers];
    for (int peer = 0; peer < peers; peer++) {
      Ints cycle = transformation.get().testQuarterTurns().get(peer);
      if (!cycles.contains(cycle)) {
        cycles.add(cycle);
      }
      versionOfPeer[peer] = cycles.indexOf(cycle);
    }
    List<SampleRows> versions =
        cycles.stream().map(cycle -> SampleRows.of(turned(dataset, all, cycle), all)).toList();
    return new CommonTestSet(versions, Ints.wrap(versionOfPeer));
  }

  private static Samples turned(Dataset dataset, Ints all, Ints cycle) {
    Samples test = dataset.test();
    Ints turns = SampleTransformation.testQuarterTurns(test.labels(), cycle);
    return SamplesBuilder.from(test)
        .features(new RotatedFeatures(test.features(), dataset.shape(), all, turns))
        .build();
  }

  /**
   * For each peer a version of its own, in which the labels are as frequent as among the peer's
   * samples; a label of which the test set has too few samples limits the size.
   */
  static CommonTestSet matching(
      Dataset dataset, List<PeerSplit> splits, int size, RandomStreams streams) {
    List<SampleRows> versions = new ArrayList<>();
    for (int peer = 0; peer < splits.size(); peer++) {
      RandomStream random = streams.stream(Purpose.HOLD_OUT, peer, 1);
      versions.add(
          SampleRows.of(dataset.test(), matching(dataset, splits.get(peer), size, random)));
    }
    return new CommonTestSet(versions, Ints.wrap(IntStream.range(0, splits.size()).toArray()));
  }

  private static Ints matching(Dataset dataset, PeerSplit own, int size, RandomStream random) {
    int[] wanted = new int[dataset.classes()];
    int samples = 0;
    for (Ints part : List.of(own.train(), own.validation(), own.test())) {
      for (int index : part.shared()) {
        wanted[dataset.train().labels().get(index)]++;
        samples++;
      }
    }
    Ints labels = dataset.test().labels();
    int[] available = new int[wanted.length];
    for (int label : labels.shared()) {
      available[label]++;
    }
    double total = size;
    for (int label = 0; label < wanted.length; label++) {
      if (wanted[label] > 0) {
        total = Math.min(total, (double) available[label] * samples / wanted[label]);
      }
    }
    int[] left = new int[wanted.length];
    for (int label = 0; label < wanted.length; label++) {
      left[label] = samples == 0 ? 0 : (int) Math.round(total * wanted[label] / samples);
    }
    return Ints.wrap(
        Arrays.stream(random.permutation(labels.size()))
            .filter(index -> left[labels.get(index)]-- > 0)
            .sorted()
            .toArray());
  }

  /** The version that a peer is evaluated on; peers without data get the first. */
  public int versionOf(PeerId peer) {
    return peer.number() < versionOfPeer.size() ? versionOfPeer.get((int) peer.number()) : 0;
  }
}
