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
 * The virtual time that peers, not servers, spent on each activity until their last round was
 * completed. Time that was neither training, other computing nor search was spent waiting for
 * messages. Beside the time stand the epochs that they trained and the models that they held.
 */
public final class TimeBreakdown {
  /** The whole state, for a checkpoint. */
  public record Snapshot(
      long training,
      long computing,
      double searchSeconds,
      double epochs,
      int models,
      SortedMap<Integer, Long> finished,
      List<Integer> completedPeers) {
    public static final Snapshot NONE = new Snapshot(0, 0, 0, 0, 0, new TreeMap<>(), List.of());
  }

  private final SortedMap<Integer, Long> finished;
  // Peers whose last round is completed: a personal phase or any other later work belongs to no
  // round.
  private final SortedSet<Integer> completedPeers;
  private long training;
  private long computing;
  private double searchSeconds;
  private double epochs;
  private int models;

  public TimeBreakdown(Snapshot snapshot) {
    training = snapshot.training();
    computing = snapshot.computing();
    searchSeconds = snapshot.searchSeconds();
    epochs = snapshot.epochs();
    models = snapshot.models();
    finished = new TreeMap<>(snapshot.finished());
    completedPeers = new TreeSet<>(snapshot.completedPeers());
  }

  public Snapshot snapshot() {
    return new Snapshot(
        training,
        computing,
        searchSeconds,
        epochs,
        models,
        new TreeMap<>(finished),
        List.copyOf(completedPeers));
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

  /** Counts a training that goes over all samples of a peer so many times. */
  public void trained(int peer, double times) {
    epochs += completedPeers.contains(peer) ? 0 : times;
  }

  /** Notes how many weight vectors a peer held at the end of a round. */
  public void held(int vectors) {
    models = Math.max(models, vectors);
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

  /** Seconds until each peer completed its last round, summed over all peers. */
  public double seconds() {
    return Ticks.toSeconds(finished.values().stream().mapToLong(Long::longValue).sum());
  }

  /** Seconds that all peers together trained. */
  public double trainingSeconds() {
    return Ticks.toSeconds(training);
  }

  /** Seconds that all peers together computed other than training. */
  public double computingSeconds() {
    return Ticks.toSeconds(computing);
  }

  /** Epochs that all peers together trained. */
  public double epochs() {
    return epochs;
  }

  /** The most weight vectors that a peer held at the end of a round; zero if none was counted. */
  public int models() {
    return models;
  }

  /** Seconds that all peers together waited for the answers of a search. */
  public double searchSeconds() {
    return searchSeconds;
  }
}
