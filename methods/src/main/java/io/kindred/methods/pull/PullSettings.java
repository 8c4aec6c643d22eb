package io.kindred.methods.pull;

import io.kindred.core.config.Setting;
import io.kindred.methods.contract.TimeoutPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How many models are pulled, how long they are waited for, and how they are mixed. */
public record PullSettings(
    @Setting(
            doc = "number K of models that a peer pulls in a round; below 1, a share of all peers",
            fallback = "0.1",
            above = 0,
            max = 1e6)
        double k,
    @Setting(
            doc =
                "strength psi of the attraction to the anchor, the weighted mean of the pulled"
                    + " models; 0 pulls nothing",
            fallback = "2",
            min = 0,
            tune = "0.5..8 log")
        double psi,
    @Setting(doc = "step size eta of the attraction", fallback = "1", above = 0) double eta,
    @Setting(
            doc =
                "temperature kappa of the models' weights in the anchor; a higher one makes the"
                    + " weights more equal",
            fallback = "0.1",
            above = 0,
            tune = "0.01..1 log")
        double temperature,
    @Setting(doc = "whether a peer's own model is part of its anchor", fallback = "true")
        boolean self,
    @Setting(
            doc = "how long a peer waits for the models that it requested",
            fallback = "{factor: 3, minSeconds: 10}")
        TimeoutPolicy timeout,
    @Setting(
            doc = "rounds that a received model may lag behind and still be averaged",
            fallback = "2",
            min = 0,
            max = 1000)
        int staleness,
    @Setting(
            doc =
                "least similarity of a model that arrived too late for its round; left out, 0.3"
                    + " for signatures of deltas and 0.9 for signatures of weights")
        Optional<Double> minLateSimilarity) {
  /** K in a network of so many peers. */
  int pullCount(int peers) {
    long count = k < 1 ? Math.max(1, Math.round(k * peers)) : (long) k;
    return Math.clamp(count, 0, Math.max(0, peers - 1));
  }

  /** A line about a K that is above the number of other peers. */
  List<String> warnings(int peers) {
    int others = Math.max(0, peers - 1);
    long asked = (long) k;
    if (asked <= others) {
      return List.of();
    }
    return List.of(
        "'method.pull.k': "
            + asked
            + " models in a round, but a peer has only "
            + others
            + " other peers and pulls from all of them; choose at most "
            + others
            + ", or a share below 1");
  }

  /** The fraction by which a peer moves from its trained model to its anchor (section 2.1). */
  double alpha() {
    return eta * psi / (1 + eta * psi);
  }

  /**
   * The share of each model after the pull: the own model first, then the models with these
   * similarities. Softmax weights define the anchor, and alpha the fraction of the move to it
   * (section 2.1); a peer's similarity to itself is one.
   */
  List<Double> shares(List<Double> similarities) {
    if (similarities.isEmpty()) {
      return List.of(1.0);
    }
    double largest =
        self ? 1 : similarities.stream().mapToDouble(Double::doubleValue).max().orElse(1);
    double own = self ? StrictMath.exp((1 - largest) / temperature) : 0;
    double sum = own;
    List<Double> weights = new ArrayList<>();
    for (double similarity : similarities) {
      double weight = StrictMath.exp((similarity - largest) / temperature);
      weights.add(weight);
      sum += weight;
    }
    List<Double> shares = new ArrayList<>();
    double alpha = alpha();
    shares.add(1 - alpha + alpha * own / sum);
    for (double weight : weights) {
      shares.add(alpha * weight / sum);
    }
    return shares;
  }
}
