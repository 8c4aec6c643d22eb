package io.kindred.methods.kin;

import io.kindred.core.peer.Claim;
import io.kindred.core.weights.Floats;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Held-out losses of the models that a peer can choose, in the order of {@link Choice}. The choice
 * must not depend on a few samples of one peer, so peers share their scores: each sends its own,
 * averages those of the peers that it pulls, and in the next round averages these averages.
 *
 * @param values smaller is better; three values where outputs cannot be averaged, four otherwise
 * @param samples number of held-out samples behind the values
 */
public record Scores(@Claim(Claim.Kind.SCORES) List<Double> values, int samples) {
  /** The smallest probability that counts, so that one sample cannot decide. */
  private static final double MIN_PROBABILITY = 1e-4;

  /** How far a score may be from the mean of the scores of the same peer. */
  private static final double MAX_DIFFERENCE = 0.5;

  /** Share of a new score in the running mean. */
  private static final double NEW_SHARE = 0.3;

  private static final int MODELS = 3;

  /** No peer holds out more samples; a larger number is a false one. */
  private static final int MAX_SAMPLES = 10_000_000;

  public Scores {
    values = List.copyOf(values);
  }

  /**
   * Mean losses of the three models, and of the mean of their outputs. A loss of a classification
   * is minus the logarithm of the probability of the right class, so the losses are enough to
   * average the probabilities.
   */
  static Scores ofProbabilities(List<Floats> losses) {
    int samples = losses.getFirst().size();
    double[] sums = new double[MODELS + 1];
    for (int sample = 0; sample < samples; sample++) {
      double probability = 0;
      for (int model = 0; model < MODELS; model++) {
        double each = StrictMath.exp(-losses.get(model).get(sample));
        sums[model] += loss(each);
        probability += each / MODELS;
      }
      sums[MODELS] += loss(probability);
    }
    return mean(sums, samples);
  }

  /** Mean losses of the three models; outputs of a regression are not averaged. */
  static Scores ofErrors(List<Floats> losses) {
    int samples = losses.getFirst().size();
    double[] sums = new double[MODELS];
    for (int model = 0; model < MODELS; model++) {
      for (int sample = 0; sample < samples; sample++) {
        sums[model] += losses.get(model).get(sample);
      }
    }
    return mean(sums, samples);
  }

  private static double loss(double probability) {
    return -StrictMath.log(Math.max(probability, MIN_PROBABILITY));
  }

  private static Scores mean(double[] sums, int samples) {
    List<Double> values = new ArrayList<>();
    for (double sum : sums) {
      values.add(sum / samples);
    }
    return new Scores(values, samples);
  }

  /** The running mean of these scores and newer ones. */
  Scores followedBy(Scores newer) {
    List<Double> next = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      next.add((1 - NEW_SHARE) * values.get(i) + NEW_SHARE * newer.values().get(i));
    }
    return new Scores(next, newer.samples());
  }

  /** Differences from the mean within bounds: what other peers receive. */
  Scores centred() {
    double mean = values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    return new Scores(
        values.stream()
            .map(each -> Math.clamp(each - mean, -MAX_DIFFERENCE, MAX_DIFFERENCE))
            .toList(),
        samples);
  }

  /** Whether scores of another peer can be used: as many values, each within the bounds. */
  boolean isUsable(int choices) {
    return values.size() == choices
        && samples > 0
        && samples <= MAX_SAMPLES
        && values.stream().allMatch(each -> Math.abs(each) <= MAX_DIFFERENCE);
  }

  /**
   * The mean, weighted by the numbers of samples. A number above a multiple of the median counts as
   * this multiple, so that no peer outvotes the others by a false number.
   */
  static Optional<Scores> weightedMean(List<Scores> all, double cap) {
    double limit = cap * GuardModels.median(all.stream().mapToDouble(Scores::samples).toArray());
    return mean(all, each -> cap > 0 ? Math.min(each.samples(), limit) : each.samples());
  }

  /** The mean in which all scores count alike. */
  static Optional<Scores> plainMean(List<Scores> all) {
    return mean(all, each -> 1);
  }

  private interface Weight {
    double of(Scores scores);
  }

  private static Optional<Scores> mean(List<Scores> all, Weight weight) {
    if (all.isEmpty()) {
      return Optional.empty();
    }
    double[] sums = new double[all.getFirst().values().size()];
    double total = 0;
    int samples = 0;
    for (Scores each : all) {
      double share = weight.of(each);
      total += share;
      samples += each.samples();
      for (int i = 0; i < sums.length; i++) {
        sums[i] += share * each.values().get(i);
      }
    }
    List<Double> values = new ArrayList<>();
    for (double sum : sums) {
      values.add(sum / total);
    }
    return Optional.of(new Scores(values, samples));
  }

  /** The loss of one of the models. */
  double of(Choice choice) {
    return values.get(choice.number());
  }

  /** The choice with the smallest loss; the first one of equal ones. */
  Choice best() {
    int best = 0;
    for (int i = 1; i < values.size(); i++) {
      if (values.get(i) < values.get(best)) {
        best = i;
      }
    }
    return Choice.ofNumber(best);
  }
}
