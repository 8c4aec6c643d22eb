package io.kindred.storage.disk;

import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.format.SafetensorsException;
import io.kindred.learning.data.format.SafetensorsHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.SortedMap;

/**
 * Reads the weights of a model from one safetensors file, block by block, so that a file is never
 * in memory as a whole.
 */
final class SafetensorsReader {
  private static final SafetensorsHeader.Type FLOAT = SafetensorsHeader.Type.F32;
  private static final int CHUNK_BYTES = 1 << 16;
  private static final String COUNTER = ".num_batches_tracked";

  private final Path file;
  private final Layout layout;

  SafetensorsReader(Path file, Layout layout) {
    this.file = file;
    this.layout = layout;
  }

  /** Every block of the layout and nothing else. */
  Weights read() throws IOException {
    return read(new float[layout.size()], true);
  }

  /** The blocks that the file has; the others keep their values. */
  Weights readOver(Weights others) throws IOException {
    return read(others.copy(), false);
  }

  private Weights read(float[] values, boolean whole) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      SafetensorsHeader header = header(channel);
      SortedMap<String, SafetensorsHeader.Tensor> entries = header.tensors();
      if (whole) {
        requireNoOthers(entries);
      } else {
        requireAny(entries);
      }
      for (Layout.Block block : layout.blocks()) {
        if (whole || entries.get(block.name()) != null) {
          readBlock(channel, header.dataStart() + entryOf(block, entries).from(), block, values);
        }
      }
      return Weights.wrap(layout, values);
    }
  }

  private void requireAny(SortedMap<String, SafetensorsHeader.Tensor> entries)
      throws DamagedFileException {
    List<String> wanted = layout.blocks().stream().map(Layout.Block::name).toList();
    if (wanted.stream().noneMatch(name -> entries.get(name) != null)) {
      throw damaged(
          "belongs to another model", "some of the tensors " + wanted, entries.keySet().toString());
    }
  }

  private SafetensorsHeader header(FileChannel channel) throws IOException {
    long size = channel.size();
    try {
      SafetensorsHeader.requireLengthBytes(size);
      long claimed = readAt(channel, 0, SafetensorsHeader.LENGTH_BYTES).getLong();
      int length = SafetensorsHeader.checkedLength(claimed, size);
      return SafetensorsHeader.parse(readAt(channel, SafetensorsHeader.LENGTH_BYTES, length), size);
    } catch (SafetensorsException e) {
      throw damaged(e.problem(), e.expected(), e.found());
    }
  }

  private void requireNoOthers(SortedMap<String, SafetensorsHeader.Tensor> entries)
      throws DamagedFileException {
    List<String> wanted = layout.blocks().stream().map(Layout.Block::name).toList();
    for (String name : entries.keySet()) {
      if (!wanted.contains(name) && !name.endsWith(COUNTER)) {
        throw damaged("belongs to another model", "tensors " + wanted, name);
      }
    }
  }

  private SafetensorsHeader.Tensor entryOf(
      Layout.Block block, SortedMap<String, SafetensorsHeader.Tensor> entries)
      throws DamagedFileException {
    SafetensorsHeader.Tensor entry = entries.get(block.name());
    if (entry == null) {
      throw damaged("belongs to another model", "a tensor " + block.name(), "none of that name");
    }
    requireSame("dtype of " + block.name(), FLOAT.name(), entry.type());
    List<Long> shape = block.shape().stream().map(Integer::longValue).toList();
    requireSame("shape of " + block.name(), shape, entry.shape());
    requireSame("size of " + block.name(), (long) FLOAT.bytes() * block.size(), entry.bytes());
    return entry;
  }

  private void requireSame(String what, Object expected, Object found) throws DamagedFileException {
    if (!expected.equals(found)) {
      throw damaged("has a wrong " + what, expected.toString(), found.toString());
    }
  }

  private void readBlock(FileChannel channel, long start, Layout.Block block, float[] values)
      throws IOException {
    long bytes = (long) FLOAT.bytes() * block.size();
    for (long done = 0; done < bytes; done += CHUNK_BYTES) {
      ByteBuffer chunk = readAt(channel, start + done, (int) Math.min(CHUNK_BYTES, bytes - done));
      int first = (int) (done / FLOAT.bytes());
      for (int i = 0; i < chunk.limit() / FLOAT.bytes(); i++) {
        float value = FLOAT.floatAt(chunk, FLOAT.bytes() * i);
        if (!Float.isFinite(value)) {
          throw damaged(
              "has a wrong value %d of %s".formatted(first + i, block.name()),
              "a finite number",
              Float.toString(value));
        }
        values[block.offset() + first + i] = value;
      }
    }
  }

  private ByteBuffer readAt(FileChannel channel, long position, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, position + bytes.position()) < 0) {
        throw damaged("became shorter while it was read", "more bytes", channel.size() + " bytes");
      }
    }
    return bytes.flip();
  }

  private DamagedFileException damaged(String what, String expected, String found) {
    return new DamagedFileException(
        file,
        "weights %s: the file %s; expected %s, found %s".formatted(file, what, expected, found),
        expected,
        found);
  }
}
