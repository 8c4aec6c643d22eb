package io.kindred.lab.hierarchy;

import io.kindred.methods.hierarchy.forming.Situation;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Draws directions of many dimensions in a plane: up is where the whole points, the angle to it is
 * true, and which side it falls to is told by the client that deviates most.
 */
final class Compass {
  private final Situation situation;
  private final double[] whole;
  private final double[] aside;

  Compass(Situation situation) {
    this.situation = situation;
    int clients = situation.clients();
    whole = sum(IntStream.range(0, clients).boxed().toList());
    double[] farthest = new double[whole.length];
    double most = -1;
    for (int i = 0; i < clients; i++) {
      double[] rest = rest(sum(List.of(i)));
      double square = dot(rest, rest);
      if (square > most) {
        most = square;
        farthest = rest;
      }
    }
    aside = farthest;
  }

  private double[] sum(List<Integer> clients) {
    double[] sum = new double[situation.features()[0].length];
    for (int client : clients) {
      float[] feature = situation.features()[client];
      double share = situation.labels() ? 1 : situation.shares()[client];
      for (int d = 0; d < sum.length; d++) {
        sum[d] += share * feature[d];
      }
    }
    return sum;
  }

  /** What of a direction is across the common one. */
  private double[] rest(double[] direction) {
    double along = dot(direction, whole) / Math.max(dot(whole, whole), Double.MIN_NORMAL);
    double[] rest = direction.clone();
    for (int d = 0; d < rest.length; d++) {
      rest[d] -= along * whole[d];
    }
    return rest;
  }

  private static double dot(double[] x, double[] y) {
    double sum = 0;
    for (int d = 0; d < x.length; d++) {
      sum += x[d] * y[d];
    }
    return sum;
  }

  /** Radians from up, to the right where positive. */
  double bearing(List<Integer> clients) {
    double[] direction = sum(clients);
    double norms = Math.sqrt(dot(direction, direction) * dot(whole, whole));
    double cosine = norms == 0 ? 0 : Math.clamp(dot(direction, whole) / norms, -1.0, 1.0);
    return Math.acos(cosine) * (dot(rest(direction), aside) < 0 ? -1 : 1);
  }
}
