package io.kindred.methods.hfl;

import io.kindred.core.config.Setting;
import io.kindred.core.peer.Ticks;

/**
 * How a client replaces a coordinator that has crashed.
 *
 * @param leaseSeconds the coordinator renews its lease three times as often
 */
public record StandbySettings(
    @Setting(
            doc =
                "seconds without a message of the coordinator after which a client reports that it"
                    + " is silent; then the next client in order replaces it with the votes of more"
                    + " than half of the clients; 0 never replaces the server",
            fallback = "120",
            min = 0)
        double leaseSeconds) {
  /** Renewals in a lease, so that one lost message does not end it. */
  private static final int RENEWALS = 3;

  /** Parts of a lease after its end, one for each client in the order of succession. */
  private static final int SLOTS = 4;

  /** The server is never replaced. */
  public static final StandbySettings NONE = new StandbySettings(0);

  boolean isOn() {
    return leaseSeconds > 0;
  }

  long leaseTicks() {
    return Math.max(SLOTS, Ticks.ofSeconds(leaseSeconds));
  }

  long renewalTicks() {
    return leaseTicks() / RENEWALS;
  }

  /** How long a candidate waits for votes. */
  long slotTicks() {
    return leaseTicks() / SLOTS;
  }

  /** How long after the end of a lease the client with this rank stands. */
  long delayTicks(long rank) {
    return rank * slotTicks() + slotTicks() / 2;
  }
}
