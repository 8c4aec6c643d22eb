package io.kindred.methods.hierarchy;

import io.kindred.core.PeerId;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Weights;
import java.util.List;
import java.util.Optional;

/**
 * What a client lets the coordinator know before clusters are formed (algorithm 1, line 5).
 *
 * @param from who says so
 * @param samples how many samples it trains on
 * @param seconds how long its training of a cluster's round takes
 * @param steps how many steps that training has
 * @param links how fast the ways to its neighbours are
 * @param direction its feature as a model's difference, where that is what is asked for
 * @param row its feature as a row of numbers, otherwise
 * @param slope loss and gradient of the global model on all its samples, where these are measured
 */
public record Report(
    PeerId from,
    long samples,
    double seconds,
    int steps,
    List<Throughput> links,
    Optional<Weights> direction,
    Floats row,
    Optional<Slope> slope) {
  /** How fast a way is; no bytes a second where there is none. */
  public record Throughput(PeerId to, double bytesPerSecond) {}

  /** The global model's loss and gradient on a client's samples. */
  public record Slope(double loss, Weights gradient) {}

  /** Nobody waits longer than that for a client, whatever it says of itself. */
  private static final double MOST_SECONDS = 86_400;

  public Report {
    links = List.copyOf(links);
  }

  /** Whether it is made of numbers that can be true; what comes from outside may be anything. */
  boolean isSound() {
    return samples >= 0
        && seconds >= 0
        && seconds <= MOST_SECONDS
        && steps >= 0
        && links.stream().allMatch(each -> each.bytesPerSecond() >= 0)
        && direction.map(Weights::isFinite).orElse(true)
        && slope
            .map(each -> Double.isFinite(each.loss()) && each.gradient().isFinite())
            .orElse(true)
        && finite(row);
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
    return direction.isPresent() ? direction.get().shared() : row.shared();
  }
}
