package io.kindred.learning.data.audio;

import io.kindred.learning.data.SoundFrames;

/**
 * The log-mel spectrogram of a sound: frames of 25 ms every 10 ms under a Hann window, the power of
 * their spectrum summed by triangular filters that are evenly spaced on the mel scale (2595 log10(1
 * + f / 700), from 0 to half the rate), then the natural logarithm. Holds scratch space: one thread
 * at a time.
 */
final class LogMel {
  /** Added to the power, so that silence has a logarithm; the noise of 16 bits lies below. */
  private static final double FLOOR = 1e-6;

  private final int bands;
  private final int clipLength;
  private final int hop;
  private final int frames;
  private final double[] window;
  private final double[][] filters;
  private final FastFourierTransform fastFourierTransform;
  private final double[] real;
  private final double[] imaginary;
  private final double[] power;

  /**
   * @param rate samples per second of the input
   * @param bands triangular filters on the mel scale
   * @param clipLength samples of a clip; a shorter sound gets silence at both ends, a longer one is
   *     cut at both
   */
  LogMel(int rate, int bands, int clipLength) {
    this.bands = bands;
    this.clipLength = clipLength;
    int frame = SoundFrames.length(rate);
    hop = SoundFrames.hop(rate);
    frames = SoundFrames.count(clipLength, rate);
    window = new double[frame];
    for (int i = 0; i < frame; i++) {
      window[i] = 0.5 - 0.5 * StrictMath.cos(2 * Math.PI * i / frame);
    }
    int size = Integer.highestOneBit(Math.max(2, frame - 1)) * 2;
    fastFourierTransform = new FastFourierTransform(size);
    real = new double[size];
    imaginary = new double[size];
    power = new double[size / 2 + 1];
    filters = filters(rate, bands, size);
  }

  int width() {
    return bands * frames;
  }

  private static double[][] filters(int rate, int bands, int size) {
    double top = mel(0.5 * rate);
    double[][] filters = new double[bands][size / 2 + 1];
    for (int band = 0; band < bands; band++) {
      double left = hertz(top * band / (bands + 1));
      double middle = hertz(top * (band + 1) / (bands + 1));
      double right = hertz(top * (band + 2) / (bands + 1));
      for (int bin = 0; bin <= size / 2; bin++) {
        double frequency = (double) bin * rate / size;
        double rising = (frequency - left) / (middle - left);
        double falling = (right - frequency) / (right - middle);
        filters[band][bin] = Math.max(0, Math.min(rising, falling));
      }
    }
    return filters;
  }

  private static double mel(double hertz) {
    return 2595 * StrictMath.log10(1 + hertz / 700);
  }

  private static double hertz(double mel) {
    return 700 * (StrictMath.pow(10, mel / 2595) - 1);
  }

  /** Writes the spectrogram of a clip, band after band, each from its first frame to its last. */
  void write(float[] sound, float[] into, int offset) {
    // The index of the clip's first value in the sound; negative where silence comes before it.
    int start = Math.floorDiv(sound.length - clipLength, 2);
    for (int frame = 0; frame < frames; frame++) {
      spectrum(sound, start + frame * hop);
      for (int band = 0; band < bands; band++) {
        double sum = 0;
        for (int bin = 0; bin < power.length; bin++) {
          sum += filters[band][bin] * power[bin];
        }
        into[offset + band * frames + frame] = (float) StrictMath.log(sum + FLOOR);
      }
    }
  }

  private void spectrum(float[] sound, int from) {
    for (int i = 0; i < real.length; i++) {
      int at = from + i;
      boolean inside = i < window.length && at >= 0 && at < sound.length;
      real[i] = inside ? sound[at] * window[i] : 0;
      imaginary[i] = 0;
    }
    fastFourierTransform.transform(real, imaginary);
    for (int bin = 0; bin < power.length; bin++) {
      power[bin] = real[bin] * real[bin] + imaginary[bin] * imaginary[bin];
    }
  }
}
