package io.kindred.node;

import io.kindred.core.peer.PeerId;
import io.kindred.storage.json.Json;
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
final class PeerStats {
  private static final double NANOS_PER_SECOND = 1e9;

  /** Messages and the models in them, and when the last came in this life. */
  private record PeerCount(long messages, long models, @Nullable Long lastReceivedNanos) {}

  private final SortedMap<Long, PeerCount> peerCounts = new TreeMap<>();

  /** Goes on from the status that an earlier life left; without one it begins anew. */
  PeerStats(Path status) {
    try {
      JsonNode heard =
          Files.exists(status) ? Json.tree(Files.readString(status)).get("heard") : null;
      if (heard != null) {
        for (Map.Entry<String, JsonNode> each : heard.properties()) {
          peerCounts.put(
              Long.valueOf(each.getKey()),
              new PeerCount(
                  each.getValue().path("messages").asLong(),
                  each.getValue().path("models").asLong(),
                  null));
        }
      }
    } catch (IOException | JacksonException | NumberFormatException unreadable) {
      // It only counts, and what it counted is no loss.
      peerCounts.clear();
    }
  }

  synchronized void addMessage(PeerId from, int models) {
    PeerCount before = peerCounts.getOrDefault(from.number(), new PeerCount(0, 0, null));
    peerCounts.put(
        from.number(),
        new PeerCount(before.messages() + 1, before.models() + models, System.nanoTime()));
  }

  synchronized SortedMap<Long, NodeStatus.PeerTraffic> snapshot() {
    long now = System.nanoTime();
    SortedMap<Long, NodeStatus.PeerTraffic> told = new TreeMap<>();
    peerCounts.forEach(
        (peer, peerCount) ->
            told.put(
                peer,
                new NodeStatus.PeerTraffic(
                    peerCount.messages(),
                    peerCount.models(),
                    peerCount.lastReceivedNanos() == null
                        ? null
                        : (now - peerCount.lastReceivedNanos()) / NANOS_PER_SECOND)));
    return told;
  }
}
