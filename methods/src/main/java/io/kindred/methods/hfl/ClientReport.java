package io.kindred.methods.hfl;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Weights;
import io.kindred.methods.rounds.ModelUpdate;
import java.util.List;
import java.util.Optional;

/**
 * What a client reports to the coordinator before clusters are formed (algorithm 1, line 5).
 *
 * @param from the reporting client
 * @param samples how many samples it trains on
 * @param trainingSeconds how long its training of a cluster's round takes
 * @param steps how many steps that training has
 * @param links rates of the links to its neighbours
 * @param direction its feature as the difference of two models, if the method uses that feature
 * @param featureRow its feature as a row of numbers, otherwise
 * @param lossGradient loss and gradient of the global model on all its samples, where these are
 *     measured
 * @param spentJoules energy that the client has spent since it started
 */
@Buildable
public record ClientReport(
    PeerId from,
    long samples,
    double trainingSeconds,
    int steps,
    List<Throughput> links,
    Optional<Weights> direction,
    Floats featureRow,
    Optional<LossGradient> lossGradient,
    double spentJoules) {
  /** A report of a client that has not spent any energy. */
  public ClientReport(
      PeerId from,
      long samples,
      double trainingSeconds,
      int steps,
      List<Throughput> links,
      Optional<Weights> direction,
      Floats featureRow,
      Optional<LossGradient> lossGradient) {
    this(from, samples, trainingSeconds, steps, links, direction, featureRow, lossGradient, 0);
  }

  /** The rate of a link; zero if there is no link. */
  public record Throughput(PeerId to, double bytesPerSecond) {}

  /** The global model's loss and gradient on a client's samples. */
  public record LossGradient(double loss, Weights gradient) {}

  /** Limit of a reported training time, because the head's timeout follows from it. */
  private static final double MAX_TRAINING_SECONDS = 86_400;

  public ClientReport {
    links = List.copyOf(links);
  }

  /** A report before anything is known but the client's samples. */
  static ClientReport empty(PeerId from, long samples) {
    return new ClientReport(
        from, samples, 0, 0, List.of(), Optional.empty(), Floats.of(), Optional.empty());
  }

  /** Whether all numbers are possible ones: reports of clients are not trusted. */
  boolean isValid() {
    return samples >= 0
        && samples <= ModelUpdate.MAX_SHARE
        && trainingSeconds >= 0
        && trainingSeconds <= MAX_TRAINING_SECONDS
        && steps >= 0
        && steps <= ModelUpdate.MAX_SHARE
        && links.stream().allMatch(each -> each.bytesPerSecond() >= 0)
        && direction.map(Weights::isFinite).orElse(true)
        && lossGradient
            .map(each -> Double.isFinite(each.loss()) && each.gradient().isFinite())
            .orElse(true)
        && spentJoules >= 0
        && spentJoules < Double.POSITIVE_INFINITY
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

  /** Bytes of the weights in the report. */
  long modelBytes() {
    return direction.map(Weights::bytes).orElse(0L)
        + lossGradient.map(each -> each.gradient().bytes()).orElse(0L);
  }

  /** Bytes of the feature, as weights or as a row of numbers. */
  long featureBytes() {
    return direction.map(Weights::bytes).orElse((long) featureRow.size() * Float.BYTES);
  }

  float[] feature() {
    return direction.isPresent() ? direction.get().shared() : featureRow.shared();
  }
}
