package io.kindred.node.transport;

import io.grpc.Metadata;
import io.kindred.core.PeerId;
import java.util.Optional;

/**
 * What is written on a message besides its header.
 *
 * @param number what the sender calls it; older senders do not
 * @param from weights that are left out because they are there
 * @param to whom it is for, if it is to be handed on
 * @param seal the sender's word for a message that is handed on
 */
record Slip(Optional<String> number, long from, Optional<PeerId> to, Optional<String> seal) {
  private static final int LONGEST = 32;

  /** Whether a ledger should remember it; one that was left out is empty on its way. */
  static boolean isNumber(String text) {
    return !text.isEmpty() && text.length() <= LONGEST;
  }

  /** Of a message that nobody handed on, whatever its sender wrote on it. */
  Slip unsealed() {
    return new Slip(number, from, to, Optional.empty());
  }

  static Slip of(Metadata headers) {
    String from = headers.get(PostalService.FROM);
    return new Slip(
        Optional.ofNullable(headers.get(PostalService.NUMBER)).filter(Slip::isNumber),
        from != null && from.matches("\\d{1,12}") ? Long.parseLong(from) : 0,
        Optional.ofNullable(headers.get(PostalService.TO))
            .filter(text -> text.matches("\\d{1,18}"))
            .map(text -> new PeerId(Long.parseLong(text))),
        Optional.ofNullable(headers.get(PostalService.SEAL)));
  }
}
