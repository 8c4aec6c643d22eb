package io.kindred.node.transport;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/**
 * What a node says about its task in each call, besides the fingerprint.
 *
 * @param untilMillis until when nodes of the version before are served, in milliseconds since 1970;
 *     0 if no such time is stated
 */
record TaskClaim(String name, int version, long untilMillis) {
  private static final int MOST_LENGTH = 512;

  static TaskClaim of(TaskValues task) {
    return new TaskClaim(
        task.name(), task.version(), task.replacedUntil().map(Instant::toEpochMilli).orElse(0L));
  }

  String text() {
    return URLEncoder.encode(name, StandardCharsets.UTF_8) + " " + version + " " + untilMillis;
  }

  static Optional<TaskClaim> parse(String text) {
    String[] parts = text.split(" ", -1);
    if (text.length() > MOST_LENGTH
        || parts.length != 3
        || !parts[1].matches("\\d{1,9}")
        || !parts[2].matches("\\d{1,15}")) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new TaskClaim(
              URLDecoder.decode(parts[0], StandardCharsets.UTF_8),
              Integer.parseInt(parts[1]),
              Long.parseLong(parts[2])));
    } catch (IllegalArgumentException notEncoded) {
      return Optional.empty();
    }
  }

  /** Whether another version of the same task may run besides this one at a time. */
  boolean runsBeside(TaskClaim other, long millis) {
    if (!name.equals(other.name) || version == other.version) {
      return false;
    }
    // Only the newer version says until when; a node of the older one has not read its file.
    return version < other.version || millis < untilMillis;
  }

  /** Until when both versions run, in words. */
  String until() {
    return untilMillis == 0 ? "without a stated end" : "until " + Instant.ofEpochMilli(untilMillis);
  }
}
