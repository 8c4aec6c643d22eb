package io.kindred.protocol.wire;

import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Weights;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A growing byte buffer; weights written to it leave a reference, and go to the sink themselves. An
 * output may also only count the bytes.
 */
public final class WireOutput {
  private static final int INITIAL_BYTES = 128;
  private static final int COUNTER_BYTES = 16;

  /** The most bytes of one number: a 64-bit number in groups of seven bits. */
  private static final int LONGEST_NUMBER = 10;

  private byte[] bytes;
  private final boolean countsOnly;
  // In an output that only counts, the bytes before those in the buffer.
  private int counted;
  private int size;
  private final UnaryOperator<Weights> weightsTransform;
  private final Consumer<Weights> weightsSink;

  public WireOutput(Consumer<Weights> weightsSink) {
    this(UnaryOperator.identity(), weightsSink);
  }

  /** Transforms weights before it writes their reference and passes them to the sink. */
  WireOutput(UnaryOperator<Weights> weightsTransform, Consumer<Weights> weightsSink) {
    this(false, weightsTransform, weightsSink);
  }

  private WireOutput(
      boolean countsOnly, UnaryOperator<Weights> weightsTransform, Consumer<Weights> weightsSink) {
    this.countsOnly = countsOnly;
    this.weightsTransform = weightsTransform;
    this.weightsSink = weightsSink;
    bytes = new byte[countsOnly ? COUNTER_BYTES : INITIAL_BYTES];
  }

  /** An output that counts the bytes and keeps none of them. */
  static WireOutput counter(Consumer<Weights> weightsSink) {
    return new WireOutput(true, UnaryOperator.identity(), weightsSink);
  }

  public byte[] toBytes() {
    if (countsOnly) {
      throw new IllegalStateException("an output that only counts has no bytes");
    }
    return Arrays.copyOf(bytes, size);
  }

  /** The number of bytes written so far. */
  public int size() {
    return counted + size;
  }

  /** Adds the bytes from one position to another to a hash. */
  public void updateDigest(MessageDigest digest, int from, int to) {
    digest.update(bytes, from, to - from);
  }

  /** Starts again with no bytes, and with the buffer that it has. */
  public void clear() {
    counted = 0;
    size = 0;
  }

  public void writeByte(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
  }

  public void writeBytes(byte[] values) {
    if (countsOnly) {
      counted += values.length;
      return;
    }
    reserve(values.length);
    System.arraycopy(values, 0, bytes, size, values.length);
    size += values.length;
  }

  /** Writes bytes that are made only if they are needed, and of which there are {@code count}. */
  public void writeBytes(int count, Supplier<byte[]> values) {
    if (countsOnly) {
      counted += count;
    } else {
      writeBytes(values.get());
    }
  }

  /** Seven bits a byte, low bits first: small counts take one byte. */
  public void writeCount(int value) {
    writeUnsigned(value & 0xffff_ffffL);
  }

  /** Zigzag, so that small numbers of either sign are short. */
  public void writeLong(long value) {
    writeUnsigned((value << 1) ^ (value >> 63));
  }

  public void writeDouble(double value) {
    writeFixed(Double.doubleToRawLongBits(value), 8);
  }

  public void writeFloat(float value) {
    writeFixed(Float.floatToRawIntBits(value), 4);
  }

  public void writeText(String text) {
    if (isAscii(text)) {
      writeAscii(text);
      return;
    }
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    writeCount(utf8.length);
    writeBytes(utf8);
  }

  /** Such as the names of messages and components, which are in every event. */
  private void writeAscii(String text) {
    int length = text.length();
    writeCount(length);
    if (countsOnly) {
      counted += length;
      return;
    }
    reserve(length);
    for (int i = 0; i < length; i++) {
      bytes[size++] = (byte) text.charAt(i);
    }
  }

  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0x7f) {
        return false;
      }
    }
    return true;
  }

  public void writeWeights(Weights weights) {
    Weights transformed = weightsTransform.apply(weights);
    writeBytes(Digest.BYTES, () -> transformed.digest().bytes());
    writeLong(transformed.bytes());
    weightsSink.accept(transformed);
  }

  private void writeUnsigned(long value) {
    reserve(LONGEST_NUMBER);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes[size++] = (byte) ((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  private void writeFixed(long bits, int count) {
    reserve(count);
    for (int i = 0; i < count; i++) {
      bytes[size++] = (byte) (bits >>> (8 * i));
    }
  }

  private void reserve(int more) {
    if (countsOnly) {
      counted += size;
      size = 0;
    }
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }
}
