package io.kindred.protocol.wire;

import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Weights;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link WireOutput} wrote. The bytes may be hostile: a count is refused unless as many
 * bytes are left, so nothing is allocated beyond the size of the input.
 */
public final class WireInput {
  private final byte[] bytes;
  private final Function<Digest, @Nullable Weights> weightsSource;
  private int position;

  public WireInput(byte[] bytes, Function<Digest, @Nullable Weights> weightsSource) {
    this.bytes = bytes;
    this.weightsSource = weightsSource;
  }

  public int remaining() {
    return bytes.length - position;
  }

  public int readByte() throws MalformedException {
    require(1, "a byte");
    return bytes[position++] & 0xff;
  }

  public byte[] readBytes(int count) throws MalformedException {
    require(count, count + " bytes");
    byte[] copy = new byte[count];
    System.arraycopy(bytes, position, copy, 0, count);
    position += count;
    return copy;
  }

  /**
   * A count of elements of at least this many bytes each; refused where the input is too short for
   * them.
   */
  public int readCount(int leastBytesEach) throws MalformedException {
    long count = readUnsigned();
    if (count < 0 || count > remaining() / Math.max(1, leastBytesEach)) {
      throw new MalformedException(
          "count " + Long.toUnsignedString(count) + " with " + remaining() + " bytes left");
    }
    return (int) count;
  }

  /** A small number such as a position in a family of types. */
  public int readOrdinal(int limit, String what) throws MalformedException {
    long ordinal = readUnsigned();
    if (ordinal < 0 || ordinal >= limit) {
      throw new MalformedException("no " + what + " number " + Long.toUnsignedString(ordinal));
    }
    return (int) ordinal;
  }

  public long readLong() throws MalformedException {
    long zigzag = readUnsigned();
    return (zigzag >>> 1) ^ -(zigzag & 1);
  }

  public int readInt() throws MalformedException {
    long value = readLong();
    if (value != (int) value) {
      throw new MalformedException(value + " does not fit into 32 bits");
    }
    return (int) value;
  }

  public double readDouble() throws MalformedException {
    return Double.longBitsToDouble(readFixed(8));
  }

  public float readFloat() throws MalformedException {
    return Float.intBitsToFloat((int) readFixed(4));
  }

  public String readText() throws MalformedException {
    byte[] utf8 = readBytes(readCount(1));
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedException("text is not UTF-8");
    }
  }

  public Weights readWeights() throws MalformedException {
    Digest digest = Digest.ofHash(readBytes(Digest.BYTES));
    long size = readLong();
    Weights weights = weightsSource.apply(digest);
    if (weights == null) {
      throw new MalformedException("weights " + digest + " are not available");
    }
    if (weights.bytes() != size) {
      throw new MalformedException(
          "weights " + digest + " have " + weights.bytes() + " bytes, not " + size);
    }
    return weights;
  }

  private long readUnsigned() throws MalformedException {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int next = readByte();
      // The tenth byte has room for one bit only.
      if (shift == 63 && next > 1) {
        break;
      }
      value |= (next & 0x7fL) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw new MalformedException("a number of more than 64 bits");
  }

  private long readFixed(int count) throws MalformedException {
    require(count, "a number");
    long bits = 0;
    for (int i = 0; i < count; i++) {
      bits |= (bytes[position++] & 0xffL) << (8 * i);
    }
    return bits;
  }

  private void require(int count, String what) throws MalformedException {
    if (count > remaining()) {
      throw new MalformedException(
          "expected " + what + " at byte " + position + ", but the input ends");
    }
  }
}
