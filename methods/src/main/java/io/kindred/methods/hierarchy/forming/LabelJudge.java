package io.kindred.methods.hierarchy.forming;

/**
 * Benchmark B (section 5.4.3, after D-Cliques by Bellet, Kermarrec and Lavoie): swaps alone, so
 * that sizes stay, which do not add to the skew of both clusters together. Links and speeds do not
 * matter to it.
 */
final class LabelJudge implements SwapSearch.Judge {
  @Override
  public boolean allows(Criteria.Figures before, Criteria.Figures after) {
    return skew(after) <= skew(before);
  }

  @Override
  public double score(Criteria.Figures before, Criteria.Figures after) {
    return skew(after);
  }

  private static double skew(Criteria.Figures figures) {
    return figures.angle1() + figures.angle2();
  }

  @Override
  public boolean moves() {
    return false;
  }

  @Override
  public boolean asksForTimes() {
    return false;
  }
}
