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
    summary = "pulls and mixes the models of random peers; the baseline for similarity")
public record RandomK(
    @Setting(doc = "how many models are pulled and how they are mixed", fallback = "{}")
        PullSettings pull,
    @Setting(
            doc = "how a peer computes the signature that determines the weights of pulled models",
            fallback = "{}")
        SignatureRule signatures)
    implements PullMethod {
  @Override
  public Oracle.ComparedBy comparedBy() {
    return Oracle.ComparedBy.CHANCE;
  }
}
