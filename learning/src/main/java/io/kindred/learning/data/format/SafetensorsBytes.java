package io.kindred.learning.data.format;

import io.kindred.learning.data.DamagedDataException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The named tensors of a safetensors file: the length of a JSON header (8 bytes, little-endian),
 * the header with type, shape and byte range of each tensor, then the values.
 */
final class SafetensorsBytes {
  private static final String METADATA = "__metadata__";

  /** The supported value types. */
  enum Type {
    U8(1),
    I32(4),
    I64(8),
    F32(4),
    F64(8);

    private final int bytes;

    Type(int bytes) {
      this.bytes = bytes;
    }
  }

  /** The header entry of one tensor; {@code start} counts from the beginning of the file. */
  record Tensor(String name, String type, List<Integer> shape, int start, long bytes) {
    int size() {
      return shape.stream().reduce(1, Math::multiplyExact);
    }
  }

  private final String file;
  private final byte[] bytes;
  private final SortedMap<String, Tensor> tensors = new TreeMap<>();

  SafetensorsBytes(String file, byte[] bytes) {
    this.file = file;
    this.bytes = bytes;
    if (bytes.length < Long.BYTES) {
      throw damaged(bytes.length, "the header ends");
    }
    long header = littleEndian(0, Long.BYTES);
    if (header < 2 || header > bytes.length - Long.BYTES) {
      throw damaged(0, "a header of " + Long.toUnsignedString(header) + " bytes");
    }
    int start = Long.BYTES + (int) header;
    JsonReader json = new JsonReader(file, bytes, Long.BYTES, start);
    json.object(
        name -> {
          if (name.equals(METADATA)) {
            json.skip();
          } else {
            tensors.put(name, tensor(json, name, start));
          }
        });
    json.finish();
  }

  private Tensor tensor(JsonReader json, String name, int start) {
    String[] type = {""};
    List<Double> shape = new ArrayList<>();
    List<Double> range = new ArrayList<>();
    json.object(
        key -> {
          switch (key) {
            case "dtype" -> type[0] = json.string();
            case "shape" -> shape.addAll(json.numbers());
            case "data_offsets" -> range.addAll(json.numbers());
            default -> json.skip();
          }
        });
    if (range.size() != 2
        || !(range.get(0) >= 0 && range.get(0) <= range.get(1))
        || range.get(1) > bytes.length - start) {
      throw json.damaged(
          "the range of " + name + " is " + range + " of " + (bytes.length - start) + " bytes");
    }
    List<Integer> extents = new ArrayList<>();
    for (double extent : shape) {
      if (!(extent >= 0 && extent <= bytes.length) || extent != Math.rint(extent)) {
        throw json.damaged("the shape of " + name + " is " + shape);
      }
      extents.add((int) extent);
    }
    int from = start + (int) (double) range.get(0);
    return new Tensor(name, type[0], extents, from, (long) (range.get(1) - range.get(0)));
  }

  Optional<Tensor> find(String name) {
    return Optional.ofNullable(tensors.get(name));
  }

  Tensor require(String name) {
    return find(name)
        .orElseThrow(
            () -> damaged(Long.BYTES, "there is no '" + name + "' among " + tensors.keySet()));
  }

  /** All values as floats. */
  float[] floats(Tensor tensor) {
    Type type = type(tensor);
    float[] values = new float[tensor.size()];
    for (int i = 0; i < values.length; i++) {
      int at = tensor.start() + i * type.bytes;
      values[i] =
          switch (type) {
            case U8, I32, I64 -> integerAt(type, at);
            case F32 -> Float.intBitsToFloat((int) littleEndian(at, 4));
            case F64 -> (float) Double.longBitsToDouble(littleEndian(at, 8));
          };
      if (!Float.isFinite(values[i])) {
        throw damaged(at, "value " + i + " of " + tensor.name() + " is " + values[i]);
      }
    }
    return values;
  }

  /** All values as non-negative integers. */
  int[] nonNegativeInts(Tensor tensor) {
    Type type = type(tensor);
    if (type == Type.F32 || type == Type.F64) {
      throw damaged(tensor.start(), tensor.name() + " must be of a whole type, not " + type);
    }
    int[] values = new int[tensor.size()];
    for (int i = 0; i < values.length; i++) {
      int at = tensor.start() + i * type.bytes;
      long value = integerAt(type, at);
      if (value < 0 || value > Integer.MAX_VALUE) {
        throw damaged(at, "value " + i + " of " + tensor.name() + " is " + value);
      }
      values[i] = (int) value;
    }
    return values;
  }

  private Type type(Tensor tensor) {
    for (Type type : Type.values()) {
      if (type.name().equals(tensor.type())) {
        if ((long) tensor.size() * type.bytes != tensor.bytes()) {
          throw damaged(
              tensor.start(),
              tensor.name() + " has " + tensor.bytes() + " bytes for the shape " + tensor.shape());
        }
        return type;
      }
    }
    throw damaged(
        Long.BYTES,
        tensor.name() + " is of type " + tensor.type() + "; U8, I32, I64, F32, F64 are read");
  }

  private long integerAt(Type type, int at) {
    long value = littleEndian(at, type.bytes);
    return type == Type.I32 ? (int) value : value;
  }

  private long littleEndian(int at, int count) {
    long value = 0;
    for (int i = count - 1; i >= 0; i--) {
      value = value << 8 | (bytes[at + i] & 0xff);
    }
    return value;
  }

  DamagedDataException damaged(int at, String problem) {
    return new DamagedDataException(file, "byte " + at, problem);
  }
}
