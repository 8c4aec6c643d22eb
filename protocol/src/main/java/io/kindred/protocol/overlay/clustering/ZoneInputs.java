package io.kindred.protocol.overlay.clustering;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.Copies;
import io.kindred.protocol.signature.QuantileSketch;
import io.kindred.protocol.signature.Signature;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the leader of a settled zone has collected to cluster it.
 *
 * @param inputs what members sent to be clustered; dropped after the clustering
 * @param minimumEntries entries that the zone's peers need, known after the clustering
 * @param requestedBy the parent zone that waits for the clusters
 */
@Buildable
public record ZoneInputs(
    SortedMap<PeerId, ClusteringInput> inputs,
    QuantileSketch minimumEntries,
    Optional<ZoneId> requestedBy) {
  static final ZoneInputs NONE =
      new ZoneInputs(new TreeMap<>(), QuantileSketch.empty(), Optional.empty());

  /** What a member contributes: its signature, or the clusters of its child zone. */
  public record ClusteringInput(
      Optional<Signature> signature,
      List<ClusterDescriptor> clusters,
      QuantileSketch minimumEntries) {}

  /** The clusters of all child zones. */
  List<ClusterDescriptor> childClusters() {
    List<ClusterDescriptor> below = new ArrayList<>();
    inputs.values().forEach(each -> below.addAll(each.clusters()));
    return below;
  }

  /** The entries that the peers of all members need. */
  QuantileSketch sumOfMinimumEntries() {
    QuantileSketch sum = QuantileSketch.empty();
    for (ClusteringInput each : inputs.values()) {
      sum = sum.merge(each.minimumEntries());
    }
    return sum;
  }

  ZoneInputs with(PeerId member, ClusteringInput input) {
    return ZoneInputsBuilder.from(this).inputs(Copies.with(inputs, member, input)).build();
  }

  ZoneInputs without(List<PeerId> members) {
    SortedMap<PeerId, ClusteringInput> kept = new TreeMap<>(inputs);
    kept.keySet().removeAll(members);
    return ZoneInputsBuilder.from(this).inputs(kept).build();
  }

  ZoneInputs withRequester(ZoneId above) {
    return ZoneInputsBuilder.from(this).requestedBy(Optional.of(above)).build();
  }

  /** The zone is clustered; its inputs are no longer needed. */
  ZoneInputs clustered() {
    return new ZoneInputs(new TreeMap<>(), sumOfMinimumEntries(), requestedBy);
  }

  /** The zone is the root; its inputs are kept in case another zone appears. */
  ZoneInputs asRoot() {
    return new ZoneInputs(inputs, sumOfMinimumEntries(), requestedBy);
  }
}
