package io.kindred.learning.data.audio;

import io.kindred.learning.data.DamagedDataException;
import java.nio.charset.StandardCharsets;

/**
 * A WAV file of plain PCM: 8 bits unsigned or 16 bits signed, one channel or several, which are
 * averaged. Values lie between -1 and 1.
 */
final class Wav {
  private static final int PCM = 1;
  private static final int EXTENSIBLE = 0xfffe;
  private static final int HIGHEST_RATE = 768_000;

  private final String file;
  private final byte[] bytes;
  private int channels;
  private int rate;
  private int bits;

  private Wav(String file, byte[] bytes) {
    this.file = file;
    this.bytes = bytes;
  }

  /** Decodes a file and resamples it to the given rate. */
  static float[] decode(String file, byte[] bytes, int rate) {
    Wav wav = new Wav(file, bytes);
    float[] sound = wav.sound();
    return Resampler.resample(sound, wav.rate, rate);
  }

  private float[] sound() {
    if (!hasTag(0, "RIFF") || !hasTag(8, "WAVE")) {
      throw damaged(0, "not a WAV file");
    }
    int at = 12;
    while (at + 8 <= bytes.length) {
      long length = littleEndian(at + 4, 4) & 0xffffffffL;
      int start = at + 8;
      if (hasTag(at, "fmt ")) {
        format(start, length);
      } else if (hasTag(at, "data")) {
        return samples(start, length);
      }
      // Chunks are padded to an even length.
      long next = start + length + (length & 1);
      if (next > bytes.length) {
        break;
      }
      at = (int) next;
    }
    throw damaged(bytes.length, "the file ends before the data chunk");
  }

  private void format(int start, long length) {
    if (length < 16 || start + length > bytes.length) {
      throw damaged(start, "the format chunk claims " + length + " bytes, but the file is shorter");
    }
    int kind = littleEndian(start, 2);
    channels = littleEndian(start + 2, 2);
    rate = littleEndian(start + 4, 4);
    bits = littleEndian(start + 14, 2);
    if (kind == EXTENSIBLE && length >= 26) {
      kind = littleEndian(start + 24, 2);
    }
    if (kind != PCM || (bits != 8 && bits != 16)) {
      throw damaged(
          start, "only PCM of 8 or 16 bits is supported, not format " + kind + " of " + bits);
    }
    if (channels < 1 || rate < 1 || rate > HIGHEST_RATE) {
      throw damaged(start + 2, channels + " channels at " + rate + " Hz");
    }
  }

  private float[] samples(int start, long length) {
    if (channels == 0) {
      throw damaged(start - 8, "the data chunk comes before the format chunk");
    }
    if (start + length > bytes.length) {
      throw damaged(
          bytes.length,
          "the data chunk should have "
              + length
              + " bytes, but "
              + (bytes.length - start)
              + " are left");
    }
    int frameBytes = channels * bits / 8;
    if (length == 0 || length % frameBytes != 0) {
      throw damaged(start, length + " bytes are not a whole number of frames of " + frameBytes);
    }
    float[] sound = new float[(int) length / frameBytes];
    for (int i = 0; i < sound.length; i++) {
      float sum = 0;
      for (int channel = 0; channel < channels; channel++) {
        int at = start + i * frameBytes + channel * bits / 8;
        sum += bits == 8 ? ((bytes[at] & 0xff) - 128) / 128f : (short) littleEndian(at, 2) / 32768f;
      }
      sound[i] = sum / channels;
    }
    return sound;
  }

  private boolean hasTag(int at, String name) {
    return at + 4 <= bytes.length
        && new String(bytes, at, 4, StandardCharsets.ISO_8859_1).equals(name);
  }

  private int littleEndian(int at, int count) {
    int value = 0;
    for (int i = count - 1; i >= 0; i--) {
      value = value << 8 | (bytes[at + i] & 0xff);
    }
    return value;
  }

  private DamagedDataException damaged(int at, String problem) {
    return new DamagedDataException(file, "byte " + at, problem);
  }
}
