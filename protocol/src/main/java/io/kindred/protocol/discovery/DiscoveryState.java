package io.kindred.protocol.discovery;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import java.util.List;
import java.util.Optional;

/**
 * State of a peer that keeps a view of similar peers.
 *
 * @param round exchanges that the peer has begun; its measure of time
 * @param draws number of random streams that have been used
 * @param own the peer's own model; empty before its first training
 * @param entries the most similar models, then the reserve
 * @param pending exchanges that wait for a reply
 * @param served partners whose requests were answered in this round, which may push once
 * @param distrusted peers that do not count for a while
 */
@Buildable
public record DiscoveryState(
    int round,
    long draws,
    Optional<Descriptor> own,
    List<Contact> contacts,
    List<ViewEntry> entries,
    List<PendingExchange> pending,
    List<ServedExchange> served,
    List<Distrust> distrusted,
    List<SearchState> searches) {
  /**
   * An exchange that waits for a reply.
   *
   * @param offered contacts that were sent, which the reply may replace
   * @param retry whether this partner stands in for one that could not be reached
   */
  public record PendingExchange(long number, PeerId partner, List<PeerId> offered, boolean retry) {
    public PendingExchange {
      offered = List.copyOf(offered);
    }
  }

  /**
   * A request that was answered.
   *
   * @param round the round of this peer in which it answered
   * @param pushed whether the partner has pushed
   */
  public record ServedExchange(long number, PeerId partner, int round, boolean pushed) {
    boolean isOf(PeerId other, long wanted) {
      return number == wanted && partner.equals(other);
    }
  }

  /**
   * A search for models similar to a target.
   *
   * @param found the best models so far, the most similar to the target first
   * @param asked peers that were asked, waiting ones included
   * @param waiting peers that have not answered yet
   */
  @Buildable
  public record SearchState(
      long number,
      long startTick,
      Sketch target,
      int wanted,
      List<ViewEntry> found,
      List<PeerId> asked,
      List<PeerId> waiting) {
    public SearchState {
      found = List.copyOf(found);
      asked = List.copyOf(asked);
      waiting = List.copyOf(waiting);
    }
  }

  public DiscoveryState {
    contacts = List.copyOf(contacts);
    entries = ViewEntries.copyOf(entries);
    pending = List.copyOf(pending);
    served = List.copyOf(served);
    distrusted = List.copyOf(distrusted);
    searches = List.copyOf(searches);
  }

  /** The entries, for reading them without making a record of each. */
  EntryTable table() {
    return view().table();
  }

  /** The entries as the list that the constructor made of them. */
  ViewEntries view() {
    return (ViewEntries) entries;
  }
}
