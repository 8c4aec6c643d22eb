package io.kindred.methods.robust;

import io.kindred.core.weights.Layout;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Inputs of rules with few weights. */
final class Inputs {
  private Inputs() {}

  static Weights weights(float... values) {
    return Weights.copyOf(Layout.builder().add("all", values.length).build(), values);
  }

  /** The own model and others, all with the same coefficient; the own training began at zero. */
  static RobustInput equal(Weights own, Weights... others) {
    double share = 1.0 / (1 + others.length);
    return new RobustInput(
        Optional.of(new MixturePart(own, share)),
        Optional.of(new RobustInput.Update(weights(new float[own.size()]), own)),
        List.of(),
        parts(share, others));
  }

  /** What a server mixes: models of clients, and the model that it sent. */
  static RobustInput server(Weights sent, Weights... clients) {
    return new RobustInput(
        Optional.empty(), Optional.empty(), List.of(sent), parts(1.0 / clients.length, clients));
  }

  private static List<MixturePart> parts(double share, Weights... models) {
    List<MixturePart> parts = new ArrayList<>();
    for (Weights model : models) {
      parts.add(new MixturePart(model, share));
    }
    return parts;
  }
}
