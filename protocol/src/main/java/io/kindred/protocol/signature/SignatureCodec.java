package io.kindred.protocol.signature;

import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.protocol.wire.Codec;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.WireInput;
import io.kindred.protocol.wire.WireOutput;

/**
 * A signature on the wire: dimension, precision and count, then how many indices each entry skips,
 * then the values. A skip takes one byte up to 127, so at a tenth of the weights an entry with a
 * 16-bit value takes three bytes. With skips rather than distances, descending or repeated indices
 * cannot be encoded.
 */
final class SignatureCodec implements Codec {
  @Override
  public void write(Object value, WireOutput out) {
    Signature signature = (Signature) value;
    out.writeBytes(Math.toIntExact(signature.bytes()), signature::encoded);
  }

  @SuppressWarnings("EnumOrdinal") // the wire form is the position, as for every enum
  static byte[] encode(Signature signature) {
    WireOutput out = new WireOutput(weights -> {});
    out.writeCount(signature.dimension());
    out.writeCount(signature.precision().ordinal());
    out.writeCount(signature.size());
    int next = 0;
    for (int index : signature.indices().shared()) {
      out.writeCount(index - next);
      next = index + 1;
    }
    float[] values = signature.values().shared();
    switch (signature.precision()) {
      case FLOAT32 -> writeFloats(values, out);
      case BFLOAT16 -> writeBfloat16(values, out);
      case INT8 -> writeInt8(values, out);
    }
    return out.toBytes();
  }

  private static void writeFloats(float[] values, WireOutput out) {
    for (float value : values) {
      out.writeFloat(value);
    }
  }

  private static void writeBfloat16(float[] values, WireOutput out) {
    for (float value : values) {
      int bits = Precision.toBfloat16Bits(value);
      out.writeByte(bits);
      out.writeByte(bits >>> 8);
    }
  }

  private static void writeInt8(float[] values, WireOutput out) {
    float largest = Precision.scale(values);
    out.writeFloat(largest);
    for (float value : values) {
      out.writeByte(Precision.quantize(value, largest));
    }
  }

  @Override
  public Object read(WireInput in) throws MalformedException {
    int dimension = in.readOrdinal(Integer.MAX_VALUE, "dimension");
    Precision[] precisions = Precision.values();
    Precision precision = precisions[in.readOrdinal(precisions.length, "precision")];
    int[] indices = new int[in.readCount(1 + precision.bytes())];
    int next = 0;
    for (int i = 0; i < indices.length; i++) {
      indices[i] = next + in.readOrdinal(dimension - next, "place left to skip to,");
      next = indices[i] + 1;
    }
    float[] values = readValues(precision, indices.length, in);
    try {
      return Signature.of(dimension, precision, Ints.wrap(indices), Floats.wrap(values));
    } catch (IllegalArgumentException e) {
      throw new MalformedException("signature: " + e.getMessage());
    }
  }

  private static float[] readValues(Precision precision, int count, WireInput in)
      throws MalformedException {
    float[] values = new float[count];
    float largest = precision == Precision.INT8 ? in.readFloat() : 0;
    for (int i = 0; i < count; i++) {
      values[i] =
          switch (precision) {
            case FLOAT32 -> in.readFloat();
            case BFLOAT16 -> Float.intBitsToFloat((in.readByte() | (in.readByte() << 8)) << 16);
            case INT8 -> Precision.dequantize((byte) in.readByte(), largest);
          };
    }
    if (precision == Precision.INT8 && Float.compare(Precision.scale(values), largest) != 0) {
      throw new MalformedException("signature: the largest value differs from the scale");
    }
    return values;
  }

  /** The bytes that {@link #write} takes, without writing them. */
  static long size(Signature signature) {
    long skips = 0;
    int next = 0;
    for (int index : signature.indices().shared()) {
      skips += countBytes(index - next);
      next = index + 1;
    }
    int scale = signature.precision() == Precision.INT8 ? Float.BYTES : 0;
    return countBytes(signature.dimension())
        + 1
        + countBytes(signature.size())
        + skips
        + scale
        + (long) signature.precision().bytes() * signature.size();
  }

  private static int countBytes(int value) {
    return Math.max(1, (Integer.SIZE - Integer.numberOfLeadingZeros(value) + 6) / 7);
  }
}
