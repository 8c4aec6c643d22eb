package io.kindred.methods.pull;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.protocol.signature.SignatureRule;

/**
 * Pulls from random peers, and mixes their models as SemanticDFL does: the baseline that a search
 * for similar peers must beat. No peer of a real network can draw from all peers, so it is for
 * simulators only.
 */
@Named(
    value = "random-k",
    summary = "pulls and mixes the models of random peers; what similarity has to beat")
public record RandomK(
    @Setting(doc = "what is pulled and how it is mixed", fallback = "{}") PullSettings pull,
    @Setting(doc = "how a peer makes the signature that weights follow from", fallback = "{}")
        SignatureRule signatures)
    implements PullMethod {
  @Override
  public Oracle.ComparedBy comparedBy() {
    return Oracle.ComparedBy.CHANCE;
  }
}
