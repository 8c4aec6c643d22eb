package io.kindred.core.peer;

/**
 * The identity of a peer. Ties anywhere in the system break by this number, so it is comparable.
 */
public record PeerId(long number) implements Comparable<PeerId> {
  @Override
  public int compareTo(PeerId other) {
    return Long.compare(number, other.number);
  }

  @Override
  public String toString() {
    return "peer " + number;
  }
}
