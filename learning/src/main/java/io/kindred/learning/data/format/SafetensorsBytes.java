package io.kindred.learning.data.format;

import io.kindred.learning.data.DamagedDataException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The named tensors of a safetensors file that lies in memory. */
final class SafetensorsBytes {
  /** The entry of one tensor; {@code start} counts from the beginning of the file. */
  record Tensor(String name, String type, List<Integer> shape, int start, int bytes) {
    int size() {
      return shape.stream().reduce(1, Math::multiplyExact);
    }
  }

  private final String file;
  private final ByteBuffer bytes;
  private final SortedMap<String, Tensor> tensors = new TreeMap<>();

  SafetensorsBytes(String file, byte[] bytes) {
    this.file = file;
    this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    try {
      SafetensorsHeader.requireLengthBytes(bytes.length);
      int length = SafetensorsHeader.checkedLength(this.bytes.getLong(0), bytes.length);
      SafetensorsHeader header =
          SafetensorsHeader.parse(
              ByteBuffer.wrap(bytes, SafetensorsHeader.LENGTH_BYTES, length), bytes.length);
      header.tensors().forEach((name, tensor) -> tensors.put(name, located(tensor, header)));
    } catch (SafetensorsException e) {
      throw new DamagedDataException(file, "byte " + e.position(), e.description());
    }
  }

  /** The header vouches for the range only; a shape may still claim more than the file holds. */
  private Tensor located(SafetensorsHeader.Tensor tensor, SafetensorsHeader header) {
    int start = (int) (header.dataStart() + tensor.from());
    long size = 1;
    for (long extent : tensor.shape()) {
      if (extent > bytes.capacity() || size * extent > bytes.capacity()) {
        throw damaged(start, "the shape of " + tensor.name() + " is " + tensor.shape());
      }
      size *= extent;
    }
    List<Integer> shape = tensor.shape().stream().map(Long::intValue).toList();
    return new Tensor(tensor.name(), tensor.type(), shape, start, (int) tensor.bytes());
  }

  Optional<Tensor> find(String name) {
    return Optional.ofNullable(tensors.get(name));
  }

  Tensor require(String name) {
    return find(name)
        .orElseThrow(
            () ->
                damaged(
                    SafetensorsHeader.LENGTH_BYTES,
                    "there is no tensor '" + name + "' among " + tensors.keySet()));
  }

  /** All values as floats. */
  float[] floats(Tensor tensor) {
    SafetensorsHeader.Type type = type(tensor);
    float[] values = new float[tensor.size()];
    for (int i = 0; i < values.length; i++) {
      int at = tensor.start() + i * type.bytes();
      values[i] = type.floatAt(bytes, at);
      if (!Float.isFinite(values[i])) {
        throw damaged(at, "value " + i + " of " + tensor.name() + " is " + values[i]);
      }
    }
    return values;
  }

  /** All values as non-negative integers. */
  int[] nonNegativeInts(Tensor tensor) {
    SafetensorsHeader.Type type = type(tensor);
    if (!type.isInteger()) {
      throw damaged(tensor.start(), tensor.name() + " must have an integer type, not " + type);
    }
    int[] values = new int[tensor.size()];
    for (int i = 0; i < values.length; i++) {
      int at = tensor.start() + i * type.bytes();
      long value = type.integerAt(bytes, at);
      if (value < 0 || value > Integer.MAX_VALUE) {
        throw damaged(at, "value " + i + " of " + tensor.name() + " is " + value);
      }
      values[i] = (int) value;
    }
    return values;
  }

  private SafetensorsHeader.Type type(Tensor tensor) {
    for (SafetensorsHeader.Type type : SafetensorsHeader.Type.values()) {
      if (type.name().equals(tensor.type())) {
        if ((long) tensor.size() * type.bytes() != tensor.bytes()) {
          throw damaged(
              tensor.start(),
              tensor.name() + " has " + tensor.bytes() + " bytes for the shape " + tensor.shape());
        }
        return type;
      }
    }
    throw damaged(
        SafetensorsHeader.LENGTH_BYTES,
        tensor.name()
            + " is of type "
            + tensor.type()
            + "; only U8, I32, I64, F32 and F64 are supported");
  }

  DamagedDataException damaged(int at, String problem) {
    return new DamagedDataException(file, "byte " + at, problem);
  }
}
