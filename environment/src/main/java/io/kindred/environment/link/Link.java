package io.kindred.environment.link;

/**
 * The way from one participant to another at some time.
 *
 * @param latencyTicks how long a bit is under way; at least one, or events could go round in no
 *     time
 * @param bytesPerSecond what the way itself lets through, beside what both devices can; infinite
 *     where it is no limit
 * @param loss probability that a message does not arrive
 */
public record Link(long latencyTicks, double bytesPerSecond, double loss) {
  public Link {
    latencyTicks = Math.max(1, latencyTicks);
  }

  /** A way that lets nothing through: whatever takes it is lost. */
  Link down() {
    return new Link(latencyTicks, 0, 1);
  }
}
