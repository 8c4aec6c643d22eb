package io.kindred.learning.training;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.DataView.Owner;
import io.kindred.core.compute.DataView.Selection;
import io.kindred.core.compute.DataView.Split;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.AddedRows;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.DatasetBuilder;
import io.kindred.learning.data.RotatedFeatures;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.Users;
import io.kindred.learning.engine.SampleRows;
import io.kindred.learning.partition.Holdout.PeerSplit;
import io.kindred.learning.partition.SampleTransformation;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The data set and each peer's share of it. Peers share the table and own index lists only.
 *
 * @param triggered for each peer, rows that show whether its model has a back door: test samples
 *     with the trigger, all of the target class; empty without a back door
 */
public record PeerDatasets(
    Dataset dataset,
    List<PeerSplit> splits,
    CommonTestSet commonTest,
    Optional<SampleTransformation> transformation,
    List<Ints> triggered) {
  public PeerDatasets {
    splits = List.copyOf(splits);
    triggered = List.copyOf(triggered);
  }

  /** Shares without a back door. */
  public PeerDatasets(
      Dataset dataset,
      List<PeerSplit> splits,
      CommonTestSet commonTest,
      Optional<SampleTransformation> transformation) {
    this(dataset, splits, commonTest, transformation, List.of());
  }

  /** Shares of untransformed samples. */
  public PeerDatasets(Dataset dataset, List<PeerSplit> peers) {
    this(
        dataset,
        peers,
        CommonTestSet.of(dataset, peers.size(), Optional.empty()),
        Optional.empty());
  }

  /**
   * Shares of the rows of a transformation; pictures are rotated when they are read, and never
   * copied.
   */
  public static PeerDatasets transformed(
      Dataset dataset, List<PeerSplit> peers, SampleTransformation transformation) {
    Samples train = dataset.train();
    Ints samples = transformation.samples();
    Ints upright = Ints.wrap(new int[samples.size()]);
    Samples rows =
        new Samples(
            new RotatedFeatures(
                train.features(), dataset.shape(), samples, transformation.quarterTurns()),
            transformation.mapToRows(train.labels()),
            train
                .users()
                .map(users -> new Users(transformation.mapToRows(users.bySample()), users.names())),
            train
                .targets()
                .map(
                    targets ->
                        new RotatedFeatures(targets, List.of(targets.width()), samples, upright)));
    return new PeerDatasets(
        DatasetBuilder.from(dataset).train(rows).build(),
        peers,
        CommonTestSet.of(dataset, peers.size(), Optional.of(transformation)),
        Optional.of(transformation));
  }

  /**
   * The same shares, but each peer is evaluated on its own part of the common test set: at most so
   * many samples, with labels as frequent as among its own.
   */
  public PeerDatasets withMatchingTest(int size, RandomStreams streams) {
    return new PeerDatasets(
        dataset, splits, CommonTestSet.matching(dataset, splits, size, streams), transformation);
  }

  /** The same data set with added rows, and other shares of its rows. */
  public PeerDatasets withAddedRows(
      AddedRows rows, List<PeerSplit> otherSplits, List<Ints> otherTriggered) {
    return new PeerDatasets(
        DatasetBuilder.from(dataset).train(rows.addedTo(dataset.train(), dataset.shape())).build(),
        otherSplits,
        commonTest,
        transformation.map(each -> each.repeating(rows.repeated())),
        otherTriggered);
  }

  /** The rows that show whether this peer's model has a back door; none without a back door. */
  public SampleRows triggeredRows(PeerId peer) {
    return SampleRows.of(
        dataset.train(), triggered.isEmpty() ? Ints.of() : triggered.get((int) peer.number()));
  }

  /** The rows that a ticket of this peer may use. */
  public SampleRows rows(PeerId peer, DataView view) {
    Ints part =
        view.owner() == Owner.EVERYONE
            ? allPeers(view.split())
            : part(splits.get((int) peer.number()), view.split());
    return switch (view.selection()) {
      case Selection.All() -> SampleRows.of(dataset.train(), part);
      case Selection.Subset(Ints chosen) -> SampleRows.of(dataset.train(), select(part, chosen));
      case Selection.Weighted(Floats weights) ->
          new SampleRows(dataset.train(), part, Optional.of(weights));
    };
  }

  /** The version of the common test set that this peer is evaluated on. */
  public SampleRows commonTestRows(PeerId peer) {
    return commonTest.versions().get(commonTest.versionOf(peer));
  }

  /** The number of samples of a view, without building it. */
  public int count(PeerId peer, DataView view) {
    return switch (view.selection()) {
      case Selection.Subset(Ints chosen) -> chosen.size();
      case Selection.All() -> size(peer, view);
      case Selection.Weighted(Floats weights) -> weights.size();
    };
  }

  private int size(PeerId peer, DataView view) {
    if (view.owner() == Owner.SELF) {
      return part(splits.get((int) peer.number()), view.split()).size();
    }
    return splits.stream().mapToInt(each -> part(each, view.split()).size()).sum();
  }

  private static Ints part(PeerSplit peerSplit, Split split) {
    return switch (split) {
      case TRAIN -> peerSplit.train();
      case VALIDATION -> peerSplit.validation();
      case TEST -> peerSplit.test();
    };
  }

  private Ints allPeers(Split split) {
    return Ints.wrap(
        splits.stream()
            .map(each -> part(each, split))
            .flatMapToInt(share -> IntStream.range(0, share.size()).map(share::get))
            .toArray());
  }

  private static Ints select(Ints part, Ints chosen) {
    return Ints.wrap(IntStream.range(0, chosen.size()).map(i -> part.get(chosen.get(i))).toArray());
  }
}
