package io.kindred.experiment;

import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.VectorKernels;
import io.kindred.core.weights.Weights;
import io.kindred.learning.training.PeerDatasets;
import io.kindred.protocol.clustering.AffinityPropagation;
import io.kindred.protocol.clustering.AffinityRule;
import io.kindred.runtime.metrics.ClusterMetrics;
import io.kindred.storage.disk.Safetensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Cosine similarities between the changes of the peers' last models since the common initial
 * weights. The weights themselves would all look alike, because most of each model is still its
 * initial value.
 */
final class SimilarityMatrix {
  /** A matrix of more peers than this is not readable as a figure. */
  private static final int MOST_PEERS = 100;

  /** Limit on the weights of all compared models together: about 200 MB. */
  private static final long MOST_NUMBERS = 50_000_000;

  private final List<Weights> changes;
  private final float[] cosines;

  private SimilarityMatrix(List<Weights> changes) {
    this.changes = changes;
    int size = changes.size();
    double[] norms =
        changes.stream()
            .mapToDouble(change -> Math.sqrt(VectorKernels.dot(change, change)))
            .toArray();
    cosines = new float[size * size];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j <= i; j++) {
        double both = norms[i] * norms[j];
        double cosine = both > 0 ? VectorKernels.dot(changes.get(i), changes.get(j)) / both : 0;
        cosines[i * size + j] = (float) Math.clamp(i == j ? 1 : cosine, -1.0, 1.0);
        cosines[j * size + i] = cosines[i * size + j];
      }
    }
  }

  /** Compares the models of the first peers; empty if peers have no models of their own. */
  static Optional<SimilarityMatrix> of(Path models, Layout layout, Weights start, int peers)
      throws IOException {
    long most = Math.min(MOST_PEERS, MOST_NUMBERS / Math.max(1, start.size()));
    List<Weights> changes = new ArrayList<>();
    for (int peer = 0; peer < Math.min(peers, most); peer++) {
      Path file = models.resolve("peer-" + peer + ".safetensors");
      if (!Files.isRegularFile(file)) {
        return Optional.empty();
      }
      Weights last = Safetensors.read(file, layout);
      changes.add(
          VectorKernels.mix(
              new Mixture(List.of(new MixturePart(last, 1), new MixturePart(start, -1)))));
    }
    return changes.size() < 2 ? Optional.empty() : Optional.of(new SimilarityMatrix(changes));
  }

  /**
   * One row per peer with its cluster: the planted cluster if there is one, else the cluster that
   * the method found, else a clustering of the cosines. The column's name says which.
   */
  String csv(PeerDatasets datasets, SortedMap<Long, Integer> found) {
    int size = changes.size();
    String kind = "alike";
    List<Integer> clusters = clusterByCosine();
    if (datasets.transformation().isPresent()) {
      kind = "planted";
      clusters = new ArrayList<>();
      for (int peer = 0; peer < size; peer++) {
        clusters.add(ClusterMetrics.trueCluster(datasets.transformation().get(), datasets, peer));
      }
    } else if (found.size() == datasets.splits().size()) {
      kind = "found";
      clusters = found.values().stream().limit(size).toList();
    }
    StringBuilder out = new StringBuilder("peer,").append(kind);
    for (int peer = 0; peer < size; peer++) {
      out.append(',').append(peer);
    }
    out.append('\n');
    for (int peer = 0; peer < size; peer++) {
      out.append(peer).append(',').append(clusters.get(peer));
      for (int other = 0; other < size; other++) {
        out.append(String.format(Locale.ROOT, ",%.4f", cosines[peer * size + other]));
      }
      out.append('\n');
    }
    return out.toString();
  }

  private List<Integer> clusterByCosine() {
    int[] labels =
        new AffinityPropagation(
                changes.size(), Floats.of(cosines), Optional.empty(), AffinityRule.DEFAULT)
            .apply()
            .labels()
            .copy();
    List<Integer> clusters = new ArrayList<>();
    for (int label : labels) {
      clusters.add(label);
    }
    return clusters;
  }
}
