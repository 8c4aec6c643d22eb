package io.kindred.learning.training;

import io.kindred.core.PeerId;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.work.DataView;
import io.kindred.core.work.DataView.Owner;
import io.kindred.core.work.DataView.Selection;
import io.kindred.core.work.DataView.Split;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.TurnedFeatures;
import io.kindred.learning.data.Users;
import io.kindred.learning.engine.Rows;
import io.kindred.learning.partition.Holdout.Parts;
import io.kindred.learning.partition.Variation;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Who holds what: the data set and each peer's share of it. Peers share the table and own index
 * lists only.
 */
public record Holdings(
    Dataset dataset, List<Parts> peers, CommonTest commonTest, Optional<Variation> variation) {
  public Holdings {
    peers = List.copyOf(peers);
  }

  /** Shares of the samples as they are. */
  public Holdings(Dataset dataset, List<Parts> peers) {
    this(dataset, peers, CommonTest.of(dataset, peers.size(), Optional.empty()), Optional.empty());
  }

  /** Shares of the rows of a variation; they are turned as they are read, and never copied. */
  public static Holdings varied(Dataset dataset, List<Parts> peers, Variation variation) {
    Samples train = dataset.train();
    Ints samples = variation.samples();
    Ints upright = Ints.wrap(new int[samples.size()]);
    Samples rows =
        new Samples(
            new TurnedFeatures(train.features(), dataset.shape(), samples, variation.turns()),
            variation.ofRows(train.labels()),
            train
                .users()
                .map(users -> new Users(variation.ofRows(users.ofSamples()), users.names())),
            train
                .targets()
                .map(
                    targets ->
                        new TurnedFeatures(targets, List.of(targets.width()), samples, upright)));
    return new Holdings(
        new Dataset(
            dataset.name(),
            dataset.shape(),
            dataset.classes(),
            rows,
            dataset.test(),
            dataset.deviations()),
        peers,
        CommonTest.of(dataset, peers.size(), Optional.of(variation)),
        Optional.of(variation));
  }

  /** The rows that a ticket of this peer may see. */
  public Rows rows(PeerId peer, DataView view) {
    Ints part =
        view.owner() == Owner.EVERYONE
            ? everyone(view.split())
            : part(peers.get((int) peer.number()), view.split());
    return switch (view.selection()) {
      case Selection.All() -> Rows.of(dataset.train(), part);
      case Selection.Some(Ints chosen) -> Rows.of(dataset.train(), choose(part, chosen));
      case Selection.Weighted(Floats weights) ->
          new Rows(dataset.train(), part, Optional.of(weights));
    };
  }

  /** The common test set as this peer is judged on it. */
  public Rows globalTest(PeerId peer) {
    return commonTest.versions().get(commonTest.versionOf(peer));
  }

  /** How many samples a view has, without building it. */
  public int count(PeerId peer, DataView view) {
    return switch (view.selection()) {
      case Selection.Some(Ints chosen) -> chosen.size();
      case Selection.All() -> size(peer, view);
      case Selection.Weighted(Floats weights) -> weights.size();
    };
  }

  private int size(PeerId peer, DataView view) {
    if (view.owner() == Owner.SELF) {
      return part(peers.get((int) peer.number()), view.split()).size();
    }
    return peers.stream().mapToInt(each -> part(each, view.split()).size()).sum();
  }

  private static Ints part(Parts parts, Split split) {
    return switch (split) {
      case TRAIN -> parts.train();
      case VALIDATION -> parts.validation();
      case TEST -> parts.test();
    };
  }

  private Ints everyone(Split split) {
    return Ints.wrap(
        peers.stream()
            .map(each -> part(each, split))
            .flatMapToInt(share -> IntStream.range(0, share.size()).map(share::get))
            .toArray());
  }

  private static Ints choose(Ints part, Ints chosen) {
    return Ints.wrap(IntStream.range(0, chosen.size()).map(i -> part.get(chosen.get(i))).toArray());
  }
}
