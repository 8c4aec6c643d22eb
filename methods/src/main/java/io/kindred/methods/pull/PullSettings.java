package io.kindred.methods.pull;

import io.kindred.core.config.Setting;
import io.kindred.core.record.Buildable;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.pull.PullState.ReceivedModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** How many models are pulled, how long they are waited for, and how they are mixed. */
@Buildable
public record PullSettings(
    @Setting(
            doc = "number K of models that a peer pulls in a round; below 1, a share of all peers",
            fallback = "0.1",
            above = 0,
            max = 1e6)
        double k,
    @Setting(
            doc =
                "least number of models that a peer pulls in a round where `k` is a share of all"
                    + " peers; the number itself where nodes join and leave, because no peer knows"
                    + " how many there are",
            fallback = "3",
            min = 1,
            max = 1e6)
        int least,
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
                "weights of the models in the anchor: `similarity`, a softmax of similarity /"
                    + " temperature; `spread`, a softmax of similarity / (temperature * standard"
                    + " deviation of the similarities found); `samples`, the owners' sample counts",
            fallback = "similarity")
        AnchorWeights weights,
    @Setting(
            doc =
                "temperature kappa of the softmax; a higher one makes the weights more equal;"
                    + " without effect where `weights` is `samples`",
            fallback = "1",
            above = 0,
            tune = "0.1..10 log")
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
  /** K in a network of so many peers. A share of few peers would be one or two models. */
  int pullCount(int peers) {
    long count = k < 1 ? Math.max(least, Math.round(k * peers)) : (long) k;
    return Math.clamp(count, 0, Math.max(0, peers - 1));
  }

  /** K in a network whose number of peers may be unknown. */
  int pullCount(OptionalInt peers) {
    return peers.isPresent() ? pullCount(peers.getAsInt()) : k < 1 ? least : (int) k;
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
   * The share of each model after the pull: the own model first, then these models. The anchor is
   * the weighted mean, and alpha the fraction of the move to it (section 2.1).
   */
  List<Double> shares(int ownSamples, List<ReceivedModel> models) {
    if (models.isEmpty()) {
      return List.of(1.0);
    }
    List<Double> anchor = weights.of(this, ownSamples, models);
    double sum = 0;
    for (double weight : anchor) {
      sum += weight;
    }
    double alpha = alpha();
    List<Double> shares = new ArrayList<>();
    shares.add(1 - alpha + alpha * anchor.getFirst() / sum);
    for (double weight : anchor.subList(1, anchor.size())) {
      shares.add(alpha * weight / sum);
    }
    return shares;
  }
}
