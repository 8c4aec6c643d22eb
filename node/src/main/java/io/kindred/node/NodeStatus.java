package io.kindred.node;

import io.kindred.node.state.Totals;
import io.kindred.node.transport.inbound.AbusePolicy;
import io.kindred.node.transport.relay.RelayServer;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What a node says of itself, in {@code status.json}.
 *
 * @param state running, done (it has gone all rounds and serves those who have not), stopped or
 *     failed
 * @param known members whose addresses it knows
 * @param waiting events that are there and not yet stepped
 * @param framedBytes bytes handed to the connections in this life, headers included
 * @param relayed what it handed on in this life to members that others cannot reach
 * @param refused what others tried in vain in this life, by kind
 * @param offences which members sent wrong messages in this life, and how much longer they are not
 *     heard
 * @param counts what the peer counted in this life
 * @param heard from whom messages came, in all lives
 * @param unwritten how often what could not be written to the disk in this life
 * @param diskFails whether the last try to write something failed
 * @param certificateUntil when its certificate ends
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
   * What came from one peer.
   *
   * @param models weight vectors in the messages
   * @param secondsAgo when the last one came, if that was in this life
   */
  public record PeerTraffic(long messages, long models, @Nullable Double secondsAgo) {}

  /** Where a node is in its life. */
  public enum State {
    RUNNING,
    DONE,
    STOPPED,
    FAILED
  }
}
