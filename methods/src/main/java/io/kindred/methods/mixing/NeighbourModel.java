package io.kindred.methods.mixing;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Weights;
import io.kindred.methods.rounds.RoundUpdates;
import java.util.ArrayList;
import java.util.List;

/** A neighbour's model. */
public record NeighbourModel(PeerId from, Weights weights) {
  static List<NeighbourModel> fromUpdates(RoundUpdates updates) {
    List<NeighbourModel> models = new ArrayList<>();
    updates
        .updates()
        .forEach(
            update ->
                update
                    .update()
                    .models()
                    .forEach(
                        model -> models.add(new NeighbourModel(update.from(), model.weights()))));
    return models;
  }
}
