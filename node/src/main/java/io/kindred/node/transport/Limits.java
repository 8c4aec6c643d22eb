package io.kindred.node.transport;

import io.kindred.core.config.Setting;

/**
 * Limits of what a member may send. Messages beyond them are refused, and repeated offences mute
 * the member.
 */
public record Limits(
    @Setting(
            doc = "most megabytes of weights in one message",
            fallback = "512",
            above = 0,
            max = 2047)
        double messageMegabytes,
    @Setting(
            doc = "seconds within which a message that began to come must be complete",
            fallback = "120",
            above = 0,
            max = 86400)
        double messageSeconds,
    @Setting(
            doc = "messages a second that one member may send; it may be ahead by two seconds",
            fallback = "500",
            above = 0,
            max = 1e6)
        double messagesPerSecond,
    @Setting(
            doc = "largest root mean square of the weights in a message",
            fallback = "10",
            above = 0)
        double weightsRms,
    @Setting(
            doc =
                "seconds for which a member is not heard that sent three wrong messages within a"
                    + " minute; twice as long every time",
            fallback = "60",
            min = 0,
            max = 86400)
        double muteSeconds) {
  /** Limits of a configuration that sets none. */
  public static final Limits DEFAULTS = new Limits(512, 120, 500, 10, 60);

  public long messageBytes() {
    return (long) (messageMegabytes * (1 << 20));
  }

  public long messageMillis() {
    return Math.max(1, Math.round(messageSeconds * 1_000));
  }
}
