package io.kindred.node.recording;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Tagged;
import io.kindred.core.weights.Digest;
import io.kindred.protocol.wire.Wire;
import io.kindred.protocol.wire.WireOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The file format of a recording: magic bytes, then frames of kind (a letter), length (4 bytes),
 * content and CRC-32C (4 bytes). Frames are only ever appended; a last frame that a crash left
 * incomplete fails its checksum and is ignored.
 */
final class Frames {
  /** The kind of a frame's content. */
  enum Kind {
    /** An incarnation begins: whether it found a saved state, and that state. */
    INCARNATION('L'),
    /** A weight vector that later frames name by digest. */
    WEIGHTS('W'),
    /** An event and the digest of the effects it had. */
    EVENT('E');

    private final byte letter;

    Kind(char letter) {
      this.letter = (byte) letter;
    }

    static Optional<Kind> of(byte letter) {
      return Arrays.stream(values()).filter(kind -> kind.letter == letter).findFirst();
    }
  }

  private static final byte[] MAGIC = "KNDRDREC1\n".getBytes(StandardCharsets.US_ASCII);
  private static final int HEADER_BYTES = 5;
  private static final int CHECKSUM_BYTES = 4;

  private Frames() {}

  static ByteBuffer frame(Kind kind, byte[] content) {
    ByteBuffer frame = ByteBuffer.allocate(HEADER_BYTES + content.length + CHECKSUM_BYTES);
    frame.put(kind.letter).putInt(content.length).put(content);
    return frame.putInt(checksum(kind, content)).flip();
  }

  private static int checksum(Kind kind, byte[] content) {
    CRC32C crc = new CRC32C();
    crc.update(kind.letter);
    crc.update(content);
    return (int) crc.getValue();
  }

  /** One frame as it was read. */
  static final class RecordedFrame {
    private final Kind kind;
    private final byte[] content;

    private RecordedFrame(Kind kind, byte[] content) {
      this.kind = kind;
      this.content = content;
    }

    Kind kind() {
      return kind;
    }

    byte[] content() {
      return content;
    }
  }

  /**
   * The frame at the channel's position, which then moves behind it; empty where no complete frame
   * follows.
   */
  static Optional<RecordedFrame> next(FileChannel channel) throws IOException {
    long start = channel.position();
    ByteBuffer head = read(channel, HEADER_BYTES);
    if (head != null) {
      Optional<Kind> kind = Kind.of(head.get());
      int length = head.getInt();
      boolean possible =
          kind.isPresent() && length >= 0 && length <= channel.size() - channel.position();
      ByteBuffer rest = possible ? read(channel, length + CHECKSUM_BYTES) : null;
      if (rest != null) {
        byte[] content = new byte[length];
        rest.get(content);
        if (rest.getInt() == checksum(kind.get(), content)) {
          return Optional.of(new RecordedFrame(kind.get(), content));
        }
      }
    }
    channel.position(start);
    return Optional.empty();
  }

  /** The first bytes of every recording. */
  static ByteBuffer magic() {
    return ByteBuffer.wrap(MAGIC).asReadOnlyBuffer();
  }

  /** Whether the file begins with the magic bytes; the channel is then positioned behind them. */
  static boolean isRecording(FileChannel channel) throws IOException {
    return magic().equals(read(channel, MAGIC.length));
  }

  private static @Nullable ByteBuffer read(FileChannel channel, int count) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(count);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes) < 0) {
        return null;
      }
    }
    return bytes.flip();
  }

  /** The digest of a step's effects: equal digests mean equal effects. */
  static Digest digest(Wire wire, List<Tagged<Effect>> effects) {
    WireOutput out = new WireOutput(weights -> {});
    for (Tagged<Effect> effect : effects) {
      out.writeText(effect.component().recordedName());
      wire.write(Effect.class, effect.value(), out);
    }
    return Digest.of(out.toBytes());
  }
}
