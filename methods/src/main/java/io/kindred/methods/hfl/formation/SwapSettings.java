package io.kindred.methods.hfl.formation;

import io.kindred.core.config.Setting;

/** How clients are swapped (algorithms 2 and 3). */
public record SwapSettings(
    @Setting(
            doc =
                "what a change has to improve: pair is the paper's solution 1.1, individual 1.2,"
                    + " angle-ratio 2, time-ratio 3",
            fallback = "pair")
        SwapCriteria.Solution solution,
    @Setting(
            doc = "how much more the one has to gain than the other loses; 0 as printed",
            fallback = "0",
            min = 0)
        double z,
    @Setting(doc = "pairs of clusters to try", fallback = "80", min = 0) int trials,
    @Setting(doc = "which of all changes that improve is made", fallback = "random") Choice choose,
    @Setting(
            doc =
                "what the search starts from: random clusters, or spectral ones of clients that"
                    + " differ",
            fallback = "random")
        Start start) {
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
