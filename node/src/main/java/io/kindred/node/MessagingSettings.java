package io.kindred.node;

import io.kindred.core.config.Setting;
import io.kindred.core.record.Buildable;
import io.kindred.node.transport.Limits;
import io.kindred.node.transport.Packing;
import io.kindred.node.transport.WireSettings;

/** How a node waits for its neighbours and exchanges messages with them. */
@Buildable
public record MessagingSettings(
    @Setting(
            doc = "seconds that the node waits for its neighbours before its first round",
            fallback = "60",
            min = 0,
            max = 86400)
        double gatherSeconds,
    @Setting(
            doc = "timeout in seconds after which sending a message fails",
            fallback = "20",
            above = 0,
            max = 86400)
        double sendSeconds,
    @Setting(doc = "limits on the messages of other members", fallback = "{}") Limits limits,
    @Setting(doc = "the form in which this node sends weights", fallback = "{}") Packing packing,
    @Setting(doc = "how the links to neighbours are measured", fallback = "{}") LinkSettings links,
    @Setting(doc = "versions of the transport", fallback = "{}") WireSettings wire) {
  /** Timeout of the wait for neighbours before the first round. */
  public long gatherMillis() {
    return Math.round(gatherSeconds * 1_000);
  }

  /** Timeout of a message. */
  public long sendMillis() {
    return Math.max(1, Math.round(sendSeconds * 1_000));
  }

  /** The same with limits that are no looser than those of the network's task. */
  public MessagingSettings within(double weightsRms, double messageMegabytes) {
    return MessagingSettingsBuilder.from(this)
        .limits(limits.within(weightsRms, messageMegabytes))
        .build();
  }

  /** For a method that needs measurements of the links. */
  MessagingSettings withDefaultProbes() {
    return MessagingSettingsBuilder.from(this).links(links.withDefaultProbes()).build();
  }
}
