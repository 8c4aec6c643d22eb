package io.kindred.protocol.discovery;

import io.kindred.core.random.RandomStream;
import io.kindred.protocol.overlay.Candidate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Draws peers without replacement, with probabilities in proportion to exp(similarity /
 * temperature), by the Gumbel-top-k trick (Kool, van Hoof and Welling, 2019).
 */
public final class SimilarityDraw {
  private record Keyed(Candidate candidate, double key) {}

  private SimilarityDraw() {}

  /** The drawn candidates, the most similar first. */
  public static List<Candidate> draw(
      List<Candidate> candidates, int wanted, double temperature, RandomStream random) {
    List<Keyed> keyed = new ArrayList<>();
    for (Candidate each : candidates) {
      keyed.add(new Keyed(each, key(each.similarity(), temperature, random)));
    }
    keyed.sort(
        Comparator.comparingDouble(Keyed::key)
            .reversed()
            .thenComparing(each -> each.candidate().peer()));
    return keyed.stream().limit(wanted).map(Keyed::candidate).sorted(Candidate.BEST_FIRST).toList();
  }

  /** A random key; the candidates with the largest keys are the draw. */
  static double key(double similarity, double temperature, RandomStream random) {
    return similarity / temperature - StrictMath.log(-StrictMath.log(1 - random.nextDouble()));
  }
}
