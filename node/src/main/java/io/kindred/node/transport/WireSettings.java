package io.kindred.node.transport;

import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** Until when a node speaks an earlier version of the transport besides the newest one. */
public record WireSettings(
    @Setting(
            doc =
                "time until which this node also accepts version 2 of the transport, as in"
                    + " 2027-01-31T00:00:00Z; left out, as long as the release supports it")
        Optional<String> oldUntil) {
  /** No end is stated. */
  public static final WireSettings DEFAULTS = new WireSettings(Optional.empty());

  public WireSettings {
    oldUntil.ifPresent(text -> parsed("oldUntil", text));
  }

  private static Instant parsed(String key, String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException notATime) {
      throw new SettingException(
          key, "'" + text + "' is not a time", "write it as in 2027-01-31T00:00:00Z");
    }
  }

  /** The versions that this node speaks at a time. */
  WireVersions at(long millis) {
    WireVersions all = WireVersions.SUPPORTED;
    boolean ended =
        oldUntil.filter(text -> parsed("oldUntil", text).toEpochMilli() <= millis).isPresent();
    return ended ? new WireVersions(all.newest(), all.newest()) : all;
  }
}
