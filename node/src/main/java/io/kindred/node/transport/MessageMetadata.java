package io.kindred.node.transport;

import io.grpc.Metadata;
import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import java.util.Optional;

/**
 * Metadata of a message's call, besides its header.
 *
 * @param messageId the sender's id of the message, if it has given one
 * @param resumeOffset weights that the sender leaves out because the receiver has them from an
 *     earlier attempt
 * @param receiver the receiver of a message that is to be relayed
 * @param signature the sender's signature of a relayed message
 */
@Buildable
public record MessageMetadata(
    Optional<String> messageId,
    long resumeOffset,
    Optional<PeerId> receiver,
    Optional<String> signature) {
  private static final int MAX_ID_LENGTH = 32;

  /** Whether a text can be a message id. A relay frame carries an absent id as an empty text. */
  public static boolean isMessageId(String text) {
    return !text.isEmpty() && text.length() <= MAX_ID_LENGTH;
  }

  /** The metadata of a message that came directly: a signature that its sender set is ignored. */
  public MessageMetadata withoutSignature() {
    return MessageMetadataBuilder.from(this).signature(Optional.empty()).build();
  }

  public static MessageMetadata of(Metadata headers) {
    String offset = headers.get(NodeRpc.RESUME_OFFSET);
    return new MessageMetadata(
        Optional.ofNullable(headers.get(NodeRpc.MESSAGE_ID)).filter(MessageMetadata::isMessageId),
        offset != null && offset.matches("\\d{1,12}") ? Long.parseLong(offset) : 0,
        Optional.ofNullable(headers.get(NodeRpc.RECEIVER))
            .filter(text -> text.matches("\\d{1,18}"))
            .map(text -> new PeerId(Long.parseLong(text))),
        Optional.ofNullable(headers.get(NodeRpc.SIGNATURE)));
  }
}
