package io.kindred.learning.data.audio;

/**
 * The discrete Fourier transform of a power of two values, in place, by halving (Cooley and Tukey,
 * 1965).
 */
final class FastFourierTransform {
  private final int size;
  private final double[] cosines;
  private final double[] sines;

  FastFourierTransform(int size) {
    if (Integer.bitCount(size) != 1) {
      throw new IllegalArgumentException(size + " is not a power of two");
    }
    this.size = size;
    cosines = new double[size / 2];
    sines = new double[size / 2];
    for (int i = 0; i < size / 2; i++) {
      cosines[i] = StrictMath.cos(-2 * Math.PI * i / size);
      sines[i] = StrictMath.sin(-2 * Math.PI * i / size);
    }
  }

  void transform(double[] real, double[] imaginary) {
    reorder(real, imaginary);
    for (int half = 1; half < size; half *= 2) {
      int stride = size / (2 * half);
      for (int from = 0; from < size; from += 2 * half) {
        for (int k = 0; k < half; k++) {
          int upper = from + k;
          int lower = upper + half;
          double cosine = cosines[k * stride];
          double sine = sines[k * stride];
          double turnedReal = real[lower] * cosine - imaginary[lower] * sine;
          double turnedImaginary = real[lower] * sine + imaginary[lower] * cosine;
          real[lower] = real[upper] - turnedReal;
          imaginary[lower] = imaginary[upper] - turnedImaginary;
          real[upper] += turnedReal;
          imaginary[upper] += turnedImaginary;
        }
      }
    }
  }

  /** Moves each value to the index with the reversed bits of its own. */
  private void reorder(double[] real, double[] imaginary) {
    int bits = Integer.numberOfTrailingZeros(size);
    for (int i = 0; i < size; i++) {
      int j = bits == 0 ? 0 : Integer.reverse(i) >>> (32 - bits);
      if (j > i) {
        double keptReal = real[i];
        real[i] = real[j];
        real[j] = keptReal;
        double keptImaginary = imaginary[i];
        imaginary[i] = imaginary[j];
        imaginary[j] = keptImaginary;
      }
    }
  }
}
