package io.kindred.storage.disk;

import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Collectors;

/**
 * Weights in the safetensors format: the length of a JSON header (8 bytes, little-endian), the
 * header with name, shape and byte range of each block, then the values as little-endian 32-bit
 * floats.
 */
public final class Safetensors {
  private static final int CHUNK_FLOATS = 1 << 14;

  private Safetensors() {}

  public static void write(Path file, Weights weights) throws IOException {
    AtomicFile.write(
        file,
        out -> {
          byte[] header = header(weights.layout());
          out.write(
              ByteBuffer.allocate(Long.BYTES)
                  .order(ByteOrder.LITTLE_ENDIAN)
                  .putLong(header.length)
                  .array());
          out.write(header);
          writeValues(weights, out);
        });
  }

  /**
   * The weights of a model, which must have exactly this layout; anything else is a {@link
   * DamagedFileException} that says what is wrong and where. Tensors may lie in any order. Counters
   * that PyTorch keeps beside running statistics ({@code num_batches_tracked}) are skipped.
   */
  public static Weights read(Path file, Layout layout) throws IOException {
    return new SafetensorsReader(file, layout).read();
  }

  /**
   * The weights of a model that starts from a file: blocks that the file has by name are taken from
   * it, the others from the given weights. A block of another shape, or a file without any block of
   * the model, is refused as in {@link #read}; other contents of the file are skipped.
   */
  public static Weights readOver(Path file, Weights others) throws IOException {
    return new SafetensorsReader(file, others.layout()).readOver(others);
  }

  /**
   * Padded with spaces so that the values start at a multiple of eight, as the format recommends.
   */
  private static byte[] header(Layout layout) {
    String entries =
        layout.blocks().stream()
            .map(
                block ->
                    "\"%s\":{\"dtype\":\"F32\",\"shape\":[%s],\"data_offsets\":[%d,%d]}"
                        .formatted(
                            block.name(),
                            block.shape().stream()
                                .map(String::valueOf)
                                .collect(Collectors.joining(",")),
                            4L * block.offset(),
                            4L * block.end()))
            .collect(Collectors.joining(","));
    String json = "{\"__metadata__\":{\"format\":\"kindred\"}," + entries + "}";
    int padded = (json.length() + 7) / 8 * 8;
    return (json + " ".repeat(padded - json.length())).getBytes(StandardCharsets.UTF_8);
  }

  private static void writeValues(Weights weights, OutputStream out) throws IOException {
    float[] values = weights.shared();
    ByteBuffer chunk = ByteBuffer.allocate(4 * CHUNK_FLOATS).order(ByteOrder.LITTLE_ENDIAN);
    for (int from = 0; from < values.length; from += CHUNK_FLOATS) {
      int count = Math.min(CHUNK_FLOATS, values.length - from);
      chunk.clear().asFloatBuffer().put(values, from, count);
      out.write(chunk.array(), 0, 4 * count);
    }
  }
}
