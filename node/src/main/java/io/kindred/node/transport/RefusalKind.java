package io.kindred.node.transport;

import java.util.Locale;

/**
 * What a node refuses to other members. The status, the log and the metrics show a kind by its
 * {@link #label}, and docs/reference/node.md explains each.
 */
public enum RefusalKind {
  NO_TLS,
  NO_IDENTITY,
  SLOW_HANDSHAKE,
  BROKEN_HANDSHAKE,
  FOREIGN_AUTHORITY,
  EXPIRED_CERTIFICATE,
  EARLY_CERTIFICATE,
  REVOKED_CERTIFICATE,
  WRONG_NETWORK,
  NOT_ALLOWED,
  BAD_CERTIFICATE,
  REPLAYED_MESSAGE,
  OTHER_VERSION,
  OTHER_TASK,
  INVALID_SIGNATURE,
  INVALID_PROOF,
  FALSE_SENDER,
  MALFORMED_MESSAGE,
  UNUSABLE_MESSAGE,
  BAD_WEIGHTS,
  FALSE_CLAIM,
  TOO_LARGE,
  SLOW_MESSAGE,
  MUTED,
  TOO_OFTEN,
  NO_ROOM;

  /**
   * Whether no honest member sends such a message. It counts against the member that sent it
   * directly; of a relayed message the relay may have changed or repeated some parts.
   */
  public boolean isOffence() {
    return switch (this) {
      case REPLAYED_MESSAGE,
          FALSE_SENDER,
          MALFORMED_MESSAGE,
          UNUSABLE_MESSAGE,
          BAD_WEIGHTS,
          FALSE_CLAIM,
          TOO_LARGE ->
          true;
      case NO_TLS,
          NO_IDENTITY,
          SLOW_HANDSHAKE,
          BROKEN_HANDSHAKE,
          FOREIGN_AUTHORITY,
          EXPIRED_CERTIFICATE,
          EARLY_CERTIFICATE,
          REVOKED_CERTIFICATE,
          WRONG_NETWORK,
          NOT_ALLOWED,
          BAD_CERTIFICATE,
          OTHER_VERSION,
          OTHER_TASK,
          INVALID_SIGNATURE,
          INVALID_PROOF,
          SLOW_MESSAGE,
          MUTED,
          TOO_OFTEN,
          NO_ROOM ->
          false;
    };
  }

  /** The name in the status, the log and the metrics, such as {@code no-tls}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
