package io.kindred.protocol.overlay;

import io.kindred.core.config.Setting;
import io.kindred.core.peer.Ticks;
import io.kindred.core.record.Buildable;
import io.kindred.protocol.clustering.AffinityRule;
import io.kindred.protocol.signature.SignatureRule;

/** Settings of the overlay, which all peers of a network share. */
@Buildable
public record OverlaySettings(
    @Setting(doc = "hops that an election and a probe reach, R", fallback = "2", min = 1, max = 16)
        int radius,
    @Setting(doc = "most peers of a zone, S_Z", fallback = "20", min = 2, max = 4096) int zoneSize,
    @Setting(
            doc = "most child clusters of a super-peer, F; more are split",
            fallback = "8",
            min = 2,
            max = 4096)
        int fanOut,
    @Setting(doc = "super-peers that hold a cluster, r", fallback = "3", min = 1, max = 64)
        int replicas,
    @Setting(
            doc = "neighbours that a peer speaks to while zones form, d_max",
            fallback = "8",
            min = 2,
            max = 4096)
        int links,
    @Setting(doc = "seconds that a hop takes at most, t_a", fallback = "0.1", above = 0)
        double hopSeconds,
    @Setting(doc = "how the top super-peers tell each other of their clusters", fallback = "tree")
        RootDissemination roots,
    @Setting(doc = "how the threshold of a search follows what passes", fallback = "{}")
        ThresholdRule threshold,
    @Setting(doc = "how the peers of a zone are clustered", fallback = "{}") AffinityRule clusters,
    @Setting(doc = "how a peer makes its signature", fallback = "{}") SignatureRule signatures,
    @Setting(doc = "how it is kept alive", fallback = "{}") MaintenanceSettings maintenance) {
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

  long hopTicks() {
    return Math.max(1, Ticks.ofSeconds(hopSeconds));
  }

  /** How long a wave of R hops may take. */
  long waveTicks() {
    return radius * hopTicks();
  }
}
