package io.kindred.learning.data.text;

import io.kindred.learning.data.Features;
import java.util.Arrays;

/**
 * Windows of a text: each sample is a sequence of characters, one-hot encoded with a channel per
 * character. All windows share one copy of the text.
 */
final class WindowFeatures implements Features {
  private final byte[] text;
  private final int[] starts;
  private final int window;
  private final int characters;

  WindowFeatures(byte[] text, int[] starts, int window, int characters) {
    this.text = text;
    this.starts = starts;
    this.window = window;
    this.characters = characters;
  }

  @Override
  public int count() {
    return starts.length;
  }

  @Override
  public int width() {
    return window * characters;
  }

  @Override
  public void copy(int sample, float[] into, int offset) {
    Arrays.fill(into, offset, offset + width(), 0);
    for (int i = 0; i < window; i++) {
      into[offset + (text[starts[sample] + i] & 0xff) * window + i] = 1;
    }
  }
}
