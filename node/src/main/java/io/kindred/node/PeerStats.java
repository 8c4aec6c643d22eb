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

/** Counts received messages by sender, in all incarnations as far as the status file has them. */
final class PeerStats {
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * Messages and the models in them; the time of the last message, if it came in this incarnation.
   */
  private record PeerCount(long messages, long models, @Nullable Long lastReceivedNanos) {}

  private final SortedMap<Long, PeerCount> peerCounts = new TreeMap<>();

  /**
   * Continues from the status file of an earlier incarnation; without one all counts start at zero.
   */
  PeerStats(Path status) {
    try {
      JsonNode peers =
          Files.exists(status) ? Json.tree(Files.readString(status)).get("heard") : null;
      if (peers != null) {
        for (Map.Entry<String, JsonNode> each : peers.properties()) {
          peerCounts.put(
              Long.valueOf(each.getKey()),
              new PeerCount(
                  each.getValue().path("messages").asLong(),
                  each.getValue().path("models").asLong(),
                  null));
        }
      }
    } catch (IOException | JacksonException | NumberFormatException unreadable) {
      // The counts are only informative, so the node starts without them.
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
    SortedMap<Long, NodeStatus.PeerTraffic> traffic = new TreeMap<>();
    peerCounts.forEach(
        (peer, peerCount) ->
            traffic.put(
                peer,
                new NodeStatus.PeerTraffic(
                    peerCount.messages(),
                    peerCount.models(),
                    peerCount.lastReceivedNanos() == null
                        ? null
                        : (now - peerCount.lastReceivedNanos()) / NANOS_PER_SECOND)));
    return traffic;
  }
}
