package io.kindred.node;

import io.kindred.core.config.Setting;
import io.kindred.core.record.Buildable;
import io.kindred.node.transport.Limits;
import io.kindred.node.transport.Packing;

/** How a node waits for its neighbours and exchanges messages with them. */
@Buildable
public record MessagingSettings(
    @Setting(
            doc = "seconds that it waits for its neighbours before its first round",
            fallback = "60",
            min = 0,
            max = 86400)
        double gatherSeconds,
    @Setting(
            doc = "seconds after which a message that has not arrived is given up",
            fallback = "20",
            above = 0,
            max = 86400)
        double sendSeconds,
    @Setting(doc = "what others may send", fallback = "{}") Limits limits,
    @Setting(doc = "the form in which this node sends weights", fallback = "{}") Packing packing,
    @Setting(doc = "how the ways to neighbours are measured", fallback = "{}") LinkSettings links) {
  /** Timeout of the wait for neighbours before the first round. */
  public long gatherMillis() {
    return Math.round(gatherSeconds * 1_000);
  }

  /** Timeout of a message. */
  public long sendMillis() {
    return Math.max(1, Math.round(sendSeconds * 1_000));
  }

  /** For a method that needs measurements of the links. */
  MessagingSettings withDefaultProbes() {
    return MessagingSettingsBuilder.from(this).links(links.withDefaultProbes()).build();
  }
}
