package io.kindred.environment.topology;

/**
 * Edges in insertion order, each at most once, that can be looked up and replaced in constant time.
 * The table only answers whether an edge is present; nothing is ever read out in its order.
 */
final class EdgeSet {
  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

  private final int peers;
  private final long[] edges;
  private final long[] table;
  private final int shift;
  private int size;

  EdgeSet(int peers, long most) {
    Graph.requireEdgeLimit(most);
    this.peers = peers;
    edges = new long[(int) most];
    int bits = 65 - Long.numberOfLeadingZeros(Math.max(1, most));
    table = new long[1 << bits];
    shift = 64 - bits;
  }

  int size() {
    return size;
  }

  /** The lower end of an edge. */
  int low(int index) {
    return (int) (edges[index] >> 32);
  }

  /** The higher end of an edge. */
  int high(int index) {
    return (int) edges[index];
  }

  /** Never 0, which marks a free slot: the higher end is at least 1. */
  private long key(int a, int b) {
    return (long) Math.min(a, b) << 32 | Math.max(a, b);
  }

  private int homeSlot(long key) {
    return (int) ((key * GOLDEN_GAMMA) >>> shift);
  }

  private int slotOf(long key) {
    int place = homeSlot(key);
    while (table[place] != 0 && table[place] != key) {
      place = (place + 1) & (table.length - 1);
    }
    return place;
  }

  boolean contains(int a, int b) {
    return table[slotOf(key(a, b))] != 0;
  }

  void add(int a, int b) {
    edges[size++] = insert(a, b);
  }

  private long insert(int a, int b) {
    long key = key(a, b);
    int place = slotOf(key);
    if (a == b || table[place] != 0) {
      throw new IllegalArgumentException("expected a new edge, got " + a + " - " + b);
    }
    table[place] = key;
    return key;
  }

  /** Replaces an edge by another one, which must not be present yet. */
  void replace(int index, int a, int b) {
    remove(slotOf(edges[index]));
    edges[index] = insert(a, b);
  }

  /** Closes the gap, so that no search stops before the entries behind it. */
  private void remove(int place) {
    int gap = place;
    int next = gap;
    while (true) {
      next = (next + 1) & (table.length - 1);
      if (table[next] == 0) {
        break;
      }
      int fromHome = (next - homeSlot(table[next])) & (table.length - 1);
      int fromGap = (next - gap) & (table.length - 1);
      if (fromHome >= fromGap) {
        table[gap] = table[next];
        gap = next;
      }
    }
    table[gap] = 0;
  }

  Graph.Builder builder() {
    Graph.Builder builder = new Graph.Builder(peers);
    for (int i = 0; i < size; i++) {
      builder.connect(low(i), high(i));
    }
    return builder;
  }
}
