package io.kindred.studies.hfl;

import io.kindred.methods.hfl.formation.FormationInput;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Projects directions of many dimensions onto a plane. Up is the direction of all clients together,
 * and the angle to it is exact. The client that deviates most defines the sideways axis, which
 * decides between left and right.
 */
final class DirectionProjection {
  private final FormationInput input;
  private final double[] totalDirection;
  private final double[] sidewaysAxis;

  DirectionProjection(FormationInput input) {
    this.input = input;
    int clients = input.clients();
    totalDirection = sum(IntStream.range(0, clients).boxed().toList());
    double[] farthest = new double[totalDirection.length];
    double most = -1;
    for (int i = 0; i < clients; i++) {
      double[] rest = orthogonalPart(sum(List.of(i)));
      double square = dot(rest, rest);
      if (square > most) {
        most = square;
        farthest = rest;
      }
    }
    sidewaysAxis = farthest;
  }

  private double[] sum(List<Integer> clients) {
    double[] sum = new double[input.features()[0].length];
    for (int client : clients) {
      float[] feature = input.features()[client];
      double share = input.labelFeatures() ? 1 : input.shares()[client];
      for (int d = 0; d < sum.length; d++) {
        sum[d] += share * feature[d];
      }
    }
    return sum;
  }

  /** The component of a direction that is orthogonal to the total direction. */
  private double[] orthogonalPart(double[] direction) {
    double along =
        dot(direction, totalDirection)
            / Math.max(dot(totalDirection, totalDirection), Double.MIN_NORMAL);
    double[] rest = direction.clone();
    for (int d = 0; d < rest.length; d++) {
      rest[d] -= along * totalDirection[d];
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

  /** Radians from up; positive angles point to the right. */
  double angle(List<Integer> clients) {
    double[] direction = sum(clients);
    double norms = Math.sqrt(dot(direction, direction) * dot(totalDirection, totalDirection));
    double cosine = norms == 0 ? 0 : Math.clamp(dot(direction, totalDirection) / norms, -1.0, 1.0);
    return Math.acos(cosine) * (dot(orthogonalPart(direction), sidewaysAxis) < 0 ? -1 : 1);
  }
}
