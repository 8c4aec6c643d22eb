package io.kindred.node.transport;

import io.kindred.core.weights.Digest;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the nodes of a network have to agree on, as values by dotted key. Two nodes compare the
 * fingerprint first, and the values only if the fingerprints differ.
 */
public record TaskValues(SortedMap<String, String> values) {
  private static final String SEPARATOR = ": ";

  public TaskValues {
    values = new TreeMap<>(values);
  }

  /** The name of the task; an experiment has none. */
  public String name() {
    return values.getOrDefault("name", "of an experiment");
  }

  /** The version of the task; an experiment has none, which counts as 0. */
  public int version() {
    String version = values.getOrDefault("version", "0");
    return version.matches("\\d{1,9}") ? Integer.parseInt(version) : 0;
  }

  /** Until when nodes of the version before are served, if that time is stated. */
  public Optional<Instant> replacedUntil() {
    try {
      return Optional.ofNullable(values.get("replaces.until")).map(Instant::parse);
    } catch (DateTimeParseException notATime) {
      return Optional.empty();
    }
  }

  /** SHA-256 of all keys and values, in hexadecimal digits. */
  public String fingerprint() {
    return Digest.of(bytes()).hex();
  }

  /** One line for each value. */
  public byte[] bytes() {
    StringBuilder text = new StringBuilder();
    values.forEach(
        (key, value) ->
            text.append(key).append(SEPARATOR).append(value.replace('\n', ' ')).append('\n'));
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Reads what another node sent; lines without a key are left out. */
  public static TaskValues parse(byte[] bytes) {
    SortedMap<String, String> values = new TreeMap<>();
    for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n", -1)) {
      int end = line.indexOf(SEPARATOR);
      if (end > 0) {
        values.put(line.substring(0, end), line.substring(end + SEPARATOR.length()));
      }
    }
    return new TaskValues(values);
  }

  /** Names the first key, in alphabetical order, whose value differs, and counts the others. */
  public String firstDifference(TaskValues other) {
    SortedSet<String> keys = new TreeSet<>(values.keySet());
    keys.addAll(other.values.keySet());
    List<String> different = new ArrayList<>();
    for (String key : keys) {
      if (!shown(this, key).equals(shown(other, key))) {
        different.add(key);
      }
    }
    if (different.isEmpty()) {
      return "the tasks are equal";
    }
    String first = different.getFirst();
    return "'%s' is %s here and %s there%s"
        .formatted(
            first,
            shown(this, first),
            shown(other, first),
            different.size() == 1 ? "" : ", and %d more differ".formatted(different.size() - 1));
  }

  private static String shown(TaskValues task, String key) {
    Map<String, String> values = task.values;
    return values.getOrDefault(key, "not set");
  }
}
