package io.kindred.learning.data.audio;

/**
 * Changes the sampling rate of a sound by band-limited interpolation: a sinc under a Hann window
 * that spans 16 of its zero crossings to each side, cut off at the lower of the two Nyquist
 * frequencies to prevent aliasing. An output has floor(length * to / from) values.
 */
final class Resampler {
  private static final int CROSSINGS = 16;

  private Resampler() {}

  static float[] resample(float[] sound, int from, int to) {
    if (from == to) {
      return sound;
    }
    double step = (double) from / to;
    double cutOff = Math.min(1, 1 / step);
    double reach = CROSSINGS / cutOff;
    float[] result = new float[(int) ((long) sound.length * to / from)];
    for (int i = 0; i < result.length; i++) {
      double centre = i * step;
      double sum = 0;
      double weights = 0;
      int first = (int) Math.ceil(centre - reach);
      int last = (int) Math.floor(centre + reach);
      for (int j = first; j <= last; j++) {
        double weight = weight((j - centre) * cutOff);
        weights += weight;
        if (j >= 0 && j < sound.length) {
          sum += weight * sound[j];
        }
      }
      result[i] = (float) (sum / weights);
    }
    return result;
  }

  private static double weight(double distance) {
    if (Math.abs(distance) < 1e-9) {
      return 1;
    }
    double angle = Math.PI * distance;
    return StrictMath.sin(angle) / angle * 0.5 * (1 + StrictMath.cos(angle / CROSSINGS));
  }
}
