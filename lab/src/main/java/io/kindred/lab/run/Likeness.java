package io.kindred.lab.run;

import io.kindred.core.weights.Flat;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Part;
import io.kindred.core.weights.Weights;
import io.kindred.files.disk.Safetensors;
import io.kindred.learning.training.Holdings;
import io.kindred.protocol.clusters.AffinityPropagation;
import io.kindred.protocol.clusters.AffinityRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;

/**
 * How alike the peers' last models are: cosines of what they have become since the common start.
 * Whole weights would all look alike, since most of each is where everybody began.
 */
final class Likeness {
  /** More peers than this make a picture that nobody can read. */
  private static final int MOST_PEERS = 100;

  /** Numbers of all models that are compared: some 200 MB. */
  private static final long MOST_NUMBERS = 50_000_000;

  private final List<Weights> changes;
  private final float[] cosines;

  private Likeness(List<Weights> changes) {
    this.changes = changes;
    int size = changes.size();
    double[] norms =
        changes.stream().mapToDouble(change -> Math.sqrt(Flat.dot(change, change))).toArray();
    cosines = new float[size * size];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j <= i; j++) {
        double both = norms[i] * norms[j];
        double cosine = both > 0 ? Flat.dot(changes.get(i), changes.get(j)) / both : 0;
        cosines[i * size + j] = (float) Math.clamp(i == j ? 1 : cosine, -1.0, 1.0);
        cosines[j * size + i] = cosines[i * size + j];
      }
    }
  }

  /** Of the first peers' models; nothing where peers have no models of their own. */
  static Optional<Likeness> of(Path models, Layout layout, Weights start, int peers)
      throws IOException {
    long most = Math.min(MOST_PEERS, MOST_NUMBERS / Math.max(1, start.size()));
    List<Weights> changes = new ArrayList<>();
    for (int peer = 0; peer < Math.min(peers, most); peer++) {
      Path file = models.resolve("peer-" + peer + ".safetensors");
      if (!Files.isRegularFile(file)) {
        return Optional.empty();
      }
      Weights last = Safetensors.read(file, layout);
      changes.add(Flat.mix(new Mixture(List.of(new Part(last, 1), new Part(start, -1)))));
    }
    return changes.size() < 2 ? Optional.empty() : Optional.of(new Likeness(changes));
  }

  /**
   * A row a peer, with the cluster that was planted for it, else that it found, else that the
   * cosines suggest; the name of the column says which.
   */
  String csv(Holdings holdings, SortedMap<Long, Integer> found) {
    int size = changes.size();
    String kind = "alike";
    List<Integer> clusters = suggested();
    if (holdings.variation().isPresent()) {
      kind = "planted";
      clusters = new ArrayList<>();
      for (int peer = 0; peer < size; peer++) {
        clusters.add(ClusterFigures.planted(holdings.variation().get(), holdings, peer));
      }
    } else if (found.size() == holdings.peers().size()) {
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

  private List<Integer> suggested() {
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
