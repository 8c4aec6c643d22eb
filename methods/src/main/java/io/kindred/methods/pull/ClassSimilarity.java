package io.kindred.methods.pull;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.discovery.ExactDiscovery;
import io.kindred.methods.discovery.PeerDiscovery;
import io.kindred.protocol.signature.Precision;
import io.kindred.protocol.signature.Signature;
import java.util.Arrays;
import java.util.Optional;

/**
 * As SemanticDFL, but a peer's signature is its number of samples of each class (appendix E.6). The
 * signature discloses the class distribution of the peer's data: a reference, not a proposal.
 */
@Named(
    value = "class-similarity",
    summary =
        "pulls from peers with a similar class distribution; discloses the class counts"
            + " of every peer")
public record ClassSimilarity(
    @Setting(doc = "how many models are pulled and how they are mixed", fallback = "{}")
        PullSettings pull,
    @Setting(
            doc =
                "how peers with similar class counts are found: `exact`, `overlay`, or `random` as"
                    + " a baseline",
            fallback = "exact")
        PeerDiscovery discovery)
    implements PullMethod {
  public ClassSimilarity {
    if (discovery.signing().isEmpty()) {
      throw new SettingException(
          "discovery",
          "class-similarity compares class counts, and this discovery compares models",
          "choose `exact`, `overlay` or `random`, or the method semantic-dfl");
    }
    if (discovery instanceof ExactDiscovery exact
        && exact.comparedBy() != ExactDiscovery.Similarity.SIGNATURE) {
      throw new SettingException(
          "discovery.comparedBy",
          "class-similarity compares class counts, which are its signatures",
          "choose `signature`, or the method semantic-dfl");
    }
  }

  @Override
  public Optional<Signature> fixedSignature(PeerContext context) {
    int[] indices = new int[context.labelCounts().size()];
    Arrays.setAll(indices, index -> index);
    float[] counts = new float[indices.length];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = context.labelCounts().get(i);
    }
    return Optional.of(
        Signature.of(indices.length, Precision.FLOAT32, Ints.wrap(indices), Floats.wrap(counts)));
  }
}
