package io.kindred.protocol.clustering;

import java.util.Arrays;

/**
 * The two kinds of messages of affinity propagation, damped: responsibilities say how well a member
 * would be served by an exemplar compared with others, availabilities how much support that
 * exemplar has. Matrices are row by row, member by exemplar.
 */
final class AffinityMessages {
  private final int size;
  private final double[] similarities;
  private final double damping;
  private final double[] responsibility;
  private final double[] availability;
  private final double[] support;
  private boolean[] isExemplar;

  AffinityMessages(int size, double[] similarities, double damping) {
    this.size = size;
    this.similarities = similarities;
    this.damping = damping;
    responsibility = new double[size * size];
    availability = new double[size * size];
    support = new double[size];
    isExemplar = new boolean[size];
  }

  /** One iteration; returns whether the set of exemplars has changed. */
  boolean iterate() {
    for (int member = 0; member < size; member++) {
      updateResponsibilities(member * size);
    }
    sumSupport();
    for (int member = 0; member < size; member++) {
      updateAvailabilities(member);
    }
    boolean[] now = new boolean[size];
    for (int i = 0; i < size; i++) {
      int own = i * size + i;
      now[i] = availability[own] + responsibility[own] > 0;
    }
    boolean changed = !Arrays.equals(now, isExemplar);
    isExemplar = now;
    return changed;
  }

  private void updateResponsibilities(int row) {
    double first = Double.NEGATIVE_INFINITY;
    double second = Double.NEGATIVE_INFINITY;
    int best = row;
    for (int index = row; index < row + size; index++) {
      double claim = availability[index] + similarities[index];
      if (claim > first) {
        second = first;
        first = claim;
        best = index;
      } else if (claim > second) {
        second = claim;
      }
    }
    for (int index = row; index < row + size; index++) {
      double rival = index == best ? second : first;
      responsibility[index] =
          damping * responsibility[index] + (1 - damping) * (similarities[index] - rival);
    }
  }

  /** A member's own responsibility counts whatever its sign, those of others where positive. */
  private void sumSupport() {
    Arrays.fill(support, 0);
    for (int member = 0; member < size; member++) {
      for (int exemplar = 0; exemplar < size; exemplar++) {
        double given = responsibility[member * size + exemplar];
        support[exemplar] += member == exemplar ? given : Math.max(0, given);
      }
    }
  }

  private void updateAvailabilities(int member) {
    for (int exemplar = 0; exemplar < size; exemplar++) {
      int index = member * size + exemplar;
      double given = responsibility[index];
      double fresh =
          member == exemplar
              ? support[exemplar] - given
              : Math.min(0, support[exemplar] - Math.max(0, given));
      availability[index] = damping * availability[index] + (1 - damping) * fresh;
    }
  }

  int[] exemplars() {
    int[] found = new int[size];
    int count = 0;
    for (int i = 0; i < size; i++) {
      if (isExemplar[i]) {
        found[count++] = i;
      }
    }
    return Arrays.copyOf(found, count);
  }
}
