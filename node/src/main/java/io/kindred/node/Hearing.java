package io.kindred.node;

import io.kindred.core.PeerId;
import io.kindred.files.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** From whom a node has heard, in all its lives as far as its status told. */
final class Hearing {
  private static final double NANOS_PER_SECOND = 1e9;

  /** Messages and the models in them, and when the last came in this life. */
  private record Count(long messages, long models, @Nullable Long nanos) {}

  private final SortedMap<Long, Count> counts = new TreeMap<>();

  /** Goes on from the status that an earlier life left; without one it begins anew. */
  Hearing(Path status) {
    try {
      JsonNode heard =
          Files.exists(status) ? Json.tree(Files.readString(status)).get("heard") : null;
      if (heard != null) {
        for (Map.Entry<String, JsonNode> each : heard.properties()) {
          counts.put(
              Long.valueOf(each.getKey()),
              new Count(
                  each.getValue().path("messages").asLong(),
                  each.getValue().path("models").asLong(),
                  null));
        }
      }
    } catch (IOException | JacksonException | NumberFormatException unreadable) {
      // It only counts, and what it counted is no loss.
      counts.clear();
    }
  }

  synchronized void add(PeerId from, int models) {
    Count before = counts.getOrDefault(from.number(), new Count(0, 0, null));
    counts.put(
        from.number(),
        new Count(before.messages() + 1, before.models() + models, System.nanoTime()));
  }

  synchronized SortedMap<Long, NodeStatus.Heard> told() {
    long now = System.nanoTime();
    SortedMap<Long, NodeStatus.Heard> told = new TreeMap<>();
    counts.forEach(
        (peer, count) ->
            told.put(
                peer,
                new NodeStatus.Heard(
                    count.messages(),
                    count.models(),
                    count.nanos() == null ? null : (now - count.nanos()) / NANOS_PER_SECOND)));
    return told;
  }
}
