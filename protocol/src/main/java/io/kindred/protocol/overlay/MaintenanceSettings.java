package io.kindred.protocol.overlay;

import io.kindred.core.config.Setting;
import io.kindred.core.peer.Ticks;
import io.kindred.core.record.Buildable;

/** How peers maintain a built overlay: leases, heartbeats and epochs (SemanticDFL, section 3.7). */
@Buildable
public record MaintenanceSettings(
    @Setting(
            doc =
                "seconds without a heartbeat after which a peer counts as failed; 0 disables"
                    + " maintenance, and the overlay stays as it was built",
            fallback = "2",
            min = 0)
        double leaseSeconds,
    @Setting(doc = "heartbeats within a lease", fallback = "5", min = 2, max = 100) int heartbeats,
    @Setting(
            doc =
                "seconds after which new initiators are elected and the overlay is built again;"
                    + " 0 means never",
            fallback = "0",
            min = 0)
        double epochSeconds,
    @Setting(
            doc =
                "largest number of queries that a super-peer processes at a time; further"
                    + " queries go to another one",
            fallback = "256",
            min = 1,
            max = 65536)
        int queries,
    @Setting(
            doc =
                "drift of a signature, as 1 - cosine, above which its zone is clustered again; 0"
                    + " keeps clusters until the next epoch",
            fallback = "0.2",
            min = 0,
            max = 2)
        double drift) {
  /** The overlay is built once and never repaired. */
  public static final MaintenanceSettings DISABLED = new MaintenanceSettings(0, 5, 0, 256, 0.2);

  /** These settings with another lease. */
  public MaintenanceSettings withLease(double lease) {
    return MaintenanceSettingsBuilder.from(this).leaseSeconds(lease).build();
  }

  /**
   * Whether this cosine between an earlier and a present signature, or prototype, counts as drift.
   */
  public boolean isDrift(double cosine) {
    return drift > 0 && cosine < 1 - drift;
  }

  /** Whether the overlay is maintained at all. */
  public boolean enabled() {
    return leaseSeconds > 0;
  }

  public long leaseTicks() {
    return Math.max(heartbeats, Ticks.ofSeconds(leaseSeconds));
  }

  public long heartbeatTicks() {
    return Math.max(1, leaseTicks() / heartbeats);
  }
}
