package io.kindred.protocol.overlay;

import java.util.List;

/**
 * What a search has cost so far.
 *
 * @param scored comparisons with prototypes and with peers
 * @param passed those of them that reached the threshold
 * @param visited super-peers that processed the query
 * @param compared peers that compared themselves
 */
public record SearchCost(int scored, int passed, int visited, int compared) {
  public static final SearchCost ZERO = new SearchCost(0, 0, 0, 0);

  public SearchCost {
    if (scored < 0 || passed < 0 || visited < 0 || compared < 0) {
      throw new IllegalArgumentException(
          "counts are never negative, got " + List.of(scored, passed, visited, compared));
    }
  }

  public SearchCost plus(SearchCost other) {
    return new SearchCost(
        sum(scored, other.scored),
        sum(passed, other.passed),
        sum(visited, other.visited),
        sum(compared, other.compared));
  }

  /** Saturates: counts come from other peers and may be false. */
  private static int sum(int one, int other) {
    return (int) Math.min(Integer.MAX_VALUE, (long) one + other);
  }

  /** A peer compared itself. */
  public static SearchCost comparison(boolean passes) {
    return new SearchCost(1, passes ? 1 : 0, 0, 1);
  }

  public static SearchCost visit(int scored, int passed) {
    return new SearchCost(scored, passed, 1, 0);
  }
}
