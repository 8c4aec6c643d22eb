package io.kindred.methods.hfl.formation;

import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.record.Buildable;

/** How clusters are formed. */
@Buildable
public record FormationSettings(
    @Setting(doc = "number of clusters", fallback = "4", min = 1) int count,
    @Setting(doc = "smallest number of clients of a cluster", fallback = "3", min = 1) int least,
    @Setting(
            doc = "largest number of clients of a cluster; 0 takes half of all clients",
            fallback = "0",
            min = 0)
        int most,
    @Setting(
            doc =
                "algorithm that forms clusters: `swap` search; the benchmarks `spectral` (A),"
                    + " `adapted-spectral` (A+) and `label-skew` (B); or `random`",
            fallback = "swap")
        Algorithm way,
    @Setting(doc = "settings of the swap search", fallback = "{}") SwapSettings swap,
    @Setting(doc = "settings of spectral clustering", fallback = "{}") SpectralSettings spectral,
    @Setting(doc = "which clients are heads", fallback = "{}") HeadSettings heads,
    @Setting(doc = "regions of clusters", fallback = "{}") RegionSettings regions) {
  /** Clusters whose heads are chosen by time. */
  public FormationSettings(
      int count, int least, int most, Algorithm way, SwapSettings swap, SpectralSettings spectral) {
    this(count, least, most, way, swap, spectral, HeadSettings.BY_TIME, RegionSettings.NONE);
  }

  /** The algorithm that forms clusters. */
  public enum Algorithm {
    SWAP,
    SPECTRAL,
    ADAPTED_SPECTRAL,
    LABEL_SKEW,
    RANDOM;

    /** Whether the algorithm keeps to least and most; spectral clusters can have any size. */
    boolean hasSizeBounds() {
      return this != SPECTRAL && this != ADAPTED_SPECTRAL;
    }
  }

  /** The most clients of a cluster, given the number of all clients. */
  public int most(int clients) {
    return most == 0 ? Math.max(least, (clients + 1) / 2) : most;
  }

  /** These settings with as many clusters, as large ones, as so few clients allow. */
  FormationSettings fitting(int clients) {
    int fewest = Math.min(least, clients);
    int fitting = way.hasSizeBounds() ? clients / fewest : clients;
    return FormationSettingsBuilder.from(this)
        .least(fewest)
        .build()
        .withCount(Math.min(count, fitting), clients);
  }

  /** These settings with fewer clusters, which are larger if necessary. */
  FormationSettings withCount(int fewer, int clients) {
    int needed = (clients + fewer - 1) / fewer;
    return FormationSettingsBuilder.from(this)
        .count(fewer)
        .most(Math.max(most(clients), needed))
        .build();
  }

  /** Refuses settings that no run with so many peers can have. */
  public void checkAll(int peers) {
    check(peers);
    heads.check(this, peers);
    if (regions.count() >= count && regions.count() > 0) {
      throw new SettingException(
          "clusters.regions.count",
          regions.count() + " regions of " + count + " clusters would have one cluster each",
          "choose fewer regions than clusters, or 0 for none");
    }
  }

  /** Refuses numbers that no clustering of so many clients can have. */
  public void check(int clients) {
    if (count > clients) {
      throw new SettingException(
          "clusters.count",
          count
              + " clusters need at least one client each, but there are only "
              + clients
              + " clients",
          "choose at most " + clients);
    }
    if (way.hasSizeBounds() && (long) count * least > clients) {
      throw new SettingException(
          "clusters.least",
          (count + " clusters of at least " + least + " need " + (long) count * least)
              + (" clients, but there are " + clients),
          "choose fewer clusters or at most " + clients / count + " clients each");
    }
    if (way.hasSizeBounds() && (long) count * most(clients) < clients) {
      throw new SettingException(
          "clusters.most",
          (count + " clusters of at most " + most(clients) + " hold only ")
              + ((long) count * most(clients) + " of " + clients + " clients"),
          "choose more clusters or at least " + (clients + count - 1) / count + " clients each");
    }
  }
}
