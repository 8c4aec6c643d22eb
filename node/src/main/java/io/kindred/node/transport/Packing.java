package io.kindred.node.transport;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.kindred.core.config.Setting;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.signature.Precision;
import io.kindred.protocol.wire.MalformedException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The form in which weights are sent. A message names a vector by the digest of what arrives, so
 * with shorter values that is the rounded vector; compression is lossless.
 */
public record Packing(
    @Setting(
            doc =
                "number format in which weights are sent; every node must support bfloat16 if"
                    + " one uses it",
            fallback = "float32")
        Values values,
    @Setting(doc = "whether sent weights are compressed with zstd", fallback = "false")
        boolean compress) {
  /** Number format of a weight in transit. */
  public enum Values {
    /** The exact weight. */
    FLOAT32,
    /** The upper half of the bits: the whole range with eight significant bits. */
    BFLOAT16
  }

  public static final Packing NONE = new Packing(Values.FLOAT32, false);

  private static final int BFLOAT16_FLAG = 1;
  private static final int COMPRESSED_FLAG = 2;
  private static final int ZSTD_LEVEL = 1;

  /** Code of this packing in a header. */
  int code() {
    return (values == Values.BFLOAT16 ? BFLOAT16_FLAG : 0) | (compress ? COMPRESSED_FLAG : 0);
  }

  public static Packing of(int code) throws MalformedException {
    if (code < 0 || code > (BFLOAT16_FLAG | COMPRESSED_FLAG)) {
      throw new MalformedException("the weights have the unknown packing " + code + "");
    }
    return new Packing(
        (code & BFLOAT16_FLAG) == 0 ? Values.FLOAT32 : Values.BFLOAT16,
        (code & COMPRESSED_FLAG) != 0);
  }

  private int bytesPerWeight() {
    return values == Values.BFLOAT16 ? Short.BYTES : Float.BYTES;
  }

  /** Bytes of so many weights in transit, before compression. */
  public long bytes(long weights) {
    return bytesPerWeight() * weights;
  }

  /** The vector as it will arrive. */
  public Weights roundedAsSent(Weights weights) {
    if (values == Values.FLOAT32) {
      return weights;
    }
    float[] rounded = weights.copy();
    for (int i = 0; i < rounded.length; i++) {
      rounded[i] = Float.intBitsToFloat(Precision.toBfloat16Bits(rounded[i]) << Short.SIZE);
    }
    return Weights.wrap(weights.layout(), rounded);
  }

  public byte[] pack(float[] weights, int from, int count) {
    ByteBuffer plain = ByteBuffer.allocate(count * bytesPerWeight()).order(ByteOrder.LITTLE_ENDIAN);
    if (values == Values.FLOAT32) {
      plain.asFloatBuffer().put(weights, from, count);
    } else {
      for (int i = from; i < from + count; i++) {
        plain.putShort((short) (Float.floatToRawIntBits(weights[i]) >>> Short.SIZE));
      }
    }
    return compress
        ? Zstd.compress(transposed(plain.array(), count, bytesPerWeight()), ZSTD_LEVEL)
        : plain.array();
  }

  /** Unpacks a frame to 32 bits a weight; rejects a frame of more weights than still fit. */
  public byte[] unpack(byte[] frame, int most) throws MalformedException {
    byte[] plain = compress ? decompress(frame, most) : frame;
    int count = plain.length / bytesPerWeight();
    if (count > most) {
      throw new MalformedException("the message has more weights than its header announces");
    }
    if (count == 0 || plain.length % bytesPerWeight() != 0) {
      throw new MalformedException(
          "a frame of " + plain.length + " bytes is not a whole number of weights");
    }
    if (values == Values.FLOAT32) {
      return plain;
    }
    byte[] wide = new byte[count * Float.BYTES];
    for (int i = 0; i < count; i++) {
      wide[4 * i + 2] = plain[2 * i];
      wide[4 * i + 3] = plain[2 * i + 1];
    }
    return wide;
  }

  private byte[] decompress(byte[] frame, int most) throws MalformedException {
    // The library cannot read the size of an empty frame.
    long size = frame.length == 0 ? 0 : Zstd.getFrameContentSize(frame);
    if (size <= 0 || size > Math.min(NodeRpc.CHUNK_BYTES, (long) most * bytesPerWeight())) {
      throw new MalformedException("a compressed frame of " + size + " bytes");
    }
    byte[] bytes = new byte[(int) size];
    try {
      long read = Zstd.decompress(bytes, frame);
      if (Zstd.isError(read) || read != size) {
        throw new MalformedException("a compressed frame cannot be decompressed");
      }
    } catch (ZstdException damaged) {
      throw new MalformedException("a compressed frame cannot be decompressed");
    }
    return size % bytesPerWeight() == 0
        ? transposed(bytes, bytesPerWeight(), bytes.length / bytesPerWeight())
        : bytes;
  }

  /**
   * Transposes a table of bytes, given row by row. The high bytes of weights resemble each other;
   * side by side they compress well, between noisy low bytes they do not.
   */
  private static byte[] transposed(byte[] bytes, int rows, int columns) {
    byte[] transposed = Arrays.copyOf(bytes, bytes.length);
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        transposed[column * rows + row] = bytes[row * columns + column];
      }
    }
    return transposed;
  }
}
