package io.kindred.protocol.discovery;

import io.kindred.core.random.RandomStream;
import io.kindred.protocol.overlay.Candidate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How peers are drawn by similarity: without replacement, with probabilities in proportion to
 * exp(similarity / temperature), by the Gumbel-top-k trick (Kool, van Hoof and Welling, 2019).
 * Unlike peers are hardly ever drawn; peers of about the same similarity are drawn alike.
 *
 * @param temperature zero takes the most similar peers and draws nothing
 * @param relative whether a similarity counts relative to the mean m of the known ones, the peer's
 *     own model included: (similarity - m) / max(0.2, 1 - m). Groups of peers that conflict share a
 *     growing part of what they learn, so their cosines approach one with those of their own group;
 *     the relative similarity of the groups stays apart
 */
public record SimilarityDraw(double temperature, boolean relative) {
  /** Takes the most similar peers. */
  public static final SimilarityDraw NEAREST = new SimilarityDraw(0, false);

  /**
   * The mean is taken to be at least so far from one. Where peers are more alike, differences of
   * their similarities show who mixed with whom rather than whose data are alike; enlarged without
   * a bound, they would close cliques.
   */
  private static final double LEAST_SCALE = 0.2;

  private record Keyed(Candidate candidate, double key) {}

  /** Whether peers are drawn, rather than the most similar ones taken. */
  public boolean draws() {
    return temperature > 0;
  }

  /** The drawn candidates, the most similar first. */
  public List<Candidate> draw(List<Candidate> candidates, int wanted, RandomStream random) {
    double[] keys = keys(candidates.stream().mapToDouble(Candidate::similarity).toArray(), random);
    List<Keyed> keyed = new ArrayList<>();
    for (int i = 0; i < keys.length; i++) {
      keyed.add(new Keyed(candidates.get(i), keys[i]));
    }
    keyed.sort(
        Comparator.comparingDouble(Keyed::key)
            .reversed()
            .thenComparing(each -> each.candidate().peer()));
    return keyed.stream().limit(wanted).map(Keyed::candidate).sorted(Candidate.BEST_FIRST).toList();
  }

  /** Random keys of similarities; the candidates with the largest keys are the draw. */
  double[] keys(double[] similarities, RandomStream random) {
    double mean = 0;
    double scale = 1;
    if (relative) {
      double sum = 1;
      for (double each : similarities) {
        sum += each;
      }
      mean = sum / (similarities.length + 1);
      scale = Math.max(LEAST_SCALE, 1 - mean);
    }
    double[] keys = new double[similarities.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] =
          (similarities[i] - mean) / (scale * temperature)
              - StrictMath.log(-StrictMath.log(1 - random.nextDouble()));
    }
    return keys;
  }
}
