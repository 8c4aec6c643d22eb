package io.kindred.runtime.metrics;

import io.kindred.core.peer.Observation.MixedModel;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Ints;
import io.kindred.learning.partition.SampleTransformation;
import io.kindred.learning.training.PeerDatasets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntUnaryOperator;

/**
 * Groups of peers with similar data: the planted cluster that most of a peer's training samples
 * come from, or else the label of most of them.
 *
 * @param byPeer the group of each peer; {@link #UNKNOWN} for a peer whose samples are not known
 *     here, such as that of another node
 */
public record PeerGroups(Kind kind, List<Integer> byPeer) {
  static final int UNKNOWN = -1;

  /** What a group has in common. */
  public enum Kind {
    PLANTED,
    LABEL
  }

  public PeerGroups {
    byPeer = List.copyOf(byPeer);
  }

  /** The planted groups; empty if the partition plants none. */
  public static Optional<PeerGroups> planted(PeerDatasets datasets) {
    return datasets
        .transformation()
        .filter(truth -> truth.clusterCount() > 1)
        .map(truth -> of(Kind.PLANTED, datasets, peer -> plantedGroup(truth, datasets, peer)));
  }

  /** The planted groups, or else groups by label; empty for data without labels. */
  public static Optional<PeerGroups> of(PeerDatasets datasets) {
    return planted(datasets)
        .or(
            () ->
                datasets.dataset().classes() < 2
                    ? Optional.empty()
                    : Optional.of(of(Kind.LABEL, datasets, peer -> mostFrequent(datasets, peer))));
  }

  private static PeerGroups of(Kind kind, PeerDatasets datasets, IntUnaryOperator group) {
    List<Integer> groups = new ArrayList<>();
    for (int peer = 0; peer < datasets.splits().size(); peer++) {
      boolean known = datasets.splits().get(peer).train().size() > 0;
      groups.add(known ? group.applyAsInt(peer) : UNKNOWN);
    }
    return new PeerGroups(kind, groups);
  }

  private static int plantedGroup(SampleTransformation truth, PeerDatasets datasets, int peer) {
    return ClusterMetrics.trueCluster(truth, datasets, peer);
  }

  private static int mostFrequent(PeerDatasets datasets, int peer) {
    Ints labels = datasets.dataset().train().labels();
    int[] counts = new int[datasets.dataset().classes()];
    Arrays.stream(datasets.splits().get(peer).train().copy())
        .forEach(sample -> counts[labels.get(sample)]++);
    int most = 0;
    for (int label = 1; label < counts.length; label++) {
      most = counts[label] > counts[most] ? label : most;
    }
    return most;
  }

  /** The group of a peer; empty if it is not known. */
  Optional<Integer> groupOf(long peer) {
    return peer < 0 || peer >= byPeer.size()
        ? Optional.empty()
        : Optional.of(byPeer.get((int) peer)).filter(group -> group != UNKNOWN);
  }

  /**
   * The share of the weight of other peers' models that belongs to peers of the own group; empty if
   * the own group is not known, or if no model of a peer of a known group has a weight.
   */
  public OptionalDouble purity(PeerId peer, List<MixedModel> models) {
    Optional<Integer> own = groupOf(peer.number());
    double inside = 0;
    double all = 0;
    for (MixedModel model : models) {
      Optional<Integer> group = groupOf(model.peer().number());
      if (group.isPresent()) {
        all += model.weight();
        inside += group.equals(own) ? model.weight() : 0;
      }
    }
    return own.isEmpty() || all <= 0 ? OptionalDouble.empty() : OptionalDouble.of(inside / all);
  }
}
