package io.kindred.protocol.wire;

import io.kindred.core.weights.Bytes;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import org.jspecify.annotations.Nullable;

/** Codecs of the types that need no deriving. */
final class SimpleCodecs {
  private SimpleCodecs() {}

  private interface Writer<T> {
    void write(T value, WireOutput out);
  }

  private interface Reader<T> {
    T read(WireInput in) throws MalformedException;
  }

  private record Simple<T>(Class<T> type, Writer<T> writer, Reader<T> reader) implements Codec {
    @Override
    public void write(Object value, WireOutput out) {
      writer.write(type.cast(value), out);
    }

    @Override
    public Object read(WireInput in) throws MalformedException {
      return reader.read(in);
    }
  }

  static @Nullable Codec find(Class<?> type) {
    if (type == int.class || type == Integer.class) {
      return new Simple<>(Integer.class, (value, out) -> out.writeLong(value), WireInput::readInt);
    }
    if (type == long.class || type == Long.class) {
      return new Simple<>(Long.class, (value, out) -> out.writeLong(value), WireInput::readLong);
    }
    if (type == double.class || type == Double.class) {
      return new Simple<>(
          Double.class, (value, out) -> out.writeDouble(value), WireInput::readDouble);
    }
    if (type == float.class || type == Float.class) {
      return new Simple<>(Float.class, (value, out) -> out.writeFloat(value), WireInput::readFloat);
    }
    if (type == boolean.class || type == Boolean.class) {
      return new Simple<>(
          Boolean.class,
          (value, out) -> out.writeByte(value ? 1 : 0),
          in -> in.readOrdinal(2, "truth value") == 1);
    }
    if (type == String.class) {
      return new Simple<>(String.class, (value, out) -> out.writeText(value), WireInput::readText);
    }
    return findVector(type);
  }

  private static @Nullable Codec findVector(Class<?> type) {
    if (type == Weights.class) {
      return new Simple<>(
          Weights.class, (value, out) -> out.writeWeights(value), WireInput::readWeights);
    }
    if (type == Floats.class) {
      return new Simple<>(Floats.class, SimpleCodecs::writeFloats, SimpleCodecs::readFloats);
    }
    if (type == Ints.class) {
      return new Simple<>(Ints.class, SimpleCodecs::writeInts, SimpleCodecs::readInts);
    }
    if (type == Bytes.class) {
      return new Simple<>(Bytes.class, SimpleCodecs::writeBytes, SimpleCodecs::readBytes);
    }
    return null;
  }

  private static void writeBytes(Bytes values, WireOutput out) {
    out.writeCount(values.size());
    out.writeBytes(values.shared());
  }

  private static Bytes readBytes(WireInput in) throws MalformedException {
    return Bytes.wrap(in.readBytes(in.readCount(1)));
  }

  private static void writeFloats(Floats values, WireOutput out) {
    out.writeCount(values.size());
    for (int i = 0; i < values.size(); i++) {
      out.writeFloat(values.get(i));
    }
  }

  private static Floats readFloats(WireInput in) throws MalformedException {
    float[] values = new float[in.readCount(Float.BYTES)];
    for (int i = 0; i < values.length; i++) {
      values[i] = in.readFloat();
    }
    return Floats.wrap(values);
  }

  private static void writeInts(Ints values, WireOutput out) {
    out.writeCount(values.size());
    for (int i = 0; i < values.size(); i++) {
      out.writeLong(values.get(i));
    }
  }

  private static Ints readInts(WireInput in) throws MalformedException {
    int[] values = new int[in.readCount(1)];
    for (int i = 0; i < values.length; i++) {
      values[i] = in.readInt();
    }
    return Ints.wrap(values);
  }
}
