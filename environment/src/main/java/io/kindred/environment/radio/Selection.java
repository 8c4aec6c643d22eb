package io.kindred.environment.radio;

import java.util.List;

/** Whom a target hears well enough. */
public record Selection(int target, List<Candidate> candidates) {
  /**
   * Somebody who may be listened to.
   *
   * @param error probability that a transmission to the target fails
   */
  public record Candidate(int peer, double metres, double error, boolean selected) {}

  /**
   * What somebody costs a target.
   *
   * @param error by how much the others' error would fall without it, on the mean
   */
  public record Cost(int interferer, double error) {}

  public Selection {
    candidates = List.copyOf(candidates);
  }

  /** Those it listens to, by number. */
  public List<Integer> selected() {
    return candidates.stream().filter(Candidate::selected).map(Candidate::peer).toList();
  }
}
