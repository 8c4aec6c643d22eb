package io.kindred.protocol.overlay;

import io.kindred.core.config.Setting;
import io.kindred.core.peer.Ticks;
import io.kindred.core.record.Buildable;
import io.kindred.protocol.clustering.AffinityRule;
import io.kindred.protocol.signature.SignatureRule;

/** Settings of the overlay, which all peers of a network share. */
@Buildable
public record OverlaySettings(
    @Setting(doc = "hops R that an election and a probe reach", fallback = "2", min = 1, max = 16)
        int radius,
    @Setting(doc = "largest number of peers in a zone, S_Z", fallback = "20", min = 2, max = 4096)
        int zoneSize,
    @Setting(
            doc = "largest number of child clusters of a super-peer, F; larger sets are split",
            fallback = "8",
            min = 2,
            max = 4096)
        int fanOut,
    @Setting(
            doc = "replicas of a cluster, r: super-peers that hold it",
            fallback = "3",
            min = 1,
            max = 64)
        int replicas,
    @Setting(
            doc = "neighbours that a peer exchanges messages with while zones form, d_max",
            fallback = "8",
            min = 2,
            max = 4096)
        int links,
    @Setting(doc = "longest time of a hop in seconds, t_a", fallback = "0.1", above = 0)
        double hopSeconds,
    @Setting(
            doc =
                "how root super-peers learn each other's clusters: `mesh` sends many short"
                    + " messages, `tree` one long message to each",
            fallback = "tree")
        RootDissemination roots,
    @Setting(
            doc = "how the threshold of a search adapts to the share of comparisons that pass",
            fallback = "{}")
        ThresholdRule threshold,
    @Setting(doc = "how the peers of a zone are clustered", fallback = "{}") AffinityRule clusters,
    @Setting(doc = "how a peer computes its signature", fallback = "{}") SignatureRule signatures,
    @Setting(doc = "how the overlay is maintained: leases, heartbeats and epochs", fallback = "{}")
        MaintenanceSettings maintenance) {
  /** How root super-peers learn about each other's clusters. */
  public enum RootDissemination {
    /**
     * The first super-peer of each root cluster sends its descriptor to all others: many short
     * messages.
     */
    MESH,
    /**
     * The leader of the root zone sends all descriptors to every root super-peer: one long message
     * each.
     */
    TREE
  }

  /** These settings with another zone size. */
  public OverlaySettings withZoneSize(int size) {
    return OverlaySettingsBuilder.from(this).zoneSize(size).build();
  }

  /** These settings with another root dissemination. */
  public OverlaySettings with(RootDissemination other) {
    return OverlaySettingsBuilder.from(this).roots(other).build();
  }

  /** These settings with other maintenance. */
  public OverlaySettings with(MaintenanceSettings other) {
    return OverlaySettingsBuilder.from(this).maintenance(other).build();
  }

  public long hopTicks() {
    return Math.max(1, Ticks.ofSeconds(hopSeconds));
  }

  /** How long a wave of R hops may take. */
  public long waveTicks() {
    return radius * hopTicks();
  }
}
