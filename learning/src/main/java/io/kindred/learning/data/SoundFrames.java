package io.kindred.learning.data;

/** The frames of a spectrogram: 25 ms of sound every 10 ms. */
public final class SoundFrames {
  private static final double LENGTH_SECONDS = 0.025;
  private static final double HOP_SECONDS = 0.010;

  private SoundFrames() {}

  /** Values of one frame at a rate. */
  public static int length(int rate) {
    return (int) Math.round(LENGTH_SECONDS * rate);
  }

  /** Values from the start of one frame to that of the next one. */
  public static int hop(int rate) {
    return (int) Math.round(HOP_SECONDS * rate);
  }

  /** Frames of a clip of so many values; a clip shorter than a frame has one. */
  public static int count(int values, int rate) {
    return 1 + Math.max(0, values - length(rate)) / hop(rate);
  }
}
