package io.kindred.node;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.kindred.node.audit.AuditTrail;
import io.kindred.node.state.Totals;
import io.kindred.node.transport.VersionReport;
import io.kindred.node.transport.inbound.AbusePolicy;
import io.kindred.node.transport.relay.RelayServer;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Status of a node, as written to {@code status.json}. The file is flat: the keys of the groups
 * stand at its top level.
 *
 * @param counts what the peer counted in this incarnation
 * @param heard messages by sender, in all incarnations
 * @param certificateUntil end of the certificate's validity
 * @param versions the versions that this node and the members have
 * @param audit the end of the audit log, which a later log must still have
 */
public record NodeStatus(
    @JsonUnwrapped Instance instance,
    @JsonUnwrapped Progress progress,
    @JsonUnwrapped Exchange exchange,
    @JsonUnwrapped Misconduct misconduct,
    SortedMap<String, Long> counts,
    SortedMap<Long, PeerTraffic> heard,
    @JsonUnwrapped Disk disk,
    String certificateUntil,
    AuditTrail.Head audit,
    VersionReport versions) {
  /** Which node this is, and where it runs. */
  public record Instance(String network, long peer, long process, int port) {}

  /**
   * How far the node is.
   *
   * @param state running, done (all rounds are completed, and the node still serves other peers),
   *     stopped or failed
   * @param restored whether the node continues from the state of an earlier incarnation
   */
  public record Progress(State state, int rounds, double secondsUp, boolean restored) {}

  /**
   * What the node exchanges with other members.
   *
   * @param known members whose addresses the node knows
   * @param waiting events in the queue that are not stepped yet
   * @param framedBytes bytes handed to the connections in this incarnation, headers included
   * @param relayed what the node has relayed in this incarnation
   */
  public record Exchange(
      int known, int waiting, Totals totals, long framedBytes, RelayServer.RelayStats relayed) {}

  /**
   * What other members did wrong in this incarnation.
   *
   * @param refused what the node refused to other members, by the label of its kind
   * @param offences members that sent wrong messages, and how much longer they are muted
   */
  public record Misconduct(
      SortedMap<String, Long> refused, SortedMap<Long, AbusePolicy.OffenceStats> offences) {}

  /**
   * How the node's disk is.
   *
   * @param unwritten failed writes to the disk in this incarnation, by file
   * @param diskFails whether the last write of any file failed
   */
  public record Disk(SortedMap<String, Long> unwritten, boolean diskFails) {}

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
