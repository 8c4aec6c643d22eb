package io.kindred.node.audit;

import io.kindred.core.record.Buildable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one line of the audit log says, besides its place in the chain.
 *
 * @param event the kind of event, as one word
 * @param peer the other peer, if there is one
 * @param certificate serial number of the certificate that the other peer used, in hexadecimal
 *     digits; of the lines about this node, its own
 * @param models digests of the models that were sent or received
 * @param shares the models that were mixed
 * @param text the reason for a refusal, or what else there is to say
 * @param count how often the same happened since the last such line
 * @param chain certificates in base 64, on lines that say which certificate this node uses
 */
@Buildable
public record AuditEntry(
    String event,
    @Nullable Long peer,
    @Nullable String certificate,
    @Nullable List<String> models,
    @Nullable List<Share> shares,
    @Nullable String text,
    @Nullable Long count,
    @Nullable List<String> chain) {
  /**
   * A model in a mixture.
   *
   * @param peer the peer that sent the model; absent for the node's own models
   */
  public record Share(String model, @Nullable Long peer, double share) {}

  static AuditEntry of(String event) {
    return new AuditEntry(event, null, null, null, null, null, null, null);
  }

  static AuditEntry of(String event, long peer, @Nullable String certificate) {
    return new AuditEntry(event, peer, certificate, null, null, null, null, null);
  }

  AuditEntry withText(String more) {
    return AuditEntryBuilder.from(this).text(more).build();
  }
}
