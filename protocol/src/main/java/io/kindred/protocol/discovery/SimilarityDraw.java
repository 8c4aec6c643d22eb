package io.kindred.protocol.discovery;

import io.kindred.core.peer.PeerId;
import io.kindred.core.random.RandomStream;
import io.kindred.protocol.overlay.Candidate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * How peers are drawn by similarity: without replacement, with probabilities in proportion to
 * exp(similarity / temperature), by the Gumbel-top-k trick (Kool, van Hoof and Welling, 2019).
 * Unlike peers are hardly ever drawn; peers of about the same similarity are drawn alike.
 *
 * @param temperature zero takes the most similar peers and draws nothing
 * @param relative whether a similarity counts relative to the mean m of the known ones, the peer's
 *     own model included and the least similar third counted like the next peer: (similarity - m) /
 *     max(0.2, 1 - m). Groups of peers that conflict share a growing part of what they learn, so
 *     their cosines approach one with those of their own group; the relative similarity of the
 *     groups stays apart
 * @param leastWeight the draw leaves out peers whose weight exp(similarity / temperature) is a
 *     smaller share of that of the third most similar peer, so it may end before as many peers as
 *     wanted are drawn; zero leaves out no peer
 * @param measured similarities that the method itself computed from whole models; they replace what
 *     is known of these peers
 */
public record SimilarityDraw(
    double temperature, boolean relative, double leastWeight, List<Candidate> measured) {
  /** Takes the most similar peers. */
  public static final SimilarityDraw NEAREST = new SimilarityDraw(0, false);

  /**
   * The most similar peers but two are the measure for all others: so neither one false claim nor
   * two of them can leave out the honest peers.
   */
  private static final int REFERENCE = 3;

  /**
   * The mean is taken to be at least so far from one. Where peers are more alike, differences of
   * their similarities show who mixed with whom rather than whose data are alike; enlarged without
   * a bound, they would close cliques.
   */
  private static final double LEAST_SCALE = 0.2;

  /** One peer of so many may be unlike all others without a change of the mean. */
  private static final int IGNORED_PART = 3;

  private record Keyed(Candidate candidate, double key) {}

  public SimilarityDraw {
    measured = List.copyOf(measured);
  }

  public SimilarityDraw(double temperature, boolean relative) {
    this(temperature, relative, 0, List.of());
  }

  /** Whether peers are drawn, rather than the most similar ones taken. */
  public boolean draws() {
    return temperature > 0;
  }

  /** The drawn candidates, the most similar first. */
  public List<Candidate> draw(List<Candidate> candidates, int wanted, RandomStream random) {
    double[] similarities = new double[candidates.size()];
    for (int i = 0; i < similarities.length; i++) {
      similarities[i] = similarity(candidates.get(i).peer(), candidates.get(i).similarity());
    }
    double least = leastSimilarity(similarities, similarities);
    double[] keys = keys(similarities, random);
    List<Keyed> keyed = new ArrayList<>();
    for (int i = 0; i < keys.length; i++) {
      if (similarities[i] >= least) {
        Candidate known = new Candidate(candidates.get(i).peer(), (float) similarities[i]);
        keyed.add(new Keyed(known, keys[i]));
      }
    }
    keyed.sort(
        Comparator.comparingDouble(Keyed::key)
            .reversed()
            .thenComparing(each -> each.candidate().peer()));
    return keyed.stream().limit(wanted).map(Keyed::candidate).sorted(Candidate.BEST_FIRST).toList();
  }

  /** The measured similarity of a peer, or the estimate where none was measured. */
  float similarity(PeerId peer, float estimate) {
    for (Candidate each : measured) {
      if (each.peer().equals(peer)) {
        return each.similarity();
      }
    }
    return estimate;
  }

  /**
   * The similarity below which a peer is left out of the draw.
   *
   * @param similarities those of all peers that could be drawn
   * @param trusted those by which the others are measured
   */
  double leastSimilarity(double[] similarities, double[] trusted) {
    if (leastWeight == 0 || trusted.length < REFERENCE) {
      return Double.NEGATIVE_INFINITY;
    }
    double[] sorted = trusted.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length - REFERENCE]
        + scale(mean(similarities)) * temperature * StrictMath.log(leastWeight);
  }

  /**
   * The mean of the similarities and that of the own model to itself. The least similar third
   * counts like the next peer: a hostile peer may be as unlike as it likes, and a mean that it
   * pulls down would make groups of honest peers look alike, so that they merge.
   */
  private double mean(double[] similarities) {
    if (!relative) {
      return 0;
    }
    double[] sorted = similarities.clone();
    Arrays.sort(sorted);
    int lowest = sorted.length / IGNORED_PART;
    double sum = 1;
    for (int i = 0; i < sorted.length; i++) {
      sum += sorted[Math.max(i, lowest)];
    }
    return sum / (sorted.length + 1);
  }

  private double scale(double mean) {
    return relative ? Math.max(LEAST_SCALE, 1 - mean) : 1;
  }

  /** Random keys of similarities; the candidates with the largest keys are the draw. */
  double[] keys(double[] similarities, RandomStream random) {
    double mean = mean(similarities);
    double scale = scale(mean);
    double[] keys = new double[similarities.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] =
          (similarities[i] - mean) / (scale * temperature)
              - StrictMath.log(-StrictMath.log(1 - random.nextDouble()));
    }
    return keys;
  }
}
