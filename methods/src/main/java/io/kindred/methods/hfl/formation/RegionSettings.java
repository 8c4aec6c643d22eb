package io.kindred.methods.hfl.formation;

import io.kindred.core.config.Setting;

/** A third level: clusters of a region average their models before the coordinator does. */
public record RegionSettings(
    @Setting(
            doc =
                "regions of clusters; the leader of a region, one of its heads, averages the models"
                    + " of its clusters, and only leaders send models to the coordinator; 0 for"
                    + " clusters without regions",
            fallback = "0",
            min = 0)
        int count,
    @Setting(
            doc = "how often in a global round the clusters of a region are averaged",
            fallback = "2",
            min = 1,
            max = 9)
        int cycles) {
  /** Clusters without regions. */
  public static final RegionSettings NONE = new RegionSettings(0, 2);
}
