package io.kindred.protocol.overlay;

/**
 * What a search has cost so far.
 *
 * @param scored comparisons with prototypes and with peers
 * @param passed those of them that reached the threshold
 * @param visited super-peers that looked at their children
 * @param compared peers that compared themselves
 */
public record Tally(int scored, int passed, int visited, int compared) {
  static final Tally NOTHING = new Tally(0, 0, 0, 0);

  Tally plus(Tally other) {
    return new Tally(
        scored + other.scored,
        passed + other.passed,
        visited + other.visited,
        compared + other.compared);
  }

  static Tally visit(int scored, int passed) {
    return new Tally(scored, passed, 1, 0);
  }
}
