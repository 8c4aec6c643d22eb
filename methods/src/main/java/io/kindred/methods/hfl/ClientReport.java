package io.kindred.methods.hfl;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Weights;
import java.util.List;
import java.util.Optional;

/**
 * What a client lets the coordinator know before clusters are formed (algorithm 1, line 5).
 *
 * @param from who says so
 * @param samples how many samples it trains on
 * @param trainingSeconds how long its training of a cluster's round takes
 * @param steps how many steps that training has
 * @param links how fast the ways to its neighbours are
 * @param direction its feature as a model's difference, where that is what is asked for
 * @param featureRow its feature as a row of numbers, otherwise
 * @param lossGradient loss and gradient of the global model on all its samples, where these are
 *     measured
 */
public record ClientReport(
    PeerId from,
    long samples,
    double trainingSeconds,
    int steps,
    List<Throughput> links,
    Optional<Weights> direction,
    Floats featureRow,
    Optional<LossGradient> lossGradient) {
  /** How fast a way is; no bytes a second where there is none. */
  public record Throughput(PeerId to, double bytesPerSecond) {}

  /** The global model's loss and gradient on a client's samples. */
  public record LossGradient(double loss, Weights gradient) {}

  /** Nobody waits longer than that for a client, whatever it says of itself. */
  private static final double MAX_TRAINING_SECONDS = 86_400;

  public ClientReport {
    links = List.copyOf(links);
  }

  /** Whether it is made of numbers that can be true; what comes from outside may be anything. */
  boolean isValid() {
    return samples >= 0
        && trainingSeconds >= 0
        && trainingSeconds <= MAX_TRAINING_SECONDS
        && steps >= 0
        && links.stream().allMatch(each -> each.bytesPerSecond() >= 0)
        && direction.map(Weights::isFinite).orElse(true)
        && lossGradient
            .map(each -> Double.isFinite(each.loss()) && each.gradient().isFinite())
            .orElse(true)
        && finite(featureRow);
  }

  private static boolean finite(Floats row) {
    for (int i = 0; i < row.size(); i++) {
      if (!Float.isFinite(row.get(i))) {
        return false;
      }
    }
    return true;
  }

  float[] feature() {
    return direction.isPresent() ? direction.get().shared() : featureRow.shared();
  }
}
