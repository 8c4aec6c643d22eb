package io.kindred.simulator.state;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Ticks;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What peers, servers aside, spent virtual time on until their last round was over. Whatever is
 * neither training, other computing nor search was spent waiting for messages.
 */
public final class TimeBreakdown {
  /** All of it, for a checkpoint. */
  public record Snapshot(
      long training,
      long computing,
      double searchSeconds,
      SortedMap<Integer, Long> finished,
      List<Integer> completedPeers) {
    public static final Snapshot NONE = new Snapshot(0, 0, 0, new TreeMap<>(), List.of());
  }

  private final SortedMap<Integer, Long> finished;
  // Those whose last round is over: a personal phase, or whatever else they do, is not of a round.
  private final SortedSet<Integer> completedPeers;
  private long training;
  private long computing;
  private double searchSeconds;

  public TimeBreakdown(Snapshot snapshot) {
    training = snapshot.training();
    computing = snapshot.computing();
    searchSeconds = snapshot.searchSeconds();
    finished = new TreeMap<>(snapshot.finished());
    completedPeers = new TreeSet<>(snapshot.completedPeers());
  }

  public Snapshot snapshot() {
    return new Snapshot(
        training, computing, searchSeconds, new TreeMap<>(finished), List.copyOf(completedPeers));
  }

  public void computed(int peer, Ticket ticket, long ticks) {
    if (completedPeers.contains(peer)) {
      return;
    }
    if (ticket instanceof Ticket.Train) {
      training += ticks;
    } else {
      computing += ticks;
    }
  }

  public void measured(Observation.Measured measured) {
    if (measured.name().equals(Observation.Measured.SEARCH_SECONDS)) {
      searchSeconds += measured.value();
    }
  }

  public void finished(int peer, long tick, boolean last) {
    if (completedPeers.contains(peer)) {
      return;
    }
    finished.put(peer, tick);
    if (last) {
      completedPeers.add(peer);
    }
  }

  /** Seconds until the last round of each peer was over, of all peers together. */
  public double seconds() {
    return Ticks.toSeconds(finished.values().stream().mapToLong(Long::longValue).sum());
  }

  /** Seconds of all peers together. */
  public double trainingSeconds() {
    return Ticks.toSeconds(training);
  }

  /** Seconds that all peers together computed other than training. */
  public double computingSeconds() {
    return Ticks.toSeconds(computing);
  }

  /** Seconds that all peers together waited for answers of a search. */
  public double searchSeconds() {
    return searchSeconds;
  }
}
