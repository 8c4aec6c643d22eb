package io.kindred.learning.data.audio;

import io.kindred.learning.data.DamagedDataException;
import java.nio.charset.StandardCharsets;

/**
 * A WAV file of plain PCM, 8 bits unsigned or 16, 24 or 32 bits signed, or of 32-bit floats; one
 * channel or several, which are averaged. Values lie between -1 and 1.
 */
final class Wav {
  private static final int PCM = 1;
  private static final int FLOATS = 3;
  private static final int EXTENSIBLE = 0xfffe;
  private static final int HIGHEST_RATE = 768_000;

  private final String file;
  private final byte[] bytes;
  private int channels;
  private int rate;
  private int bits;
  private boolean floats;

  private Wav(String file, byte[] bytes) {
    this.file = file;
    this.bytes = bytes;
  }

  /** The values of a sound and how many of them are one second. */
  @SuppressWarnings("ArrayRecordComponent") // sounds are never compared
  record Sound(float[] values, int rate) {}

  /** Decodes a file at the rate that it has. */
  static Sound read(String file, byte[] bytes) {
    Wav wav = new Wav(file, bytes);
    return new Sound(wav.sound(), wav.rate);
  }

  /** Decodes a file and resamples it to the given rate. */
  static float[] decode(String file, byte[] bytes, int rate) {
    Sound sound = read(file, bytes);
    return Resampler.resample(sound.values, sound.rate, rate);
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
    floats = kind == FLOATS && bits == 32;
    if (!floats && (kind != PCM || bits % 8 != 0 || bits < 8 || bits > 32)) {
      throw damaged(
          start,
          "only PCM of 8, 16, 24 or 32 bits and floats of 32 bits are supported, not format "
              + kind
              + " of "
              + bits);
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
        sum += value(start + i * frameBytes + channel * bits / 8);
      }
      sound[i] = sum / channels;
    }
    return sound;
  }

  /** One value between -1 and 1. */
  private float value(int at) {
    if (floats) {
      float value = Float.intBitsToFloat(littleEndian(at, 4));
      if (!Float.isFinite(value)) {
        throw damaged(at, "a value is " + value);
      }
      return value;
    }
    if (bits == 8) {
      return ((bytes[at] & 0xff) - 128) / 128f;
    }
    int unused = Integer.SIZE - bits;
    // The shifts copy the sign to all bits above.
    return (littleEndian(at, bits / 8) << unused >> unused) / (float) (1L << (bits - 1));
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
