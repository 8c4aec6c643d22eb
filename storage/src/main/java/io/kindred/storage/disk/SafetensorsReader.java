package io.kindred.storage.disk;

import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads one safetensors file strictly. Everything in the file is checked against the file's size
 * before it is used, so a hostile header costs no more memory than the file itself.
 */
final class SafetensorsReader {
  /** The format's own bound on headers. */
  private static final long MAX_HEADER_BYTES = 100_000_000;

  private static final int CHUNK_BYTES = 1 << 16;
  private static final String METADATA = "__metadata__";
  private static final String COUNTER = ".num_batches_tracked";

  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /** What the header says of one tensor; the range counts from the end of the header. */
  private record Entry(String name, String type, List<Long> shape, long from, long to) {}

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
      long headerBytes = headerBytes(channel);
      long start = Long.BYTES + headerBytes;
      SortedMap<String, Entry> entries =
          entries(header(channel, (int) headerBytes), channel.size() - start);
      if (whole) {
        requireNoOthers(entries);
      } else {
        requireAny(entries);
      }
      for (Layout.Block block : layout.blocks()) {
        if (whole || entries.get(block.name()) != null) {
          readBlock(channel, start + entryOf(block, entries).from(), block, values);
        }
      }
      return Weights.wrap(layout, values);
    }
  }

  private void requireAny(SortedMap<String, Entry> entries) throws DamagedFileException {
    List<String> wanted = layout.blocks().stream().map(Layout.Block::name).toList();
    if (wanted.stream().noneMatch(name -> entries.get(name) != null)) {
      throw damaged(
          "is of another model", "some of the tensors " + wanted, entries.keySet().toString());
    }
  }

  private long headerBytes(FileChannel channel) throws IOException {
    long size = channel.size();
    if (size < Long.BYTES) {
      throw damaged("is truncated", "at least " + Long.BYTES + " bytes", size + " bytes");
    }
    long length = readAt(channel, 0, Long.BYTES).getLong();
    if (length < 0 || length > MAX_HEADER_BYTES || length > size - Long.BYTES) {
      throw damaged(
          "has an impossible header length",
          "at most " + Math.min(MAX_HEADER_BYTES, size - Long.BYTES) + " bytes",
          Long.toUnsignedString(length));
    }
    return length;
  }

  private JsonNode header(FileChannel channel, int length) throws IOException {
    ByteBuffer bytes = readAt(channel, Long.BYTES, length);
    try {
      JsonNode tree = MAPPER.readTree(StandardCharsets.UTF_8.newDecoder().decode(bytes).toString());
      if (!tree.isObject()) {
        throw damaged("has a header of another kind", "a JSON object", tree.getNodeType().name());
      }
      return tree;
    } catch (CharacterCodingException e) {
      throw damaged("has a header that is not text", "UTF-8", "other bytes");
    } catch (JacksonException e) {
      throw damaged("has a header that is not JSON", "a JSON object", e.getOriginalMessage());
    }
  }

  private SortedMap<String, Entry> entries(JsonNode header, long dataBytes)
      throws DamagedFileException {
    SortedMap<String, Entry> entries = new TreeMap<>();
    for (Map.Entry<String, JsonNode> property : header.properties()) {
      if (!property.getKey().equals(METADATA)) {
        entries.put(property.getKey(), entry(property.getKey(), property.getValue()));
      }
    }
    requireCovered(entries, dataBytes);
    return entries;
  }

  private Entry entry(String name, JsonNode node) throws DamagedFileException {
    JsonNode type = node.path("dtype");
    List<Long> shape = longs(node.path("shape"), name, "shape");
    List<Long> range = longs(node.path("data_offsets"), name, "data_offsets");
    if (!type.isString()) {
      throw damaged("does not tell the dtype of " + name, "a word", type.toString());
    }
    if (range.size() != 2) {
      throw damaged("has a wrong range of " + name, "two offsets", range.toString());
    }
    return new Entry(name, type.asString(), shape, range.get(0), range.get(1));
  }

  private List<Long> longs(JsonNode node, String name, String key) throws DamagedFileException {
    List<Long> values = new ArrayList<>();
    for (JsonNode item : node) {
      if (!item.isIntegralNumber() || !item.canConvertToLong() || item.asLong() < 0) {
        throw damaged("has a wrong " + key + " of " + name, "counts", item.toString());
      }
      values.add(item.asLong());
    }
    if (!node.isArray()) {
      throw damaged("has a wrong " + key + " of " + name, "a list", node.toString());
    }
    return values;
  }

  /** Ranges lie end to end and fill the file: no gaps, no overlaps, nothing behind. */
  private void requireCovered(SortedMap<String, Entry> entries, long dataBytes)
      throws DamagedFileException {
    long next = 0;
    List<Entry> inOrder =
        entries.values().stream()
            .sorted(Comparator.comparingLong(Entry::from).thenComparingLong(Entry::to))
            .toList();
    for (Entry entry : inOrder) {
      if (entry.from() != next || entry.to() < entry.from()) {
        throw damaged(
            "has a wrong range of " + entry.name(),
            "a start at " + next,
            entry.from() + " to " + entry.to());
      }
      next = entry.to();
    }
    if (next != dataBytes) {
      String what = next > dataBytes ? "is truncated" : "is too long";
      throw damaged(what, next + " bytes of values", dataBytes + " bytes");
    }
  }

  private void requireNoOthers(SortedMap<String, Entry> entries) throws DamagedFileException {
    List<String> wanted = layout.blocks().stream().map(Layout.Block::name).toList();
    for (String name : entries.keySet()) {
      if (!wanted.contains(name) && !name.endsWith(COUNTER)) {
        throw damaged("is of another model", "tensors " + wanted, name);
      }
    }
  }

  private Entry entryOf(Layout.Block block, SortedMap<String, Entry> entries)
      throws DamagedFileException {
    Entry entry = entries.get(block.name());
    if (entry == null) {
      throw damaged("is of another model", "a tensor " + block.name(), "none of that name");
    }
    requireSame("dtype of " + block.name(), "F32", entry.type());
    List<Long> shape = block.shape().stream().map(Integer::longValue).toList();
    requireSame("shape of " + block.name(), shape, entry.shape());
    requireSame("size of " + block.name(), 4L * block.size(), entry.to() - entry.from());
    return entry;
  }

  private void requireSame(String what, Object expected, Object found) throws DamagedFileException {
    if (!expected.equals(found)) {
      throw damaged("has a wrong " + what, expected.toString(), found.toString());
    }
  }

  private void readBlock(FileChannel channel, long start, Layout.Block block, float[] values)
      throws IOException {
    long bytes = 4L * block.size();
    for (long done = 0; done < bytes; done += CHUNK_BYTES) {
      ByteBuffer chunk = readAt(channel, start + done, (int) Math.min(CHUNK_BYTES, bytes - done));
      int first = (int) (done / 4);
      for (int i = 0; chunk.hasRemaining(); i++) {
        float value = chunk.getFloat();
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
