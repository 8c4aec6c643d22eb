package io.kindred.node.transport;

import io.grpc.Metadata;
import io.kindred.core.peer.PeerId;
import java.util.Optional;

/**
 * What is written on a message besides its header.
 *
 * @param messageId what the sender calls it; older senders do not
 * @param resumeOffset weights that are left out because they are there
 * @param receiver whom it is for, if it is to be handed on
 * @param signature the sender's word for a message that is handed on
 */
public record MessageMetadata(
    Optional<String> messageId,
    long resumeOffset,
    Optional<PeerId> receiver,
    Optional<String> signature) {
  private static final int MAX_ID_LENGTH = 32;

  /** Whether a ledger should remember it; one that was left out is empty on its way. */
  public static boolean isMessageId(String text) {
    return !text.isEmpty() && text.length() <= MAX_ID_LENGTH;
  }

  /** Of a message that nobody handed on, whatever its sender wrote on it. */
  public MessageMetadata withoutSignature() {
    return new MessageMetadata(messageId, resumeOffset, receiver, Optional.empty());
  }

  public static MessageMetadata of(Metadata headers) {
    String from = headers.get(NodeRpc.RESUME_OFFSET);
    return new MessageMetadata(
        Optional.ofNullable(headers.get(NodeRpc.MESSAGE_ID)).filter(MessageMetadata::isMessageId),
        from != null && from.matches("\\d{1,12}") ? Long.parseLong(from) : 0,
        Optional.ofNullable(headers.get(NodeRpc.RECEIVER))
            .filter(text -> text.matches("\\d{1,18}"))
            .map(text -> new PeerId(Long.parseLong(text))),
        Optional.ofNullable(headers.get(NodeRpc.SIGNATURE)));
  }
}
