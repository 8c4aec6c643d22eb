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
                "whether the beam limits the children of each super-peer (`node`) or all"
                    + " super-peers of a level (`level`)",
            fallback = "node")
        BeamScope beamScope,
    @Setting(
            doc =
                "largest number of super-peers that a query visits; 0 means no limit with"
                    + " beamScope `node` and 4 x beam x depth with `level`",
            fallback = "0",
            min = 0)
        int visits) {
  /** What the beam limits: the two readings of section 3.4. */
  public enum BeamScope {
    /** Every visited super-peer sends the query on to up to B children, as the text says. */
    NODE,
    /** B super-peers of a level in all are visited, as the analysis of costs says. */
    LEVEL
  }

  static final int VISITS_PER_LEVEL = 4;

  int visitBudget(int depth) {
    if (visits > 0) {
      return visits;
    }
    return beamScope == BeamScope.NODE
        ? Integer.MAX_VALUE
        : (int) Math.min(Integer.MAX_VALUE, (long) VISITS_PER_LEVEL * beam * depth);
  }
}
