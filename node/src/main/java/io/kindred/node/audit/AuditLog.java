package io.kindred.node.audit;

import io.kindred.node.identity.Identity;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Appends lines to the audit log. Each line names the hash of the line before it, so none can be
 * changed or removed without a change of all that follow; a signed line fixes all lines before it
 * under the node's key. Lines are appended with one write each, so a kill can only cut the last
 * one.
 */
final class AuditLog implements AutoCloseable {
  /** Size from which on a signed line ends a file. */
  static final long FULL_BYTES = 64L << 20;

  /** No line is longer. */
  private static final int MOST_LINE_BYTES = 1 << 20;

  private final AuditFiles files;
  private final Identity identity;
  private final Supplier<Instant> clock;
  private final long fullBytes;
  private FileChannel channel;
  private long number;
  private String previous = AuditLine.NO_LINE;

  private AuditLog(
      AuditFiles files,
      Identity identity,
      Supplier<Instant> clock,
      long fullBytes,
      FileChannel file) {
    this.files = files;
    this.identity = identity;
    this.clock = clock;
    this.fullBytes = fullBytes;
    this.channel = file;
  }

  /** Continues the log in a folder after its last complete line. */
  static AuditLog open(AuditFiles files, Identity identity, Supplier<Instant> clock, long fullBytes)
      throws IOException {
    Files.createDirectories(files.folder());
    List<Path> earlier = files.all();
    AuditLog log = new AuditLog(files, identity, clock, fullBytes, openChannel(files.current()));
    long cut = 0;
    if (!earlier.isEmpty()) {
      byte[] end = lastBytes(earlier.getLast());
      int length = completeLength(end);
      cut = earlier.getLast().equals(files.current()) ? end.length - length : 0;
      log.continueAfter(lastLine(end, length));
      if (cut > 0) {
        log.channel.truncate(log.channel.size() - cut);
      }
      if (log.number == 0 && earlier.size() > 1) {
        byte[] archived = lastBytes(earlier.get(earlier.size() - 2));
        log.continueAfter(lastLine(archived, completeLength(archived)));
      }
    }
    if (cut > 0) {
      log.append(AuditEntry.of("cut").withText(cut + " bytes of an incomplete line were removed"));
    }
    return log;
  }

  private static FileChannel openChannel(Path file) throws IOException {
    return FileChannel.open(
        file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
  }

  private static byte[] lastBytes(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long from = Math.max(0, channel.size() - MOST_LINE_BYTES);
      ByteBuffer buffer = ByteBuffer.allocate((int) (channel.size() - from));
      while (buffer.hasRemaining() && channel.read(buffer, from + buffer.position()) > 0) {
        // Reads until the end.
      }
      return buffer.array();
    }
  }

  private static int completeLength(byte[] bytes) {
    int length = bytes.length;
    while (length > 0 && bytes[length - 1] != '\n') {
      length--;
    }
    return length;
  }

  private static byte[] lastLine(byte[] bytes, int length) {
    int from = Math.max(0, length - 1);
    while (from > 0 && bytes[from - 1] != '\n') {
      from--;
    }
    return Arrays.copyOfRange(bytes, from, Math.max(from, length - 1));
  }

  private void continueAfter(byte[] line) throws IOException {
    if (line.length == 0) {
      return;
    }
    try {
      JsonNode read = Json.tree(new String(line, StandardCharsets.UTF_8));
      number = read.path("number").asLong();
      previous = AuditLine.hash(line);
    } catch (JacksonException damaged) {
      throw new IOException("the last line of the audit log is damaged", damaged);
    }
  }

  /** Appends one line. */
  void append(AuditEntry entry) throws IOException {
    write(new AuditLine(number + 1, now(), entry, null, previous));
  }

  /**
   * Appends a line that signs all lines before it, and forces the file to the disk; returns whether
   * that ended a full file.
   */
  boolean sign() throws IOException {
    String time = now();
    byte[] content = AuditLine.signedContent(identity.member(), number + 1, time, previous);
    write(
        new AuditLine(
            number + 1,
            time,
            AuditEntry.of(AuditLine.SIGNED),
            Base64.getEncoder().encodeToString(identity.sign(content)),
            previous));
    channel.force(false);
    if (channel.size() < fullBytes) {
      return false;
    }
    channel.close();
    Files.move(files.current(), files.archived(number));
    channel = openChannel(files.current());
    return true;
  }

  private String now() {
    return clock.get().toString();
  }

  private void write(AuditLine line) throws IOException {
    String text = line.text();
    ByteBuffer bytes = ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8));
    long before = channel.size();
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException full) {
      channel.truncate(before);
      throw full;
    }
    number = line.number();
    previous = AuditLine.hash(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Number of the last line. */
  long number() {
    return number;
  }

  /** Hash of the last line. */
  String head() {
    return previous;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
