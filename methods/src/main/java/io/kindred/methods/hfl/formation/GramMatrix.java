package io.kindred.methods.hfl.formation;

/** The inner products of all pairs of rows, so that the length of a row matters only once. */
final class GramMatrix {
  private final double[] products;
  private final int size;

  GramMatrix(float[][] rows) {
    size = rows.length;
    products = new double[Math.multiplyExact(size, size + 1) / 2];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j <= i; j++) {
        products[i * (i + 1) / 2 + j] = dot(rows[i], rows[j]);
      }
    }
  }

  /** Four sums side by side: as exact as one, and several times as fast. */
  private static double dot(float[] x, float[] y) {
    double a = 0;
    double b = 0;
    double c = 0;
    double d = 0;
    int i = 0;
    for (; i + 4 <= x.length; i += 4) {
      a += (double) x[i] * y[i];
      b += (double) x[i + 1] * y[i + 1];
      c += (double) x[i + 2] * y[i + 2];
      d += (double) x[i + 3] * y[i + 3];
    }
    for (; i < x.length; i++) {
      a += (double) x[i] * y[i];
    }
    return a + b + (c + d);
  }

  double product(int i, int j) {
    return i >= j ? products[i * (i + 1) / 2 + j] : products[j * (j + 1) / 2 + i];
  }

  /** Zero where one of the rows is zero. */
  double cosine(int i, int j) {
    double norms = Math.sqrt(product(i, i)) * Math.sqrt(product(j, j));
    return norms == 0 ? 0 : Math.clamp(product(i, j) / norms, -1.0, 1.0);
  }

  int size() {
    return size;
  }
}
