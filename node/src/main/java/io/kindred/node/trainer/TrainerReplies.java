package io.kindred.node.trainer;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import io.grpc.Status;
import io.kindred.node.trainer.contract.TrainerMessages;
import java.nio.ByteOrder;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Checks replies of a trainer beyond the checks of the generated classes. Any language may have
 * written a reply, with or without a library for protocol buffers.
 */
final class TrainerReplies {
  private TrainerReplies() {}

  /**
   * Returns the reply, unless a field of the contract has another type than the contract says: the
   * generated classes treat such a field as unknown and give it its default value.
   */
  static <T extends Message> T requireContractTypes(String method, T reply) {
    for (int number : reply.getUnknownFields().asMap().keySet()) {
      FieldDescriptor known = reply.getDescriptorForType().findFieldByNumber(number);
      if (known != null) {
        throw new TrainerFault(
            "%s answered with field %s of %s, which is no %s"
                .formatted(
                    method,
                    known.getName(),
                    reply.getDescriptorForType().getName(),
                    known.getType().name().toLowerCase(Locale.ROOT)));
      }
    }
    for (Object value : reply.getAllFields().values()) {
      Collection<?> parts = value instanceof Collection<?> repeated ? repeated : List.of(value);
      for (Object part : parts) {
        if (part instanceof Message inner) {
          requireContractTypes(method, inner);
        }
      }
    }
    return reply;
  }

  /**
   * Copies the values of a part into a vector.
   *
   * @param at where the part begins
   * @return where the next part begins
   */
  static int copyValues(String method, TrainerMessages.VectorPart part, float[] vector, int at) {
    ByteString bytes = part.getValues();
    if (bytes.size() % Float.BYTES != 0) {
      throw new TrainerFault(
          "%s gave a part of %d bytes, which are no whole 32-bit floats"
              .formatted(method, bytes.size()));
    }
    int count = bytes.size() / Float.BYTES;
    if (count > vector.length - at) {
      throw new TrainerFault(
          "%s gave more than the %d values it should".formatted(method, vector.length));
    }
    bytes
        .asReadOnlyByteBuffer()
        .order(ByteOrder.LITTLE_ENDIAN)
        .asFloatBuffer()
        .get(vector, at, count);
    return at + count;
  }

  /** Why the bytes of a reply are no message, where that is why the call failed; null otherwise. */
  static @Nullable String malformedReason(Status status) {
    for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof InvalidProtocolBufferException malformed) {
        return malformed.getMessage();
      }
    }
    return null;
  }

  /** The fields of a message in one line, for a log. */
  static String oneLine(Message message) {
    return TextFormat.printer().emittingSingleLine(true).printToString(message);
  }
}
