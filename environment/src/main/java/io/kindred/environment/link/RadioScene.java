package io.kindred.environment.link;

import io.kindred.environment.mobility.Mobility;
import io.kindred.environment.radio.RadioField;
import java.util.Arrays;

/** The peers of a run and the radio between them at any time. */
final class RadioScene {
  private final RadioField first;
  private final Mobility.Movement movement;
  private final boolean changes;
  private final double epsilon;
  private final double[][] errors;
  private RadioField latest;
  private double latestSeconds;

  /**
   * @param first the peers at the start
   * @param changes whether anything changes after the start
   * @param epsilon a peer selects neighbours whose transmissions fail less often
   */
  RadioScene(RadioField first, Mobility.Movement movement, boolean changes, double epsilon) {
    this.first = first;
    this.movement = movement;
    this.changes = changes;
    this.epsilon = epsilon;
    latest = first;
    errors = new double[first.positions().size()][0];
  }

  int peers() {
    return errors.length;
  }

  /** The peers and their channel at a time. */
  synchronized RadioField at(double seconds) {
    if (!changes) {
      return first;
    }
    if (seconds != latestSeconds) {
      latest = first.at(seconds, movement.at(seconds));
      latestSeconds = seconds;
    }
    return latest;
  }

  boolean changes() {
    return changes;
  }

  /** The probability that a transmission between the first positions fails. */
  double firstError(int from, int to) {
    if (errors[to].length == 0) {
      errors[to] = new double[errors.length];
      Arrays.fill(errors[to], Double.NaN);
    }
    if (Double.isNaN(errors[to][from])) {
      errors[to][from] = first.errorProbability(from, to);
    }
    return errors[to][from];
  }

  /** Whether a peer selects a neighbour, by the first positions (algorithm 1, lines 1 to 5). */
  boolean selects(int peer, int neighbour) {
    return epsilon >= 1 || firstError(neighbour, peer) < epsilon;
  }
}
