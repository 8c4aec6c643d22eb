package io.kindred.methods.hfl.formation;

/**
 * Benchmark B (section 5.4.3, after D-Cliques by Bellet, Kermarrec and Lavoie): only swaps, so that
 * sizes stay, and only swaps that do not increase the total skew of both clusters. The criterion
 * ignores links and speeds.
 */
final class LabelSkewCriterion implements SwapSearch.ChangeCriterion {
  @Override
  public boolean allows(SwapCriteria.PairMetrics before, SwapCriteria.PairMetrics after) {
    return skew(after) <= skew(before);
  }

  @Override
  public double score(SwapCriteria.PairMetrics before, SwapCriteria.PairMetrics after) {
    return skew(after);
  }

  private static double skew(SwapCriteria.PairMetrics pairMetrics) {
    return pairMetrics.angle1() + pairMetrics.angle2();
  }

  @Override
  public boolean allowsMoves() {
    return false;
  }

  @Override
  public boolean needsTimes() {
    return false;
  }
}
