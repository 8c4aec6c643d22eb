package io.kindred.protocol.overlay;

import io.kindred.core.config.Setting;

/** How far a search spreads (SemanticDFL, section 3.4). */
public record SearchRule(
    @Setting(
            doc = "beam width B: number of children to which a query is forwarded",
            fallback = "8",
            min = 1,
            max = 4096)
        int beam,
    @Setting(
            doc =
                "what the beam limits: the children of each super-peer (`node`), all super-peers"
                    + " of a level (`level`), or the clusters that a best-first search visits at"
                    + " a time (`best`)",
            fallback = "node")
        BeamScope beamScope,
    @Setting(
            doc =
                "largest number of super-peers that a query visits; 0 means no limit with"
                    + " beamScope `node` and 4 x beam x depth otherwise",
            fallback = "0",
            min = 0)
        int visits) {
  /** What the beam limits: the two readings of section 3.4. */
  public enum BeamScope {
    /** Every visited super-peer sends the query on to up to B children, as the text says. */
    NODE,
    /** B super-peers of a level in all are visited, as the analysis of costs says. */
    LEVEL,
    /**
     * The most similar clusters of all levels are visited first, B at a time, until the wanted
     * candidates are as similar as the best cluster that was not visited. The threshold prunes
     * nothing.
     */
    BEST
  }

  static final int VISITS_PER_LEVEL = 4;

  /**
   * Whether the root super-peer selects every cluster that is visited. It has to where all visits
   * together are limited: only it sees all branches.
   */
  public boolean isLedByRoot() {
    return beamScope != BeamScope.NODE || visits > 0;
  }

  public int visitBudget(int depth) {
    if (visits > 0) {
      return visits;
    }
    return beamScope == BeamScope.NODE
        ? Integer.MAX_VALUE
        : (int) Math.min(Integer.MAX_VALUE, (long) VISITS_PER_LEVEL * beam * depth);
  }
}
