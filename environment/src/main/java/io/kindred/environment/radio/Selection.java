package io.kindred.environment.radio;

import java.util.List;

/** The neighbours that a target selects among its candidates. */
public record Selection(int target, List<Candidate> candidates) {
  /**
   * A peer that the target may select.
   *
   * @param error probability that a transmission to the target fails
   */
  public record Candidate(int peer, double metres, double error, boolean selected) {}

  /**
   * The cost of an interferer to a target.
   *
   * @param error by how much the others' error probability would fall without the interferer, on
   *     the mean
   */
  public record Cost(int interferer, double error) {}

  public Selection {
    candidates = List.copyOf(candidates);
  }

  /** The numbers of the selected peers. */
  public List<Integer> selected() {
    return candidates.stream().filter(Candidate::selected).map(Candidate::peer).toList();
  }
}
