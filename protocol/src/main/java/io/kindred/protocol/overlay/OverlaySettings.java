package io.kindred.protocol.overlay;

import io.kindred.core.config.Setting;
import io.kindred.core.peer.Ticks;
import io.kindred.protocol.clustering.AffinityRule;
import io.kindred.protocol.signature.SignatureRule;

/** What all peers of a network agree on about their overlay. */
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
  /** How the top super-peers are kept in step. */
  public enum RootDissemination {
    /** Every cluster's first super-peer tells those of all others: many short messages. */
    MESH,
    /** Whoever gathered them tells them all: one long message each. */
    TREE
  }

  /** With other zones. */
  public OverlaySettings withZoneSize(int size) {
    return with(size, roots, maintenance);
  }

  /** With the top super-peers kept in step in another way. */
  public OverlaySettings with(RootDissemination other) {
    return with(zoneSize, other, maintenance);
  }

  /** The same, kept alive in another way. */
  public OverlaySettings with(MaintenanceSettings other) {
    return with(zoneSize, roots, other);
  }

  private OverlaySettings with(int zones, RootDissemination top, MaintenanceSettings living) {
    return new OverlaySettings(
        radius,
        zones,
        fanOut,
        replicas,
        links,
        hopSeconds,
        top,
        threshold,
        clusters,
        signatures,
        living);
  }

  long hopTicks() {
    return Math.max(1, Ticks.ofSeconds(hopSeconds));
  }

  /** How long a wave of R hops may take. */
  long waveTicks() {
    return radius * hopTicks();
  }
}
