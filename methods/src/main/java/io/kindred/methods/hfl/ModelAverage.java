package io.kindred.methods.hfl;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Observation.Weighting;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.MixtureSources;
import java.util.List;

/** The average of the models of a cluster, of a region or of all clusters, by their shares. */
record ModelAverage(List<Model> models) {
  /**
   * One model.
   *
   * @param from the member that trained it; for the model of a cluster, its head or deputy
   */
  record Model(PeerId from, Weights weights, double share) {}

  ModelAverage {
    models = List.copyOf(models);
  }

  private double total() {
    return models.stream().mapToDouble(Model::share).sum();
  }

  private Mixture mixture() {
    double total = total();
    return total > 0
        ? new Mixture(
            models.stream()
                .map(each -> new MixturePart(each.weights(), each.share() / total))
                .toList())
        : Mixture.mean(models.stream().map(Model::weights).toList());
  }

  /** Observes and asks for the average; the ticket number is the round. */
  List<Effect> effects(PeerId self, int round, Hfl.Weighting weighting) {
    boolean bySamples = weighting == Hfl.Weighting.SAMPLES;
    MixtureSources sources =
        new MixtureSources(
            self,
            models.stream()
                .map(
                    each ->
                        new MixtureSources.Source(
                            each.from(), round, each.weights(), bySamples ? (int) each.share() : 0))
                .toList());
    Mixture mixture = mixture();
    Weighting kind = bySamples ? Weighting.SAMPLES : Weighting.ESTIMATED;
    return List.of(
        new Effect.Observe(sources.observe(round, 0, kind, mixture)),
        new Effect.Compute(round, new Ticket.Mix(mixture)));
  }
}
