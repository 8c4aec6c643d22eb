package io.kindred.methods.hfl.formation;

import io.kindred.core.config.Setting;

/** How clients are swapped (algorithms 2 and 3). */
public record SwapSettings(
    @Setting(
            doc =
                "criterion that a swap must improve: `pair` is the paper's solution 1.1,"
                    + " `individual` 1.2, `angle-ratio` 2, `time-ratio` 3",
            fallback = "pair")
        SwapCriteria.Solution solution,
    @Setting(
            doc =
                "factor z by which the gain in one metric must exceed the loss in the other; 0"
                    + " takes the paper's value",
            fallback = "0",
            min = 0)
        double z,
    @Setting(doc = "number of pairs of clusters to try", fallback = "80", min = 0) int trials,
    @Setting(doc = "which of several improving swaps is made", fallback = "random") Choice choose,
    @Setting(
            doc =
                "clusters that the search starts from: random ones, or spectral ones that group"
                    + " dissimilar clients",
            fallback = "random")
        Start start,
    @Setting(
            doc =
                "searches from different starts, of which the clusters with the lowest sum of"
                    + " angles and times are taken, each relative to the first start's",
            fallback = "1",
            min = 1,
            max = 100)
        int restarts) {
  /** Which of several valid changes is made. */
  public enum Choice {
    RANDOM,
    BEST
  }

  /** What clusters the search starts from. */
  public enum Start {
    RANDOM,
    SPECTRAL
  }

  SwapCriteria criteria() {
    return new SwapCriteria(solution, z == 0 ? solution.paperZ() : z);
  }
}
