package io.kindred.protocol.overlay;

import io.kindred.core.config.Setting;
import io.kindred.core.peer.Ticks;

/** How an overlay is kept alive (SemanticDFL, section 3.7). */
public record MaintenanceSettings(
    @Setting(
            doc =
                "seconds after which who was not heard of counts as gone; 0 means that an overlay"
                    + " stays as it was built",
            fallback = "0",
            min = 0)
        double leaseSeconds,
    @Setting(doc = "signs of life within a lease", fallback = "5", min = 2, max = 100)
        int heartbeats,
    @Setting(
            doc =
                "seconds after which other initiators are elected and all is built anew; 0 is"
                    + " never",
            fallback = "0",
            min = 0)
        double epochSeconds,
    @Setting(
            doc = "most queries that a super-peer works on at a time; more go to another one",
            fallback = "256",
            min = 1,
            max = 65536)
        int queries,
    @Setting(
            doc =
                "how far a signature may turn, as 1 - cosine, before its zone is clustered again;"
                    + " 0 means that clusters stay until the next epoch",
            fallback = "0.2",
            min = 0,
            max = 2)
        double drift) {
  /** Built once, never repaired. */
  public static final MaintenanceSettings DISABLED = new MaintenanceSettings(0, 5, 0, 256, 0.2);

  /** The same with another lease. */
  public MaintenanceSettings withLease(double lease) {
    return new MaintenanceSettings(lease, heartbeats, epochSeconds, queries, drift);
  }

  /** Whether two signatures, or prototypes, are as far apart as a zone has to know of. */
  boolean isDrift(double cosine) {
    return drift > 0 && cosine < 1 - drift;
  }

  /** Whether it is kept alive at all. */
  public boolean enabled() {
    return leaseSeconds > 0;
  }

  long leaseTicks() {
    return Math.max(heartbeats, Ticks.ofSeconds(leaseSeconds));
  }

  long heartbeatTicks() {
    return Math.max(1, leaseTicks() / heartbeats);
  }
}
