package io.kindred.methods.mixing;

import io.kindred.core.PeerId;
import io.kindred.core.weights.Weights;
import io.kindred.methods.rounds.Exchange;
import java.util.ArrayList;
import java.util.List;

/** A neighbour's model. */
public record Heard(PeerId from, Weights weights) {
  static List<Heard> in(Exchange exchange) {
    List<Heard> models = new ArrayList<>();
    exchange
        .arrivals()
        .forEach(
            arrival ->
                arrival
                    .parcel()
                    .items()
                    .forEach(item -> models.add(new Heard(arrival.from(), item.weights()))));
    return models;
  }
}
