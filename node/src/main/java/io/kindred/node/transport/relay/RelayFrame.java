package io.kindred.node.transport.relay;

import io.grpc.Status;
import io.kindred.node.transport.MessageMetadata;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.WireInput;
import io.kindred.protocol.wire.WireOutput;
import java.util.Arrays;
import java.util.Optional;

/**
 * Frames of a relay channel: the metadata of a message, its frames and its end, each with a leading
 * letter for its kind; and the receiver's status in the other direction.
 */
final class RelayFrame {
  /** Kind of a relay frame. */
  enum Kind {
    BEGIN('B'),
    FRAME('F'),
    END('E'),
    /** The sender gave up. */
    ABORTED('X');

    private final byte letter;

    Kind(char letter) {
      this.letter = (byte) letter;
    }
  }

  private static final byte[] EMPTY = {};

  private RelayFrame() {}

  static byte[] begin(MessageMetadata metadata) {
    WireOutput out = new WireOutput(weights -> {});
    out.writeText(metadata.messageId().orElse(""));
    out.writeLong(metadata.resumeOffset());
    out.writeText(metadata.signature().orElse(""));
    return of(Kind.BEGIN, out.toBytes());
  }

  static byte[] frame(byte[] frame) {
    return of(Kind.FRAME, frame);
  }

  static byte[] end() {
    return of(Kind.END, EMPTY);
  }

  static byte[] aborted() {
    return of(Kind.ABORTED, EMPTY);
  }

  private static byte[] of(Kind kind, byte[] content) {
    byte[] all = new byte[content.length + 1];
    all[0] = kind.letter;
    System.arraycopy(content, 0, all, 1, content.length);
    return all;
  }

  static Kind kind(byte[] frame) throws MalformedException {
    for (Kind each : Kind.values()) {
      if (frame.length > 0 && frame[0] == each.letter) {
        return each;
      }
    }
    throw new MalformedException("the relay frame has an unknown kind");
  }

  static byte[] content(byte[] frame) {
    return Arrays.copyOfRange(frame, 1, frame.length);
  }

  static MessageMetadata metadata(byte[] frame) throws MalformedException {
    WireInput in = new WireInput(content(frame), digest -> null);
    String messageId = in.readText();
    long resumeOffset = in.readLong();
    String signature = in.readText();
    return new MessageMetadata(
        Optional.of(messageId).filter(MessageMetadata::isMessageId),
        Math.max(0, resumeOffset),
        Optional.empty(),
        Optional.of(signature));
  }

  /** The receiver's status of the current message. */
  static byte[] answer(Status status) {
    WireOutput out = new WireOutput(weights -> {});
    out.writeByte(status.getCode().value());
    String why = status.getDescription();
    out.writeText(why == null ? "" : why);
    return out.toBytes();
  }

  static Status status(byte[] answer) throws MalformedException {
    WireInput in = new WireInput(answer, digest -> null);
    Status status = Status.fromCodeValue(in.readByte());
    String why = in.readText();
    return why.isEmpty() ? status : status.withDescription(why);
  }
}
