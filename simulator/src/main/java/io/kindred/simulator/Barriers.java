package io.kindred.simulator;

import io.kindred.core.weights.Ints;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** What does not get through: a split of the network, and ways that are cut in one direction. */
final class Barriers {
  /** From whom nothing gets to whom. */
  record Way(int from, int to) implements Comparable<Way> {
    @Override
    public int compareTo(Way other) {
      return from != other.from ? Integer.compare(from, other.from) : Integer.compare(to, other.to);
    }
  }

  /** All of it, for a checkpoint; no sides, no split. */
  record Snapshot(Ints sides, List<Way> cuts) {}

  private Ints sides = Ints.of();
  private final SortedSet<Way> cuts = new TreeSet<>();

  Barriers() {}

  Barriers(Snapshot snapshot) {
    sides = snapshot.sides();
    cuts.addAll(snapshot.cuts());
  }

  Snapshot snapshot() {
    return new Snapshot(sides, List.copyOf(cuts));
  }

  void split(Ints numbers) {
    sides = numbers;
  }

  void cut(int from, int to) {
    cuts.add(new Way(from, to));
  }

  void heal() {
    sides = Ints.of();
    cuts.clear();
  }

  boolean stand(int from, int to) {
    return side(from) != side(to) || (!cuts.isEmpty() && cuts.contains(new Way(from, to)));
  }

  private int side(int participant) {
    return participant < sides.size() ? sides.get(participant) : 0;
  }
}
