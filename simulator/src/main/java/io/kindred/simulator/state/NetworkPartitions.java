package io.kindred.simulator.state;

import io.kindred.core.weights.Ints;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The connections that are blocked: a partition of the network, and links that are cut in one
 * direction.
 */
public final class NetworkPartitions {
  /** A link in one direction. */
  record DirectedLink(int from, int to) implements Comparable<DirectedLink> {
    @Override
    public int compareTo(DirectedLink other) {
      return from != other.from ? Integer.compare(from, other.from) : Integer.compare(to, other.to);
    }
  }

  /** The whole state, for a checkpoint; no groups mean no partition. */
  record Snapshot(Ints groups, List<DirectedLink> cutLinks) {}

  private Ints groups = Ints.of();
  private final SortedSet<DirectedLink> cutLinks = new TreeSet<>();

  public NetworkPartitions() {}

  public NetworkPartitions(Snapshot snapshot) {
    groups = snapshot.groups();
    cutLinks.addAll(snapshot.cutLinks());
  }

  public Snapshot snapshot() {
    return new Snapshot(groups, List.copyOf(cutLinks));
  }

  public void partition(Ints numbers) {
    groups = numbers;
  }

  public void cutLink(int from, int to) {
    cutLinks.add(new DirectedLink(from, to));
  }

  public void heal() {
    groups = Ints.of();
    cutLinks.clear();
  }

  public boolean blocks(int from, int to) {
    return groupOf(from) != groupOf(to)
        || (!cutLinks.isEmpty() && cutLinks.contains(new DirectedLink(from, to)));
  }

  private int groupOf(int participant) {
    return participant < groups.size() ? groups.get(participant) : 0;
  }
}
