package io.kindred.learning.data;

/** The inputs of many samples, each of the same number of floats. */
public interface Features {
  int count();

  /** Floats per sample. */
  int width();

  /** Writes one sample as floats. */
  void copy(int sample, float[] into, int offset);
}
