package io.kindred.environment.link;

/**
 * The link from one participant to another at some time.
 *
 * @param latencyTicks how long a bit is under way; at least one tick, or events could cycle without
 *     time passing
 * @param bytesPerSecond bandwidth of the link itself, beside the limits of both devices; infinite
 *     where it is no limit
 * @param loss probability that a message does not arrive
 */
public record Link(long latencyTicks, double bytesPerSecond, double loss) {
  public Link {
    latencyTicks = Math.max(1, latencyTicks);
  }

  /** The link while it is down: it loses every message. */
  Link down() {
    return new Link(latencyTicks, 0, 1);
  }
}
