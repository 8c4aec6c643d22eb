package io.kindred.node;

import io.kindred.node.state.Totals;
import io.kindred.node.transport.inbound.AbusePolicy;
import io.kindred.node.transport.relay.RelayServer;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Status of a node, as written to {@code status.json}.
 *
 * @param state running, done (all rounds are completed, and the node still serves other peers),
 *     stopped or failed
 * @param known members whose addresses the node knows
 * @param waiting events in the queue that are not stepped yet
 * @param framedBytes bytes handed to the connections in this incarnation, headers included
 * @param relayed what the node has relayed in this incarnation
 * @param refused what the node refused to other members in this incarnation, by kind
 * @param offences members that sent wrong messages in this incarnation, and how much longer they
 *     are muted
 * @param counts what the peer counted in this incarnation
 * @param heard messages by sender, in all incarnations
 * @param unwritten failed writes to the disk in this incarnation, by file
 * @param diskFails whether the last write of any file failed
 * @param certificateUntil end of the certificate's validity
 */
public record NodeStatus(
    String network,
    long peer,
    long process,
    int port,
    State state,
    int rounds,
    double secondsUp,
    boolean restored,
    int known,
    int waiting,
    Totals totals,
    long framedBytes,
    RelayServer.RelayStats relayed,
    SortedMap<String, Long> refused,
    SortedMap<Long, AbusePolicy.OffenceStats> offences,
    SortedMap<String, Long> counts,
    SortedMap<Long, PeerTraffic> heard,
    SortedMap<String, Long> unwritten,
    boolean diskFails,
    String certificateUntil) {
  /**
   * Messages received from one peer.
   *
   * @param models weight vectors in the messages
   * @param secondsAgo time since the last message, if it came in this incarnation
   */
  public record PeerTraffic(long messages, long models, @Nullable Double secondsAgo) {}

  /** Phase of a node. */
  public enum State {
    RUNNING,
    DONE,
    STOPPED,
    FAILED
  }
}
