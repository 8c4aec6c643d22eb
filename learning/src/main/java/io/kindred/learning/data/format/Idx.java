package io.kindred.learning.data.format;

import io.kindred.core.weights.Ints;
import io.kindred.learning.data.DamagedDataException;
import java.util.ArrayList;
import java.util.List;

/**
 * The idx format of the MNIST family: two zero bytes, a type, the number of dimensions, each extent
 * as four big-endian bytes, then the values, which are unsigned bytes or big-endian shorts here.
 */
public final class Idx {
  private static final int UNSIGNED_BYTE = 8;
  private static final int SHORT = 11;

  private final String file;
  private final byte[] bytes;
  private final List<Integer> extents;
  private final int start;

  private Idx(String file, byte[] bytes, List<Integer> extents, int start) {
    this.file = file;
    this.bytes = bytes;
    this.extents = extents;
    this.start = start;
  }

  /** A file of unsigned bytes. */
  public static Idx parse(String file, byte[] bytes, int dimensions) {
    return parse(file, bytes, dimensions, UNSIGNED_BYTE, "unsigned bytes");
  }

  /** A file of signed 16-bit values. */
  public static Idx parseShorts(String file, byte[] bytes, int dimensions) {
    return parse(file, bytes, dimensions, SHORT, "16-bit values");
  }

  private static Idx parse(String file, byte[] bytes, int dimensions, int type, String values) {
    if (bytes.length < 4) {
      throw new DamagedDataException(
          file, "byte " + bytes.length, "the file ends within its header");
    }
    if (bytes[0] != 0 || bytes[1] != 0 || bytes[2] != type) {
      throw new DamagedDataException(file, "byte 0", "not an idx file of " + values);
    }
    if (bytes[3] != dimensions) {
      throw new DamagedDataException(
          file, "byte 3", bytes[3] + " dimensions, but " + dimensions + " are expected");
    }
    int start = 4 + 4 * dimensions;
    if (bytes.length < start) {
      throw new DamagedDataException(
          file, "byte " + bytes.length, "the file ends within its header");
    }
    List<Integer> extents = new ArrayList<>();
    long size = 1;
    for (int d = 0; d < dimensions; d++) {
      int extent = bigEndian(bytes, 4 + 4 * d);
      if (extent <= 0) {
        throw new DamagedDataException(
            file, "byte " + (4 + 4 * d), "a dimension of size " + extent);
      }
      extents.add(extent);
      size *= extent;
      if (size > bytes.length) {
        break;
      }
    }
    int valueBytes = type == SHORT ? 2 : 1;
    if (size * valueBytes != bytes.length - start) {
      throw new DamagedDataException(
          file,
          "byte " + bytes.length,
          "the header announces "
              + size
              + " values or more, but the file holds "
              + (bytes.length - start) / valueBytes);
    }
    return new Idx(file, bytes, extents, start);
  }

  private static int bigEndian(byte[] bytes, int at) {
    return (bytes[at] & 0xff) << 24
        | (bytes[at + 1] & 0xff) << 16
        | (bytes[at + 2] & 0xff) << 8
        | (bytes[at + 3] & 0xff);
  }

  public int extent(int dimension) {
    return extents.get(dimension);
  }

  /** The values of the first entries along the first dimension. */
  public byte[] values(int entries) {
    int width = (bytes.length - start) / extents.getFirst();
    byte[] values = new byte[entries * width];
    System.arraycopy(bytes, start, values, 0, values.length);
    return values;
  }

  /** One value of a file of shorts. */
  public short shortAt(int index) {
    return (short) (bytes[start + 2 * index] << 8 | (bytes[start + 2 * index + 1] & 0xff));
  }

  /** One value of a file of bytes. */
  int byteAt(int index) {
    return bytes[start + index] & 0xff;
  }

  /** The first values as labels, each below the number of classes. */
  public Ints labels(int entries, int classes) {
    return labels(entries, 0, classes);
  }

  /** The first values as labels of a file whose classes are numbered from {@code first} on. */
  public Ints labels(int entries, int first, int classes) {
    int[] labels = new int[entries];
    for (int i = 0; i < entries; i++) {
      labels[i] = byteAt(i) - first;
      if (labels[i] < 0 || labels[i] >= classes) {
        throw new DamagedDataException(
            file, "record " + i, "label " + byteAt(i) + " of " + classes + " classes");
      }
    }
    return Ints.wrap(labels);
  }
}
