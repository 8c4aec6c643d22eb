package io.kindred.runtime.metrics;

import io.kindred.core.weights.Digest;
import io.kindred.runtime.metrics.MetricLine.MixedLine;
import io.kindred.storage.OperatorException;
import io.kindred.storage.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** metrics.jsonl, appended to as a run goes on and cut back to a known length when it resumes. */
public final class MetricsFile implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final Path file;
  private final FileChannel channel;
  private final StringBuilder buffer = new StringBuilder();

  /**
   * Opens the file for appending after its first {@code length} bytes; what comes later is dropped.
   */
  public MetricsFile(Path file, long length) {
    this.file = file;
    try {
      channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (channel.size() < length) {
        throw new OperatorException(
            OperatorException.WRONG_USE,
            file
                + " has "
                + channel.size()
                + " bytes, the checkpoint expects "
                + length
                + "; restore the file, or start over with another --out");
      }
      channel.truncate(length);
      channel.position(length);
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  void append(MetricLine line) {
    buffer.append(Json.line(line)).append('\n');
    if (buffer.length() >= BUFFER_BYTES) {
      flush();
    }
  }

  /**
   * If a write fails, as on a full disk, its part is removed from the file and written again later.
   */
  private void flush() {
    ByteBuffer bytes = ByteBuffer.wrap(buffer.toString().getBytes(StandardCharsets.UTF_8));
    try {
      long whole = channel.position();
      try {
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
      } catch (IOException full) {
        channel.truncate(whole);
        throw full;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
    buffer.setLength(0);
  }

  /** Forces all lines to the disk and returns the length of the file. */
  long sync() {
    flush();
    try {
      channel.force(true);
      return channel.position();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }

  /** The digest of the lines that are on the disk. */
  Digest digest() {
    MessageDigest sha = Digest.sha256();
    try (InputStream in = new DigestInputStream(Files.newInputStream(file), sha)) {
      in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
    return Digest.ofHash(sha.digest());
  }

  @Override
  public void close() {
    flush();
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }

  /** Passes every line to the consumer. */
  public static void read(Path file, Consumer<MetricLine> into) {
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        into.accept(parse(Json.tree(line)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  private static MetricLine parse(JsonNode node) {
    return new MetricLine(
        node.get("round").asInt(),
        node.get("peer").asLong(),
        node.get("stage").asString(),
        number(node, "loss"),
        number(node, "accuracy"),
        node.get("samples").asInt(),
        number(node, "globalAccuracy"),
        node.get("pulled").asLong(),
        node.get("sentBytes").asLong(),
        node.get("receivedBytes").asLong(),
        node.get("virtualSeconds").asDouble(),
        figures(node.get("extra")),
        mixed(node.get("mixed")),
        confusion(node.get("confusion")));
  }

  private static @Nullable List<List<Integer>> confusion(@Nullable JsonNode cells) {
    if (cells == null) {
      return null;
    }
    List<List<Integer>> confusion = new ArrayList<>();
    for (JsonNode cell : cells) {
      confusion.add(List.of(cell.get(0).asInt(), cell.get(1).asInt(), cell.get(2).asInt()));
    }
    return confusion;
  }

  private static @Nullable List<MixedLine> mixed(@Nullable JsonNode models) {
    if (models == null) {
      return null;
    }
    List<MixedLine> mixed = new ArrayList<>();
    for (JsonNode each : models) {
      JsonNode samples = each.get("samples");
      JsonNode guard = each.get("guard");
      mixed.add(
          new MixedLine(
              each.get("peer").asLong(),
              each.get("round").asInt(),
              each.get("weight").asDouble(),
              samples == null ? null : Integer.valueOf(samples.asInt()),
              guard == null ? null : guard.asString()));
    }
    return mixed;
  }

  private static SortedMap<String, Double> figures(JsonNode extra) {
    SortedMap<String, Double> figures = new TreeMap<>();
    extra.properties().forEach(each -> figures.put(each.getKey(), each.getValue().asDouble()));
    return figures;
  }

  private static @Nullable Double number(JsonNode node, String field) {
    JsonNode value = node.get(field);
    return value == null ? null : Double.valueOf(value.asDouble());
  }
}
