package io.kindred.protocol.wire;

import io.kindred.core.weights.Weights;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A growing byte buffer; weights written to it leave a reference, and go to the sink themselves.
 */
public final class WireOutput {
  private byte[] bytes = new byte[128];
  private int size;
  private final UnaryOperator<Weights> weightsTransform;
  private final Consumer<Weights> weightsSink;

  public WireOutput(Consumer<Weights> weightsSink) {
    this(UnaryOperator.identity(), weightsSink);
  }

  /** Transforms weights before it writes their reference and passes them to the sink. */
  WireOutput(UnaryOperator<Weights> weightsTransform, Consumer<Weights> weightsSink) {
    this.weightsTransform = weightsTransform;
    this.weightsSink = weightsSink;
  }

  public byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  public void writeByte(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
  }

  public void writeBytes(byte[] values) {
    reserve(values.length);
    System.arraycopy(values, 0, bytes, size, values.length);
    size += values.length;
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
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    writeCount(utf8.length);
    writeBytes(utf8);
  }

  public void writeWeights(Weights weights) {
    Weights transformed = weightsTransform.apply(weights);
    writeBytes(transformed.digest().bytes());
    writeLong(transformed.bytes());
    weightsSink.accept(transformed);
  }

  private void writeUnsigned(long value) {
    reserve(10);
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
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }
}
