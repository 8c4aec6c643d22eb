package io.kindred.storage.disk;

import io.kindred.core.weights.Digest;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * A file with a checksum over every byte: magic, version (4 bytes), payload length (8 bytes), the
 * payload, and a SHA-256 of payload and header. The header comes last into the hash so that a
 * payload can be streamed before its length is known. Numbers are big-endian.
 */
public final class ChecksummedFile {
  /** Reads a payload that has been verified. */
  @FunctionalInterface
  public interface PayloadReader<T> {
    T readFrom(InputStream in) throws IOException;
  }

  private static final int BUFFER_BYTES = 1 << 16;
  private static final int CHECKSUM_BYTES = 32;
  private static final int SHOWN_CHECKSUM_BYTES = 4;

  private final String noun;
  private final byte[] magic;
  private final int version;

  /** The noun is what messages call such a file, such as {@code checkpoint}. */
  public ChecksummedFile(String noun, String magic, int version) {
    this.noun = noun;
    this.magic = magic.getBytes(StandardCharsets.US_ASCII);
    this.version = version;
  }

  public void write(Path file, byte[] payload) throws IOException {
    write(file, out -> out.write(payload));
  }

  public void write(Path file, AtomicFile.Content payload) throws IOException {
    AtomicFile.writeChannel(file, channel -> writeWithChecksum(channel, payload));
  }

  private void writeWithChecksum(FileChannel channel, AtomicFile.Content payload)
      throws IOException {
    MessageDigest digest = Digest.sha256();
    channel.position(headerBytes());
    OutputStream out =
        new BufferedOutputStream(
            new DigestOutputStream(Channels.newOutputStream(channel), digest), BUFFER_BYTES);
    payload.writeTo(out);
    out.flush();
    byte[] header = header(channel.position() - headerBytes());
    digest.update(header);
    writeFully(channel, digest.digest());
    channel.position(0);
    writeFully(channel, header);
  }

  /** The payload, or a {@link DamagedFileException} that says what is wrong with the file. */
  public byte[] read(Path file) throws IOException {
    return read(file, InputStream::readAllBytes);
  }

  /**
   * Verifies the whole file and only then passes its payload to {@code payloadReader}. Both passes
   * use one open file, so a replacement in between is not seen.
   */
  public <T> T read(Path file, PayloadReader<T> payloadReader) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long length = checkHeader(file, channel);
      verifyChecksum(file, channel, length);
      channel.position(headerBytes());
      return payloadReader.readFrom(
          new BufferedInputStream(payload(channel, length), BUFFER_BYTES));
    }
  }

  private long checkHeader(Path file, FileChannel channel) throws IOException {
    long size = channel.size();
    long least = (long) headerBytes() + CHECKSUM_BYTES;
    ByteBuffer header = ByteBuffer.allocate((int) Math.min(size, headerBytes()));
    readFully(file, channel, header);
    byte[] start = new byte[Math.min(header.remaining(), magic.length)];
    header.get(start);
    checkMagic(file, start);
    if (size < least) {
      throw truncated(file, size, "at least " + least);
    }
    int foundVersion = header.getInt();
    if (foundVersion != version) {
      throw damaged(file, "has the wrong version", "version " + version, "version " + foundVersion);
    }
    long length = header.getLong();
    if (length < 0 || length > Long.MAX_VALUE - least) {
      throw damaged(
          file, "has an impossible length", "a length that a file can have", Long.toString(length));
    }
    if (size < length + least) {
      throw truncated(file, size, Long.toString(length + least));
    }
    if (size > length + least) {
      throw damaged(file, "is too long", (length + least) + " bytes", size + " bytes");
    }
    return length;
  }

  private void checkMagic(Path file, byte[] start) throws DamagedFileException {
    for (int i = 0; i < start.length; i++) {
      if (start[i] != magic[i]) {
        throw damaged(
            file,
            "has another file format",
            "a start of " + HexFormat.of().formatHex(magic),
            HexFormat.of().formatHex(start));
      }
    }
  }

  private void verifyChecksum(Path file, FileChannel channel, long length) throws IOException {
    MessageDigest digest = Digest.sha256();
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    channel.position(headerBytes());
    for (long left = length; left > 0; left -= buffer.limit()) {
      buffer.clear().limit((int) Math.min(left, BUFFER_BYTES));
      readFully(file, channel, buffer);
      digest.update(buffer);
    }
    digest.update(header(length));
    byte[] computed = digest.digest();
    ByteBuffer stored = ByteBuffer.allocate(CHECKSUM_BYTES);
    readFully(file, channel, stored);
    if (!MessageDigest.isEqual(computed, stored.array())) {
      throw damaged(
          file, "is damaged", "SHA-256 " + abbreviate(stored.array()), abbreviate(computed));
    }
  }

  private static InputStream payload(FileChannel channel, long length) {
    return new BoundedInputStream(Channels.newInputStream(channel), length);
  }

  private byte[] header(long length) {
    return ByteBuffer.allocate(headerBytes()).put(magic).putInt(version).putLong(length).array();
  }

  private int headerBytes() {
    return magic.length + Integer.BYTES + Long.BYTES;
  }

  private DamagedFileException truncated(Path file, long size, String wanted) {
    return new DamagedFileException(
        file,
        "%s %s is truncated: %d of %s bytes".formatted(noun, file, size, wanted),
        wanted + " bytes",
        size + " bytes");
  }

  private DamagedFileException damaged(Path file, String what, String expected, String found) {
    return new DamagedFileException(
        file,
        "%s %s %s: expected %s, found %s".formatted(noun, file, what, expected, found),
        expected,
        found);
  }

  private static String abbreviate(byte[] checksum) {
    return HexFormat.of().formatHex(checksum, 0, SHOWN_CHECKSUM_BYTES) + "...";
  }

  /** Fills the buffer and makes it readable from its start. */
  private void readFully(Path file, FileChannel channel, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) {
        throw truncated(file, channel.size(), "more");
      }
    }
    buffer.flip();
  }

  private static void writeFully(FileChannel channel, byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      int written = channel.write(buffer);
      if (written < 0) {
        throw new IOException("the channel accepts no more bytes");
      }
    }
  }
}
