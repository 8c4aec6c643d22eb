package io.kindred.methods.robust;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;

/**
 * Mixes as the method does, and keeps the own model if the mixture has a larger loss on the own
 * held-out samples (as error rejection does with a server's samples: Fang, Cao, Jia and Gong, 2020,
 * "Local model poisoning attacks to Byzantine-robust federated learning", section 5.1; and UBAR
 * with those of a peer: Guo et al., 2022, "Byzantine-resilient decentralized stochastic gradient
 * descent", section IV).
 */
@Named(
    value = "held-out-gate",
    summary = "keeps the own model if a mixture worsens the own held-out loss")
public record HeldOutGate(
    @Setting(
            doc =
                "relative increase of the held-out loss up to which a mixture is taken; with data that"
                    + " differ much from peer to peer an honest mixture increases it too",
            fallback = "0",
            min = 0)
        double tolerance)
    implements RobustRule {
  @Override
  public RobustMixture mix(RobustInput input) {
    return new AsPublished().mix(input);
  }

  @Override
  public double heldOutTolerance() {
    return tolerance;
  }
}
