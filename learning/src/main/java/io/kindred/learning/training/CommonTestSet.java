package io.kindred.learning.training;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.RotatedFeatures;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.SamplesBuilder;
import io.kindred.learning.engine.SampleRows;
import io.kindred.learning.partition.SampleTransformation;
import java.util.ArrayList;
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

  /** The version that a peer is evaluated on; peers without data get the first. */
  public int versionOf(PeerId peer) {
    return peer.number() < versionOfPeer.size() ? versionOfPeer.get((int) peer.number()) : 0;
  }
}
