package io.kindred.studies.discovery;

import io.kindred.protocol.discovery.Sketch;
import io.kindred.protocol.discovery.SketchRule;
import io.kindred.studies.overlay.OverlayStudy.SyntheticSignatureSettings;
import io.kindred.studies.overlay.SyntheticVectors;
import java.util.stream.IntStream;

/** Vectors in planted clusters, drawn when they are asked for. */
public final class PlantedVectors implements PeerVectors {
  /** Cosines of random vectors deviate by about one over the root of the dimension. */
  private static final double DEVIATIONS = 6;

  private final int peers;
  private final SyntheticVectors vectors;
  private final int[] clusters;
  private final float[] origin;
  private final int levels;

  public PlantedVectors(SyntheticSignatureSettings settings, int peers, long seed) {
    this.peers = peers;
    vectors = settings.vectors(peers, seed);
    clusters = IntStream.range(0, peers).parallel().map(i -> vectors.cluster(i, 0)).toArray();
    origin = new float[settings.dimension()];
    double group = settings.group() * settings.group();
    double cluster = settings.cluster() * settings.cluster();
    double all = group + cluster + settings.own() * settings.own();
    double least = DEVIATIONS / Math.sqrt(settings.dimension());
    levels = cluster / all < least ? 1 : group / all < least ? 2 : 3;
  }

  @Override
  public int size() {
    return peers;
  }

  @Override
  public float[] vector(int peer, int version) {
    return vectors.vector(peer, version);
  }

  @Override
  public Sketch sketch(int peer, int version, SketchRule rule) {
    return rule.sketch(vector(peer, version), origin, 0, origin.length);
  }

  /** Clusters, groups of clusters, and all; those that are hardly apart are left out. */
  @Override
  public int levels() {
    return levels;
  }

  @Override
  public int part(int peer, int version, int level) {
    if (level == levels - 1) {
      return 0;
    }
    int cluster = version == 0 && peer < peers ? clusters[peer] : vectors.cluster(peer, version);
    return level == 0 ? cluster : vectors.group(cluster);
  }

  @Override
  public boolean canDrift() {
    return true;
  }
}
