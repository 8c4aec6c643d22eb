package io.kindred.methods.pull;

import io.kindred.methods.pull.PullState.ReceivedModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** How much each model counts in the anchor of a peer that pulls models. */
public enum AnchorWeights {
  /** Softmax of similarity / temperature; a peer's similarity to itself is one (section 2.1). */
  SIMILARITY {
    @Override
    List<Double> of(PullSettings settings, int ownSamples, List<ReceivedModel> models) {
      return softmax(1, settings.temperature(), settings.self(), models);
    }
  },
  /**
   * Softmax of similarity / (temperature * standard deviation of the similarities found), so that
   * the temperature fits signatures whose similarities differ much and signatures whose
   * similarities differ little. The own model counts as the most similar model found: its
   * similarity of one would be the whole spread.
   */
  SPREAD {
    @Override
    List<Double> of(PullSettings settings, int ownSamples, List<ReceivedModel> models) {
      double[] found = models.stream().mapToDouble(ReceivedModel::similarity).toArray();
      double mean = Arrays.stream(found).average().orElse(0);
      double variance =
          Arrays.stream(found).map(each -> (each - mean) * (each - mean)).average().orElse(0);
      double spread = Math.max(MIN_SPREAD, Math.sqrt(variance));
      double most = Arrays.stream(found).max().orElse(1);
      return softmax(most, settings.temperature() * spread, settings.self(), models);
    }
  },
  /**
   * Sample counts. Other peers report their counts themselves, so a count above three times the
   * median of all counts, the own among them, counts as that limit.
   */
  SAMPLES {
    @Override
    List<Double> of(PullSettings settings, int ownSamples, List<ReceivedModel> models) {
      List<Double> counts = new ArrayList<>();
      counts.add(Math.max(1.0, ownSamples));
      models.forEach(each -> counts.add(Math.max(1.0, each.samples())));
      double median = counts.stream().sorted().toList().get((counts.size() - 1) / 2);
      for (int i = 1; i < counts.size(); i++) {
        counts.set(i, Math.min(counts.get(i), MAX_MEDIANS * median));
      }
      if (!settings.self()) {
        counts.set(0, 0.0);
      }
      return counts;
    }
  };

  /** Differences of similarities below this are rounding errors. */
  private static final double MIN_SPREAD = 1e-6;

  private static final double MAX_MEDIANS = 3;

  /**
   * The weight of the own model, which is zero if the own model is no part of the anchor, then the
   * weights of the models. The weights are not normalized; at least one is positive.
   */
  abstract List<Double> of(PullSettings settings, int ownSamples, List<ReceivedModel> models);

  private static List<Double> softmax(
      double own, double temperature, boolean self, List<ReceivedModel> models) {
    double largest = models.stream().mapToDouble(ReceivedModel::similarity).max().orElse(own);
    double reference = self ? Math.max(own, largest) : largest;
    List<Double> weights = new ArrayList<>();
    weights.add(self ? StrictMath.exp((own - reference) / temperature) : 0);
    for (ReceivedModel each : models) {
      weights.add(StrictMath.exp((each.similarity() - reference) / temperature));
    }
    return weights;
  }
}
