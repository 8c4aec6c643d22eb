package io.kindred.learning.data.format;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * The header of a safetensors file. Such a file holds the length of the header (8 bytes,
 * little-endian), the header as JSON with type, shape and byte range of each tensor, then the
 * values. The reader is strict: everything is checked against the size of the file, so a hostile
 * header costs no more memory than the file itself.
 *
 * @param dataStart where the values start in the file
 * @param tensors by name
 */
public record SafetensorsHeader(long dataStart, SortedMap<String, Tensor> tensors) {
  /** How many bytes hold the length of the header. */
  public static final int LENGTH_BYTES = Long.BYTES;

  /** The format's own bound on headers. */
  private static final long MAX_HEADER_BYTES = 100_000_000;

  private static final String METADATA = "__metadata__";

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  public SafetensorsHeader {
    tensors = Collections.unmodifiableSortedMap(new TreeMap<>(tensors));
  }

  /** The value types that can be read. */
  public enum Type {
    U8(1),
    I32(4),
    I64(8),
    F32(4),
    F64(8);

    private final int bytes;

    Type(int bytes) {
      this.bytes = bytes;
    }

    /** The size of one value. */
    public int bytes() {
      return bytes;
    }

    public boolean isInteger() {
      return this == U8 || this == I32 || this == I64;
    }

    /** The integer at a position of a little-endian buffer. */
    public long integerAt(ByteBuffer littleEndian, int at) {
      return switch (this) {
        case U8 -> Byte.toUnsignedLong(littleEndian.get(at));
        case I32 -> littleEndian.getInt(at);
        case I64 -> littleEndian.getLong(at);
        case F32, F64 -> throw new IllegalStateException(this + " is not an integer type");
      };
    }

    /** The value at a position of a little-endian buffer, rounded to a float. */
    public float floatAt(ByteBuffer littleEndian, int at) {
      return switch (this) {
        case U8, I32, I64 -> integerAt(littleEndian, at);
        case F32 -> littleEndian.getFloat(at);
        case F64 -> (float) littleEndian.getDouble(at);
      };
    }
  }

  /**
   * The header entry of one tensor.
   *
   * @param type as the file names it, which may be none of {@link Type}
   * @param from first byte, counted from the end of the header
   * @param to end of the bytes, counted from the end of the header
   */
  public record Tensor(String name, String type, List<Long> shape, long from, long to) {
    public Tensor {
      shape = List.copyOf(shape);
    }

    public long bytes() {
      return to - from;
    }
  }

  /** Checks the length of the header, which the file's first bytes hold, against the file. */
  public static int checkedLength(long length, long fileBytes) throws SafetensorsException {
    if (length < 0 || length > MAX_HEADER_BYTES || length > fileBytes - LENGTH_BYTES) {
      throw new SafetensorsException(
          0,
          "has an impossible header length",
          "at most " + Math.min(MAX_HEADER_BYTES, fileBytes - LENGTH_BYTES) + " bytes",
          Long.toUnsignedString(length));
    }
    return (int) length;
  }

  /** Requires that a file is long enough to hold the length of a header. */
  public static void requireLengthBytes(long fileBytes) throws SafetensorsException {
    if (fileBytes < LENGTH_BYTES) {
      throw new SafetensorsException(
          fileBytes, "is truncated", "at least " + LENGTH_BYTES + " bytes", fileBytes + " bytes");
    }
  }

  /** Parses the header, which follows its length, of a file of the given size. */
  public static SafetensorsHeader parse(ByteBuffer header, long fileBytes)
      throws SafetensorsException {
    long dataStart = LENGTH_BYTES + (long) header.remaining();
    String text = text(header);
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
      try {
        SortedMap<String, Tensor> tensors = tensors(json);
        requireCovered(tensors, fileBytes - dataStart);
        return new SafetensorsHeader(dataStart, tensors);
      } catch (JacksonException e) {
        int read = Math.clamp(json.currentLocation().getCharOffset(), 0, text.length());
        throw new SafetensorsException(
            LENGTH_BYTES + text.substring(0, read).getBytes(StandardCharsets.UTF_8).length,
            "has a header that is not JSON",
            "a JSON object",
            e.getOriginalMessage());
      }
    }
  }

  private static String text(ByteBuffer header) throws SafetensorsException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(header).toString();
    } catch (CharacterCodingException e) {
      throw wrong("has a header that is not UTF-8 text", "UTF-8", "other bytes");
    }
  }

  private static SortedMap<String, Tensor> tensors(JsonParser json) throws SafetensorsException {
    JsonToken first = json.nextToken();
    if (first != JsonToken.START_OBJECT) {
      throw wrong("has a header that is not an object", "a JSON object", String.valueOf(first));
    }
    SortedMap<String, Tensor> tensors = new TreeMap<>();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      if (name.equals(METADATA)) {
        json.skipChildren();
      } else {
        tensors.put(name, tensor(json, name));
      }
    }
    if (json.nextToken() != null) {
      throw wrong("has a header that is not JSON", "one JSON object", "more text after it");
    }
    return tensors;
  }

  private static Tensor tensor(JsonParser json, String name) throws SafetensorsException {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      throw wrong("has a wrong entry of " + name, "a JSON object", json.currentToken().name());
    }
    String type = null;
    List<Long> shape = null;
    List<Long> range = List.of();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String key = json.currentName();
      JsonToken value = json.nextToken();
      switch (key) {
        case "dtype" -> type = value == JsonToken.VALUE_STRING ? json.getString() : null;
        case "shape" -> shape = counts(json, key, name);
        case "data_offsets" -> range = counts(json, key, name);
        default -> json.skipChildren();
      }
    }
    if (type == null) {
      throw wrong("has a wrong dtype of " + name, "a string", "none");
    }
    if (shape == null) {
      throw wrong("has a wrong shape of " + name, "a list", "none");
    }
    if (range.size() != 2) {
      throw wrong("has a wrong range of " + name, "two offsets", range.toString());
    }
    return new Tensor(name, type, shape, range.get(0), range.get(1));
  }

  private static List<Long> counts(JsonParser json, String key, String name)
      throws SafetensorsException {
    String what = "has a wrong " + key + " of " + name;
    if (json.currentToken() != JsonToken.START_ARRAY) {
      throw wrong(what, "a list", json.currentToken().name());
    }
    List<Long> values = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      boolean isLong =
          json.currentToken() == JsonToken.VALUE_NUMBER_INT
              && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
      if (!isLong || json.getLongValue() < 0) {
        throw wrong(what, "counts", json.getString());
      }
      values.add(json.getLongValue());
    }
    return values;
  }

  /** Ranges lie end to end and fill the file: no gaps, no overlaps, nothing behind. */
  private static void requireCovered(SortedMap<String, Tensor> tensors, long dataBytes)
      throws SafetensorsException {
    long next = 0;
    List<Tensor> inOrder =
        tensors.values().stream()
            .sorted(Comparator.comparingLong(Tensor::from).thenComparingLong(Tensor::to))
            .toList();
    for (Tensor tensor : inOrder) {
      if (tensor.from() != next || tensor.to() < tensor.from()) {
        throw wrong(
            "has a wrong range of " + tensor.name(),
            "a start at " + next,
            tensor.from() + " to " + tensor.to());
      }
      next = tensor.to();
    }
    if (next != dataBytes) {
      String what = next > dataBytes ? "is truncated" : "is too long";
      throw wrong(what, next + " bytes of values", dataBytes + " bytes");
    }
  }

  private static SafetensorsException wrong(String what, String expected, String found) {
    return new SafetensorsException(LENGTH_BYTES, what, expected, found);
  }
}
