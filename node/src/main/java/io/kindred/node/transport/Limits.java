package io.kindred.node.transport;

import io.kindred.core.config.Setting;

/**
 * Limits of what a member may send. Messages beyond them are refused, and repeated offences mute
 * the member.
 */
public record Limits(
    @Setting(
            doc = "largest size of the weights in one message, in megabytes",
            fallback = "512",
            above = 0,
            max = 2047)
        double messageMegabytes,
    @Setting(
            doc = "seconds from its start within which a message must be complete",
            fallback = "120",
            above = 0,
            max = 86400)
        double messageSeconds,
    @Setting(
            doc =
                "messages a second that one member may send, with bursts of up to two seconds'"
                    + " worth",
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
                "seconds for which a member is muted after three invalid messages within a"
                    + " minute; doubles each time",
            fallback = "60",
            min = 0,
            max = 86400)
        double muteSeconds,
    @Setting(
            doc =
                "members that this node relays messages to, because they accept no connections; 0"
                    + " relays to none",
            fallback = "16",
            min = 0,
            max = 10_000)
        int relayedMembers) {
  private static final int DEFAULT_RELAYED_MEMBERS = 16;

  /** Limits with the default number of members to relay to. */
  public Limits(
      double messageMegabytes,
      double messageSeconds,
      double messagesPerSecond,
      double weightsRms,
      double muteSeconds) {
    this(
        messageMegabytes,
        messageSeconds,
        messagesPerSecond,
        weightsRms,
        muteSeconds,
        DEFAULT_RELAYED_MEMBERS);
  }

  /** Limits of a configuration that sets none. */
  public static final Limits DEFAULTS = new Limits(512, 120, 500, 10, 60);

  /** The same, with these two limits no looser than given. */
  public Limits within(double mostWeightsRms, double mostMegabytes) {
    return new Limits(
        Math.min(messageMegabytes, mostMegabytes),
        messageSeconds,
        messagesPerSecond,
        Math.min(weightsRms, mostWeightsRms),
        muteSeconds,
        relayedMembers);
  }

  public long messageBytes() {
    return (long) (messageMegabytes * (1 << 20));
  }

  public long messageMillis() {
    return Math.max(1, Math.round(messageSeconds * 1_000));
  }
}
