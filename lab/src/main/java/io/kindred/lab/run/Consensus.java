package io.kindred.lab.run;

import io.kindred.core.weights.Weights;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How far peers agree on each of several models: the mean over peers of the squared distance to
 * their mean (FedSPD, theorem 5.10). Sums are kept in place of models.
 */
final class Consensus {
  private static final class Slot {
    private final double[] sum;
    private double squares;

    private Slot(int size) {
      sum = new double[size];
    }

    private void add(Weights weights) {
      float[] values = weights.shared();
      for (int i = 0; i < sum.length; i++) {
        sum[i] += values[i];
        squares += (double) values[i] * values[i];
      }
    }

    private double distance(int peers) {
      double ofMean = 0;
      for (double each : sum) {
        ofMean += (each / peers) * (each / peers);
      }
      return Math.max(0, squares / peers - ofMean);
    }
  }

  private final List<Slot> slots = new ArrayList<>();
  private int peers;

  void add(List<Weights> models) {
    for (int slot = 0; slot < models.size(); slot++) {
      Weights weights = models.get(slot);
      if (slot == slots.size()) {
        slots.add(new Slot(weights.size()));
      }
      slots.get(slot).add(weights);
    }
    peers++;
  }

  /** Slot by slot; nothing unless everybody was heard, as after a run that was interrupted late. */
  Optional<List<Double>> distances(int everybody) {
    return peers == everybody && !slots.isEmpty()
        ? Optional.of(slots.stream().map(slot -> slot.distance(peers)).toList())
        : Optional.empty();
  }
}
