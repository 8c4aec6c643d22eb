package io.kindred.storage.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Samples in the safetensors format, as an owner's data: {@code features} with a row of 32-bit
 * floats for each sample, and {@code labels} as 32-bit integers.
 */
public final class LabelledSamples {
  private LabelledSamples() {}

  /** Copies the values of a sample to the start of an array. */
  @FunctionalInterface
  public interface Rows {
    void copy(int sample, float[] into);
  }

  /**
   * Writes samples row by row.
   *
   * @param shape of one sample
   */
  public static void write(Path file, List<Integer> shape, Rows rows, int[] labels)
      throws IOException {
    int width = shape.stream().reduce(1, Math::multiplyExact);
    byte[] header = header(shape, 4L * width * labels.length, labels.length);
    AtomicFile.write(
        file,
        out -> {
          byte[] length = new byte[Long.BYTES];
          littleEndian(length).putLong(header.length);
          out.write(length);
          out.write(header);
          float[] row = new float[width];
          byte[] values = new byte[Float.BYTES * width];
          for (int sample = 0; sample < labels.length; sample++) {
            rows.copy(sample, row);
            littleEndian(values).asFloatBuffer().put(row);
            out.write(values);
          }
          byte[] numbers = new byte[Integer.BYTES * labels.length];
          littleEndian(numbers).asIntBuffer().put(labels);
          out.write(numbers);
        });
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Padded with spaces so that the values start at a multiple of eight. */
  private static byte[] header(List<Integer> shape, long featureBytes, int count) {
    String sizes =
        IntStream.concat(IntStream.of(count), shape.stream().mapToInt(Integer::intValue))
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(","));
    String json =
        ("{\"features\":{\"dtype\":\"F32\",\"shape\":[%s],\"data_offsets\":[0,%d]},"
                + "\"labels\":{\"dtype\":\"I32\",\"shape\":[%d],\"data_offsets\":[%d,%d]}}")
            .formatted(
                sizes,
                featureBytes,
                count,
                featureBytes,
                featureBytes + (long) Integer.BYTES * count);
    int padded = (json.length() + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
    return (json + " ".repeat(padded - json.length())).getBytes(StandardCharsets.UTF_8);
  }
}
