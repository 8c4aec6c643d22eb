package io.kindred.node.transport;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.kindred.core.settings.Setting;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.signatures.Precision;
import io.kindred.protocol.wire.MalformedException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The form that weights have on their way. What a message names by digest is the vector as it
 * arrives, so with shorter values it is the rounded one; compressing loses nothing.
 */
public record Packing(
    @Setting(
            doc = "how exactly a weight travels; all nodes must know of the shorter form",
            fallback = "float32")
        Values values,
    @Setting(doc = "whether weights are compressed with zstd on their way", fallback = "false")
        boolean compress) {
  /** In how many bits a weight travels. */
  public enum Values {
    /** As it is. */
    FLOAT32,
    /** Its upper half: the whole range with eight significant bits. */
    BFLOAT16
  }

  public static final Packing NONE = new Packing(Values.FLOAT32, false);

  private static final int SHORT = 1;
  private static final int COMPRESSED = 2;
  private static final int LEVEL = 1;

  /** What stands for it in a header. */
  int code() {
    return (values == Values.BFLOAT16 ? SHORT : 0) | (compress ? COMPRESSED : 0);
  }

  static Packing of(int code) throws MalformedException {
    if (code < 0 || code > (SHORT | COMPRESSED)) {
      throw new MalformedException("weights packed in a way " + code + " that is not known");
    }
    return new Packing(
        (code & SHORT) == 0 ? Values.FLOAT32 : Values.BFLOAT16, (code & COMPRESSED) != 0);
  }

  private int width() {
    return values == Values.BFLOAT16 ? Short.BYTES : Float.BYTES;
  }

  /** What weights take on the way before anything is compressed. */
  public long bytes(long weights) {
    return width() * weights;
  }

  /** The vector as it will arrive. */
  public Weights asSent(Weights weights) {
    if (values == Values.FLOAT32) {
      return weights;
    }
    float[] rounded = weights.copy();
    for (int i = 0; i < rounded.length; i++) {
      rounded[i] = Float.intBitsToFloat(Precision.upperHalf(rounded[i]) << Short.SIZE);
    }
    return Weights.wrap(weights.layout(), rounded);
  }

  byte[] pack(float[] weights, int from, int count) {
    ByteBuffer plain = ByteBuffer.allocate(count * width()).order(ByteOrder.LITTLE_ENDIAN);
    if (values == Values.FLOAT32) {
      plain.asFloatBuffer().put(weights, from, count);
    } else {
      for (int i = from; i < from + count; i++) {
        plain.putShort((short) (Float.floatToRawIntBits(weights[i]) >>> Short.SIZE));
      }
    }
    return compress
        ? Zstd.compress(transposed(plain.array(), count, width()), LEVEL)
        : plain.array();
  }

  /** The same weights in 32 bits each; never more than fit. */
  byte[] unpack(byte[] frame, int most) throws MalformedException {
    byte[] plain = compress ? expanded(frame, most) : frame;
    int count = plain.length / width();
    if (count > most) {
      throw new MalformedException("more bytes than were announced");
    }
    if (count == 0 || plain.length % width() != 0) {
      throw new MalformedException("a frame of " + plain.length + " bytes, not of whole weights");
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

  private byte[] expanded(byte[] frame, int most) throws MalformedException {
    // Of nothing the library cannot tell the size.
    long size = frame.length == 0 ? 0 : Zstd.getFrameContentSize(frame);
    if (size <= 0 || size > Math.min(PostalService.CHUNK_BYTES, (long) most * width())) {
      throw new MalformedException("a compressed frame of " + size + " bytes");
    }
    byte[] bytes = new byte[(int) size];
    try {
      long read = Zstd.decompress(bytes, frame);
      if (Zstd.isError(read) || read != size) {
        throw new MalformedException("a compressed frame that cannot be read");
      }
    } catch (ZstdException damaged) {
      throw new MalformedException("a compressed frame that cannot be read");
    }
    return size % width() == 0 ? transposed(bytes, width(), bytes.length / width()) : bytes;
  }

  /**
   * The bytes of a table of rows, column by column. First bytes of weights resemble each other, and
   * so do exponents; side by side they compress, in between noise they do not.
   */
  private static byte[] transposed(byte[] bytes, int rows, int columns) {
    byte[] turned = Arrays.copyOf(bytes, bytes.length);
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        turned[column * rows + row] = bytes[row * columns + column];
      }
    }
    return turned;
  }
}
