package io.kindred.learning.data.vision;

import io.kindred.learning.data.ByteFeatures;
import io.kindred.learning.data.FeatureScale;
import io.kindred.learning.data.Features;

/**
 * The mean and deviation of pictures kept as bytes. Fitted on training pictures if the statistics
 * of the whole set are not known, so that a selection of classes or users has its own.
 */
record ByteScaling(double mean, double deviation) {
  static ByteScaling fit(byte[] pictures) {
    long[] counts = new long[256];
    for (byte value : pictures) {
      counts[value & 0xff]++;
    }
    double sum = 0;
    double squares = 0;
    for (int value = 0; value < counts.length; value++) {
      sum += (double) counts[value] * value;
      squares += (double) counts[value] * value * value;
    }
    double mean = sum / Math.max(1, pictures.length);
    double variance = squares / Math.max(1, pictures.length) - mean * mean;
    return new ByteScaling(mean, variance > 0 ? Math.sqrt(variance) : 1);
  }

  static ByteScaling of(FeatureScale scale) {
    return new ByteScaling(scale.mean(), scale.deviation());
  }

  FeatureScale scale() {
    return new FeatureScale(mean, deviation);
  }

  Features features(byte[] pictures, int width) {
    return new ByteFeatures(pictures, width, (float) (1 / deviation), (float) (-mean / deviation));
  }
}
