package io.kindred.methods.mixing;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import io.kindred.methods.rounds.RoundUpdates;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A neighbour's model.
 *
 * @param labelOverlap the part that the label frequencies of the neighbour's training samples and
 *     those of the own ones have in common, between 0 and 1; zero where the neighbour sent none
 */
public record NeighbourModel(PeerId from, Weights weights, double labelOverlap) {
  static List<NeighbourModel> fromUpdates(RoundUpdates updates, Ints ownLabels) {
    List<NeighbourModel> models = new ArrayList<>();
    updates
        .updates()
        .forEach(
            update -> {
              double overlap =
                  update.update().labelCounts().map(each -> overlap(ownLabels, each)).orElse(0.0);
              update
                  .update()
                  .models()
                  .forEach(
                      model ->
                          models.add(new NeighbourModel(update.from(), model.weights(), overlap)));
            });
    return models;
  }

  private static double overlap(Ints own, Ints others) {
    double ownTotal = Arrays.stream(own.shared()).asLongStream().sum();
    double otherTotal = Arrays.stream(others.shared()).asLongStream().sum();
    if (ownTotal == 0 || otherTotal == 0) {
      return 0;
    }
    double common = 0;
    for (int label = 0; label < Math.min(own.size(), others.size()); label++) {
      common += Math.min(own.get(label) / ownTotal, others.get(label) / otherTotal);
    }
    return common;
  }
}
