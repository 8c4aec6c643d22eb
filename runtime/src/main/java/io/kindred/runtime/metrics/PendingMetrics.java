package io.kindred.runtime.metrics;

import io.kindred.core.weights.Ints;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.Wire;
import io.kindred.storage.disk.WeightsTable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Metrics that peers have reported but no file holds yet, so checkpoints must contain them.
 *
 * @param measured figures of the model that a peer deploys next
 * @param sampleClusters the clusters of each peer's training samples, for methods that cluster
 *     samples
 * @param deployments the hash of the models that peers have deployed so far
 */
public record PendingMetrics(
    SortedMap<Long, SortedMap<String, Double>> measured,
    SortedMap<Long, Ints> sampleClusters,
    SortedMap<Long, PendingMixture> mixtures,
    ConsensusDistance consensus,
    DeploymentHash deployments) {
  private record EncodedMetrics(
      SortedMap<Long, SortedMap<String, Double>> measured,
      SortedMap<Long, Ints> sampleClusters,
      SortedMap<Long, PendingMixture> mixtures) {}

  private static final Wire WIRE = new Wire(List.of());

  public static PendingMetrics empty() {
    return new PendingMetrics(
        new TreeMap<>(),
        new TreeMap<>(),
        new TreeMap<>(),
        new ConsensusDistance(),
        new DeploymentHash());
  }

  /** The same metrics as they are now, which do not change when peers go on reporting. */
  public PendingMetrics copy() {
    SortedMap<Long, SortedMap<String, Double>> copied = new TreeMap<>();
    measured.forEach((peer, figures) -> copied.put(peer, new TreeMap<>(figures)));
    return new PendingMetrics(
        copied,
        new TreeMap<>(sampleClusters),
        new TreeMap<>(mixtures),
        consensus.copy(),
        deployments.copy());
  }

  public void write(DataOutputStream out) throws IOException {
    EncodedMetrics encodedMetrics = new EncodedMetrics(measured, sampleClusters, mixtures);
    WeightsTable.writeBlock(out, WIRE.encode(EncodedMetrics.class, encodedMetrics).bytes());
    consensus.write(out);
    deployments.write(out);
  }

  public static PendingMetrics read(DataInputStream in) throws IOException, MalformedException {
    EncodedMetrics encodedMetrics =
        WIRE.decode(EncodedMetrics.class, WeightsTable.readBlock(in), _ -> null);
    // Decoded maps are immutable, and peers go on reporting.
    SortedMap<Long, SortedMap<String, Double>> measured = new TreeMap<>();
    encodedMetrics.measured().forEach((peer, each) -> measured.put(peer, new TreeMap<>(each)));
    return new PendingMetrics(
        measured,
        new TreeMap<>(encodedMetrics.sampleClusters()),
        new TreeMap<>(encodedMetrics.mixtures()),
        ConsensusDistance.read(in),
        DeploymentHash.read(in));
  }
}
